/** What becomes of an answer: repeats get the first outcome, late ones are told who was first, a good one is sent (C5.5). */
import type { DecisionOutcome, DecisionRequest } from '../client/types.ts';
import { canonicalJson, type JsonObject } from '../core/json.ts';
import type { QuestionRow, SignedDecision } from '../store/api.ts';
import { cleanText } from './clean-text.ts';
import { type Answerer, makeDecision } from './decision.ts';
import type { GatewayDeps } from './deps.ts';
import { ApiFailure } from './failure.ts';
import { restorePlaceholders } from './placeholders.ts';
import { parsed } from './transcript-json.ts';
import { iso } from './turn-json.ts';

export type Decided = { status: 200 | 202; outcome: DecisionOutcome };

/** @throws ApiFailure 404, 409 already decided, 410 expired or withdrawn, 422 */
export async function decideApproval(
  deps: GatewayDeps,
  approvalId: string,
  request: DecisionRequest,
  who: Answerer,
): Promise<Decided> {
  const question = await deps.store.questions.get(approvalId);
  if (!question) throw noSuchApproval();
  const decisionId = request.decisionId ?? deps.newId();
  const earlier = request.decisionId === undefined ? undefined : await deps.store.questions.decision(decisionId);
  if (earlier && !isRepeat(deps, question, earlier, request)) throw idUsed();
  const settled = outcomeOf(question, decisionId);
  if (settled) return settled;
  const decision = earlier ?? (await makeDecision(deps, question, { ...request, decisionId }, who));
  if (!earlier && (await deps.store.questions.putDecision(decision)) === 'conflict') throw idUsed();
  return send(deps, question, decisionId);
}

/** The same answer again; who sends it does not matter, nor does the time. */
function isRepeat(
  deps: GatewayDeps,
  question: QuestionRow,
  earlier: SignedDecision,
  request: DecisionRequest,
): boolean {
  const { body } = earlier;
  if (body.approvalId !== question.approvalId || body.choice !== request.choice) return false;
  if (body.argumentHash !== request.argumentHash) return false;
  if ((earlier.note ?? '') !== cleanText(request.note ?? '').trim()) return false;
  if (earlier.text !== undefined && earlier.text !== cleanText(request.text ?? '')) return false;
  if (earlier.newArguments === undefined || request.arguments === undefined) return true;
  const restored = restorePlaceholders(parsed(question.arguments), request.arguments as JsonObject, deps.render);
  return restored.ok && canonicalJson(restored.args) === earlier.newArguments;
}

/** What the store says already; undefined while the question is open. */
function outcomeOf(question: QuestionRow, decisionId: string): Decided | undefined {
  const { state, decision } = question;
  if (state === 'open' || state === 'settling') return undefined;
  if (state !== 'decided') throw over(state);
  if (decision?.decisionId === decisionId) return { status: 200, outcome: { state: 'accepted', decisionId } };
  throw alreadyDecided(decision?.by ?? 'somebody', iso(decision?.at ?? question.askedAt));
}

async function send(deps: GatewayDeps, question: QuestionRow, decisionId: string): Promise<Decided> {
  const { approvalId, turnId } = question;
  const queued: Decided = { status: 202, outcome: { state: 'queued', decisionId } };
  deps.messenger.due(`decision ${decisionId}`);
  const answer = await deps.desk.sendDecision(turnId, { approvalId, decisionId });
  if (answer.kind === 'queued') return queued;
  if (answer.kind === 'unsent') {
    deps.messenger.forget(`decision ${decisionId}`);
    return queued;
  }
  if (answer.kind === 'answered') {
    if (answer.answer.state === 'accepted') return { status: 200, outcome: { state: 'accepted', decisionId } };
    if (answer.answer.state === 'already_decided') throw alreadyDecided(answer.answer.by, answer.answer.at);
    if (answer.answer.state === 'invalid') throw refusedBySettling(deps.render.text(answer.answer.reason));
    throw over(answer.answer.state);
  }
  // The turn does not know the question (any more): the store says what became of it.
  if (answer.kind === 'gone') await deps.reconciler.turn(turnId);
  const now = await deps.store.questions.get(approvalId);
  return (now && outcomeOf(now, decisionId)) ?? queued;
}

export const noSuchApproval = () =>
  new ApiFailure(404, 'approval_not_found', {
    message: 'There is no such approval.',
    hint: 'GET /api/v1/approvals?state=open lists what waits for an answer.',
  });

const idUsed = () =>
  new ApiFailure(409, 'decision_id_used', {
    message: 'This decisionId was used for another answer.',
    hint: 'Use a new decisionId for a new answer; the same id repeats the same answer.',
  });

const alreadyDecided = (by: string, at: string) =>
  new ApiFailure(
    409,
    'already_decided',
    { message: `${by} decided this at ${at}.`, hint: 'The first answer counts; nothing more is needed.' },
    { extra: { state: 'already_decided', by, at } },
  );

const over = (state: 'expired' | 'withdrawn') =>
  new ApiFailure(
    410,
    state,
    {
      message:
        state === 'expired'
          ? 'Nobody answered in time; the call was not run.'
          : 'The question was withdrawn; its turn has gone on or ended.',
      hint: 'Nothing runs because of this answer. If it is still wanted, ask the agent again.',
    },
    { extra: { state } },
  );

const refusedBySettling = (why: string) =>
  new ApiFailure(422, 'invalid_decision', {
    message: `The answer was not accepted: ${why}`,
    hint: 'The question is still open.',
  });
