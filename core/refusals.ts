/** Calls that were asked and not approved: never put to a person twice in one turn (C4.5). */
import { newest } from './newest.ts';
import type { CallNotice } from './slot.ts';
import type { TurnState } from './turn-state.ts';

const KEPT = 64;
const KEPT_SIZE = 3_072;
const BY_MAX = 64;

/** The identity of a call: resolved name and canonical arguments. */
export const callKey = (call: CallNotice): string => `${call.name}:${call.argumentHash.slice(0, 32)}`;

/** Asked, and not approved; who was first stays. */
export function withRefused(state: TurnState, key: string, by: string): TurnState {
  if (state.refused.some((each) => each.key === key)) return state;
  const refused = [...state.refused, { key, by: by.slice(0, BY_MAX), repeats: 0 }];
  return { ...state, refused: newest(refused, KEPT, KEPT_SIZE) };
}

/** The model has called it once more. */
export function withRepeat(state: TurnState, key: string): TurnState {
  const refused = state.refused.map((each) => (each.key === key ? { ...each, repeats: each.repeats + 1 } : each));
  return { ...state, refused };
}
