/** What a query shows of a turn. */
import type { TurnStatus } from './outcome.ts';
import type { Slot } from './round-state.ts';
import type { SlotStatus } from './slot.ts';
import { openQuestions, type TurnState } from './turn-state.ts';

export function slotStatus(slot: Slot): SlotStatus {
  switch (slot.is) {
    case 'ready':
      return 'empty';
    case 'asking':
    case 'settling':
      return 'waiting_approval';
    case 'decided':
      return slot.fill.status;
    case 'filled':
      return slot.result.status;
    default:
      return 'running';
  }
}

export function statusOf(state: TurnState): TurnStatus {
  if (state.phase.at === 'ended') return state.phase.outcome.status;
  if (state.pause.held) return 'paused';
  const kinds = openQuestions(state).map((question) => question.kind);
  if (kinds.some((kind) => kind !== 'question')) return 'waiting_approval';
  return kinds.length > 0 ? 'waiting_user' : 'running';
}

export function viewOf(state: TurnState) {
  const slots = state.phase.at === 'round' ? state.phase.round.slots : [];
  return {
    turnId: state.turnId,
    status: statusOf(state),
    iteration: state.iteration,
    step: state.step,
    slots: slots.map((slot) => ({ callId: slot.call.callId, tool: slot.call.name, status: slotStatus(slot) })),
    questions: openQuestions(state).map((question) => question.approvalId),
  };
}
