/** What settling does to a round: the slot follows its verdict, the answer leaves the queue, senders are told (C5.5, T6). */
import { newest } from './newest.ts';
import type { SettleInput } from './ports.ts';
import type { OpenQuestion, Settled, Verdict } from './question.ts';
import { callKey, withRefused } from './refusals.ts';
import type { Slot } from './round-state.ts';
import { interrupted, roundOf, turned, withSlots } from './slot-change.ts';
import type { AnswerReply, TurnState } from './turn-state.ts';

const DECIDED_KEPT = 64;
const DECIDED_SIZE = 13_312;
const REASON_MAX = 120;

export function withSettling(state: TurnState, request: SettleInput): TurnState {
  return withSlots(state, (slot) =>
    slot.is === 'asking' && slot.question.approvalId === request.question.approvalId
      ? turned(slot, { is: 'settling', question: slot.question })
      : slot,
  );
}

export function withSettled(state: TurnState, request: SettleInput, settled: Settled): TurnState {
  const { question } = request;
  const noted = { ...state, answers: leftAnswers(state, request, settled), decided: decided(state, request, settled) };
  return withSlots(withRefusal(noted, request, settled), (slot) => {
    if (slot.is !== 'settling' || slot.question.approvalId !== question.approvalId) return slot;
    if (settled.outcome === 'discarded') return turned(slot, { is: 'asking', question });
    if (settled.outcome === 'late') return interrupted(slot);
    return afterVerdict(slot, question, settled);
  });
}

/** A discarded answer leaves alone; a closed question takes all that came for it along. */
function leftAnswers(state: TurnState, { question, answer }: SettleInput, settled: Settled): TurnState['answers'] {
  if (settled.outcome !== 'discarded') return state.answers.filter((each) => each.approvalId !== question.approvalId);
  const gone = answer.kind === 'decision' ? answer.decisionId : undefined;
  return state.answers.filter((each) => each.approvalId !== question.approvalId || each.decisionId !== gone);
}

type Accepted = { decisionId: string; verdict: Verdict };

function afterVerdict(slot: Slot, question: OpenQuestion, { decisionId, verdict }: Accepted): Slot {
  switch (verdict.kind) {
    case 'filled':
      return turned(slot, { is: 'filled', result: verdict.result });
    case 'retry':
      // Only an unknown outcome is tried again: nothing else may start without a decision that lets it run (T5).
      return turned(slot, question.kind === 'unknown' ? { is: 'ready' } : { is: 'asking', question });
    case 'run':
      if (question.kind !== 'tool') return turned(slot, { is: 'asking', question });
      return { ...turned({ ...slot, call: approved(slot, verdict) }, { is: 'ready' }), decisionId };
    case 'continue':
    case 'stop':
      return turned(slot, { is: 'asking', question });
  }
}

function approved({ call }: Slot, { argumentHash, edited }: Extract<Verdict, { kind: 'run' }>): Slot['call'] {
  return edited ? { ...call, argumentHash, summary: edited.summary, facts: edited.facts } : call;
}

/** C4.5, C5.4: what was denied, or nobody answered, is not put to a person again in this turn. */
function withRefusal(state: TurnState, { question }: SettleInput, settled: Settled): TurnState {
  if (settled.outcome !== 'accepted' || settled.verdict.kind !== 'filled' || question.kind === 'unknown') return state;
  const { status } = settled.verdict.result;
  if (status !== 'denied' && status !== 'expired') return state;
  const slot = roundOf(state)?.slots.find((each) => each.call.callId === question.callId);
  return slot ? withRefused(state, callKey(slot.call), status === 'expired' ? 'timeout' : settled.by) : state;
}

function decided(state: TurnState, { answer, question }: SettleInput, settled: Settled): TurnState['decided'] {
  const { approvalId } = question;
  const expired = answer.kind === 'expired';
  const entry = {
    decisionId: expired ? '' : answer.decisionId,
    approvalId,
    answer: replyTo(settled, expired),
    ...(settled.outcome === 'accepted' && !expired ? { by: settled.by, at: settled.at } : {}),
  };
  return newest([...state.decided, entry], DECIDED_KEPT, DECIDED_SIZE);
}

function replyTo(settled: Settled, expired: boolean): AnswerReply {
  switch (settled.outcome) {
    case 'accepted':
      return { state: expired ? 'expired' : 'accepted' };
    case 'discarded':
      return { state: 'invalid', reason: settled.reason.slice(0, REASON_MAX) };
    case 'late':
      return settled.state === 'decided'
        ? { state: 'already_decided', by: settled.by, at: settled.at }
        : { state: settled.state };
  }
}
