/** Calls that were asked and not approved: never put to a person twice in one turn (C4.5). */
import type { CallNotice } from './slot.ts';
import type { TurnState } from './turn-state.ts';

/** The identity of a call: resolved name and canonical arguments. */
export const callKey = (call: CallNotice): string => `${call.name}:${call.argumentHash}`;

export function withRefused(state: TurnState, key: string, by: string): TurnState {
  const known = state.refused.find((each) => each.key === key);
  if (!known) return { ...state, refused: [...state.refused, { key, by, times: 1 }].slice(-64) };
  return {
    ...state,
    refused: state.refused.map((each) => (each.key === key ? { ...each, times: each.times + 1 } : each)),
  };
}
