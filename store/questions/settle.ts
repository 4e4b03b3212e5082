/** One settlement in one transaction (C5.5): the first valid one wins, a repeat of the same decision gets its first answer. */
import type { Json } from '../../core/json.ts';
import type { QuestionRow, QuestionState, Questions, Settlement, SignedDecision } from '../api.ts';
import { auditTx } from '../audit.ts';
import { editCall } from '../calls.ts';
import type { Context } from '../context.ts';
import type { Tx } from '../database.ts';
import { StoreDamaged } from '../errors.ts';
import { appendEvents } from '../events.ts';
import { recordResult } from '../results.ts';
import type { Sealer } from '../seals.ts';
import { loadTurn, saveProgress, type Turn } from '../turns/row.ts';
import { standingOf } from '../turns/standing.ts';
import { fateOf, markDecision, putDecisionTx } from './decisions.ts';
import { insertQuestion, loadQuestion, type Question, settleRow } from './rows.ts';

type Answer = Awaited<ReturnType<Questions['settle']>>;

export function* settleTx(context: Context, settlement: Settlement): Tx<Answer> {
  const { question, at } = settlement;
  const { sealer } = context;
  const turn = yield* loadTurn(question.turnId);
  if (!turn) throw new StoreDamaged(`turn ${question.turnId}`);
  const decision = settlement.to.state === 'decided' ? settlement.to.decision : undefined;
  if (decision) yield* putDecisionTx(sealer, decision, at);
  if (!turn.closed) yield* insertQuestion(turn, question);
  const row = yield* loadQuestion(question.approvalId);
  if (row?.state !== 'open') return yield* second(sealer, settlement, row, turn);
  yield* apply(context, settlement, turn);
  return { kind: 'settled' };
}

/** The question was settled before: by this very decision, or by another one. */
function* second(sealer: Sealer, settlement: Settlement, row: Question | undefined, turn: Turn): Tx<Answer> {
  const { to, at, question } = settlement;
  const same = to.state === 'decided' ? to.decision.body.decisionId === row?.decision_id : to.state === row?.state;
  if (row && same && row.answer !== null) return { kind: 'repeat', answer: JSON.parse(row.answer) as Json };
  const state = (row?.state ?? 'withdrawn') as QuestionState;
  const first = { by: row?.settled_by ?? 'everturn', at: row?.settled_at ?? turn.ended_at ?? at };
  if (to.state === 'decided')
    yield* tellLate(sealer, to.decision, { approvalId: question.approvalId, state, ...first }, at);
  return { kind: 'late', ...first, state };
}

type First = { approvalId: string; state: string; by: string; at: number };

function* tellLate(sealer: Sealer, { body }: SignedDecision, first: First, at: number): Tx<void> {
  const { decisionId, turnId, callId, by, surface, choice } = body;
  const marked = yield* markDecision(decisionId, 'late', at);
  if (!marked) return;
  const told = { decisionId, turnId, callId, by, surface, choice, approvalId: first.approvalId };
  yield* auditTx(sealer, { kind: 'decision_late', body: { ...told, first: { ...first } }, at });
}

function* apply({ sealer }: Context, settlement: Settlement, turn: Turn): Tx<void> {
  const { question, to, at, record, edited } = settlement;
  const decision = to.state === 'decided' ? to.decision : undefined;
  const { approvalId } = question;
  yield* settleRow(approvalId, {
    state: to.state,
    decision_id: decision?.body.decisionId ?? null,
    decision: decision ? JSON.stringify(shown(decision)) : null,
    settled_by: to.state === 'decided' ? to.decision.body.by : to.by,
    settled_at: at,
    answer: JSON.stringify(settlement.answer),
  });
  if (decision) yield* markDecision(decision.body.decisionId, 'accepted', at);
  if (edited) yield* editCall(sealer, turn, edited);
  if (record) yield* recordResult(turn, record, at);
  yield* appendEvents(turn, settlement.events, at);
  if (!turn.closed) turn.status = yield* standingOf(turn);
  yield* saveProgress(turn);
  const kind = to.state === 'decided' ? 'decision' : `question_${to.state}`;
  yield* auditTx(sealer, { kind, body: settlement.audit, at });
}

function shown({ body, note }: SignedDecision): QuestionRow['decision'] {
  const { decisionId, choice, by, surface } = body;
  return { decisionId, choice, by, surface, at: Date.parse(body.at), ...(note === undefined ? {} : { note }) };
}

/** An answer that was not valid: the question stays open, the log keeps it. A repeat adds nothing. */
export function* discardTx(sealer: Sealer, input: Parameters<Questions['discard']>[0]): Tx<void> {
  const { at, ...body } = input;
  if ((yield* fateOf(input.decisionId)) === 'discarded') return;
  yield* markDecision(input.decisionId, 'discarded', at);
  yield* auditTx(sealer, { kind: 'decision_discarded', body, at });
}
