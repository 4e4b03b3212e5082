/** How one slot of a round becomes another, and what a round becomes when its last slot is closed. */
import { outcomeOf } from './outcome.ts';
import { isClosed, type Round, type Slot, type SlotState } from './round-state.ts';
import type { TurnState } from './turn-state.ts';

export function roundOf(state: TurnState): Round | undefined {
  return state.phase.at === 'round' ? state.phase.round : undefined;
}

/** Changes open slots only (T1). */
export function withSlots(state: TurnState, change: (slot: Slot) => Slot): TurnState {
  const round = roundOf(state);
  if (!round) return state;
  const slots = round.slots.map((slot) => (isClosed(slot) ? slot : change(slot)));
  return closeRound({ ...state, phase: { at: 'round', round: { ...round, slots } } });
}

export function withSlot(state: TurnState, place: number, change: (slot: Slot) => Slot): TurnState {
  return withSlots(state, (slot) => (slot.call.slot === place ? change(slot) : slot));
}

/** A round whose slots are all closed becomes what the transcript lacks (T3). */
export function closeRound(state: TurnState): TurnState {
  const round = roundOf(state);
  if (!round?.slots.every(isClosed)) return state;
  const fills = round.slots.flatMap((slot) =>
    slot.is === 'decided' && !round.announced.includes(slot.call.callId) ? [slot.fill] : [],
  );
  const append = {
    round: { step: round.step },
    fills,
    steering: [],
    notes: round.tell === undefined ? [] : [round.tell],
  };
  if (state.cancel) return { ...state, phase: { at: 'ending', append, outcome: outcomeOf('cancelled', state.usage) } };
  return { ...state, answers: [], phase: { at: 'boundary', append } };
}

/** A slot in a new state; what belongs to the call itself stays. */
export function turned({ call, attempt, decisionId, unknowns, begun }: Slot, to: SlotState): Slot {
  return {
    call,
    attempt,
    ...(decisionId ? { decisionId } : {}),
    ...(unknowns ? { unknowns } : {}),
    ...(begun ? { begun } : {}),
    ...to,
  };
}

/** Closed without an outcome (C6.5): whether an effect may have happened is never glossed over. */
export function interrupted(slot: Slot): Slot {
  const began = slot.begun === true || slot.is === 'timing';
  const status = began && slot.call.facts.effect !== 'none' ? 'unknown' : 'interrupted';
  return turned(slot, { is: 'decided', fill: { callId: slot.call.callId, status, began } });
}
