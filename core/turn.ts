/**
 * The turn: its state, and what it needs next. Pure: `nextMove` decides, the workflow performs, `with…` folds in.
 *
 * Invariants (each has a property test):
 * T1  Every slot is closed exactly once; a closed slot never changes.
 * T2  Slots stand in the model's order, one per call of the reply.
 * T3  A turn calls the provider, hands over or ends only when no slot is open.
 * T4  No tool starts after a cancel, nor while paused.
 * T5  A call that needs a decision runs only with a decision that settling accepted.
 * T6  At most one answer is being settled at a time, in the order of arrival; meanwhile its question does not expire.
 * T7  A call with an effect never runs beside another call with an effect.
 * T8  The turn ends only with an empty inbox, unless it was cancelled or failed.
 * T9  A provider call is asked for with everything the transcript lacks, and that is appended once.
 */
import { boundaryMove } from './loop-control.ts';
import type { Move } from './move.ts';
import { roundMove } from './round.ts';
import type { TurnState } from './turn-state.ts';

/**
 * What is needed now.
 * @param now workflow clock, ms
 * @param tired the history is long: hand over at the next boundary
 */
export function nextMove(state: TurnState, now: number, tired = false): Move {
  const { phase } = state;
  switch (phase.at) {
    case 'begin':
      return { kind: 'begin' };
    case 'boundary':
      return boundaryMove(state, phase, { now, tired });
    case 'asking-model':
      return { kind: 'wait', until: null };
    case 'round':
      return roundMove(state, phase.round, now);
    case 'ending':
      return { kind: 'finish' };
    case 'ended':
      return { kind: 'return', outcome: phase.outcome };
  }
}
