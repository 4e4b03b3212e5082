/** What a cancel does to a turn (C6.5): what is open closes now, what runs has its grace, nothing starts any more (T4). */
import type { Slot } from './round-state.ts';
import { interrupted, turned, withSlots } from './slot-change.ts';
import type { TurnState } from './turn-state.ts';

/** The first one stays. */
export function withCancel(state: TurnState, cancel: TurnState['cancel']): TurnState {
  if (state.cancel || !cancel) return state;
  return withSlots({ ...state, cancel, answers: [] }, (slot) =>
    slot.is === 'timing' ? interrupted(slot) : idle(slot),
  );
}

/** The clock: after a cancel's grace nobody waits for a running call any more; the ledger is asked. */
export function withTime(state: TurnState, now: number): TurnState {
  if (!state.cancel || !state.execution) return state;
  if (now < state.cancel.at + state.execution.knobs.cancelGraceMs) return state;
  return withSlots(state, (slot) => (slot.is === 'running' ? turned(slot, { is: 'lost' }) : slot));
}

/** A call that was settled or resolved after the cancel does not start any more. */
export function withoutStarts(state: TurnState): TurnState {
  return state.cancel ? withSlots(state, idle) : state;
}

const idle = (slot: Slot): Slot => (slot.is === 'ready' || slot.is === 'asking' ? interrupted(slot) : slot);
