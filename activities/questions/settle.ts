/**
 * `settleQuestion`: what an answer is worth (C5.5). Verified, judged again, written in one transaction; one that is not
 * valid is audited and discarded, and the question stays open. The workflow follows what this returns.
 */
import type { Json, JsonObject } from '../../core/json.ts';
import type { SettleInput } from '../../core/ports.ts';
import { CHOICES, type Settled, type Verdict } from '../../core/question.ts';
import type { KeyedEvent, NewQuestion, Settlement, SignedDecision } from '../../store/api.ts';
import type { EngineDeps } from '../deps.ts';
import type { ExecutionCache } from '../executions.ts';
import { recordFill } from '../records.ts';
import { requested } from './announce.ts';
import type { Judged, Open } from './judged.ts';
import { questionRow } from './question-row.ts';
import { storedDecision } from './stored-decision.ts';
import { verdictOf } from './verdict.ts';

export async function settleQuestion(
  deps: EngineDeps,
  executions: ExecutionCache,
  input: SettleInput,
): Promise<Settled> {
  const open = await questionRow(deps, input.turnId, input.question, input.policyHash);
  if (input.answer.kind === 'expired') return expire(deps, open);
  const { decisionId } = input.answer;
  const known = await deps.store.questions.get(open.question.approvalId);
  const stored = await storedDecision(deps, decisionId);
  if (stored.kind !== 'found') return discard(deps, open, decisionId, NOT_FOUND[stored.kind]);
  const { signed } = stored;
  const fault = decisionFault(deps, known ?? open.question, signed);
  if (fault !== undefined) return discard(deps, open, decisionId, fault);
  const judged = await verdictOf(deps, executions, open, signed);
  if ('invalid' in judged) return discard(deps, open, decisionId, judged.invalid);
  return accept(deps, open, signed, judged);
}

const NOT_FOUND = {
  none: 'no such decision is in the store',
  tampered: 'its row in the store is not as it was sealed',
} as const;

function decisionFault(deps: EngineDeps, question: NewQuestion, signed: SignedDecision): string | undefined {
  const { body } = signed;
  if (!deps.verifyDecision(signed)) return 'its signature is not of this deployment';
  if (body.approvalId !== question.approvalId || body.turnId !== question.turnId || body.callId !== question.callId)
    return 'it is for another question';
  if (body.kind !== question.kind || !CHOICES[question.kind].includes(body.choice))
    return 'its choice does not fit the question';
  if (body.argumentHash !== question.argumentHash) return 'it was made for other arguments';
  return body.policyHash === question.policyHash ? undefined : 'it was made under another policy';
}

async function accept(deps: EngineDeps, open: Open, signed: SignedDecision, judged: Judged): Promise<Settled> {
  const { body } = signed;
  const at = new Date();
  const settled: Settled = {
    outcome: 'accepted',
    decisionId: body.decisionId,
    by: body.by,
    at: at.toISOString(),
    verdict: judged.verdict,
  };
  const note = signed.note === undefined ? {} : { note: deps.render(signed.note) };
  const event = resolved(open, { state: 'decided', choice: body.choice, by: body.by, ...note });
  return write(deps, {
    question: open.question,
    to: { state: 'decided', decision: signed },
    events: [requested(open.question), event, ...(judged.record?.events ?? [])],
    audit: auditOf(
      open,
      { state: 'decided', choice: body.choice, by: body.by, surface: body.surface, decisionId: body.decisionId },
      at,
    ),
    at: at.getTime(),
    answer: settled as unknown as Json,
    ...(judged.record ? { record: { ...judged.record, events: [] } } : {}),
    ...(judged.edited ? { edited: judged.edited } : {}),
  });
}

/** Nobody answered in time: no refusal, and worded so (C5.4). */
async function expire(deps: EngineDeps, open: Open): Promise<Settled> {
  const { question, call } = open;
  const status = question.kind === 'unknown' ? 'unknown' : 'expired';
  const record = recordFill(deps, call, {
    callId: call.callId,
    status,
    by: 'timeout',
    began: question.kind === 'unknown',
  });
  const at = new Date();
  const verdict: Verdict = { kind: 'filled', result: record.result, by: 'timeout' };
  const settled: Settled = { outcome: 'accepted', decisionId: '', by: 'timeout', at: at.toISOString(), verdict };
  return write(deps, {
    question,
    to: { state: 'expired', by: 'timeout' },
    events: [requested(question), resolved(open, { state: 'expired', by: 'timeout' }), ...record.events],
    record: { ...record, events: [] },
    audit: auditOf(open, { state: 'expired', by: 'timeout' }, at),
    at: at.getTime(),
    answer: settled as unknown as Json,
  });
}

async function write(deps: EngineDeps, settlement: Settlement): Promise<Settled> {
  const written = await deps.store.questions.settle(settlement);
  switch (written.kind) {
    case 'settled':
      return settlement.answer as unknown as Settled;
    case 'repeat':
      return written.answer as unknown as Settled;
    case 'late': {
      const state = written.state === 'expired' || written.state === 'withdrawn' ? written.state : 'decided';
      return { outcome: 'late', by: written.by, at: new Date(written.at).toISOString(), state };
    }
  }
}

async function discard(deps: EngineDeps, { question }: Open, decisionId: string, reason: string): Promise<Settled> {
  const { approvalId, turnId } = question;
  await deps.store.questions.discard({ approvalId, turnId, decisionId, reason, at: Date.now() });
  return { outcome: 'discarded', reason };
}

type Resolution = { state: string; choice?: string; by: string; note?: string };

function resolved({ question }: Open, how: Resolution): KeyedEvent {
  const { approvalId, callId } = question;
  return { key: `settled:${approvalId}`, body: { type: 'approval_resolved', approvalId, callId, ...how } };
}

/** C5.10: time, tool, summary, argument hash, decision, who, surface, latency. */
function auditOf({ question }: Open, how: JsonObject, at: Date): JsonObject {
  const { approvalId, turnId, callId, tool, summary, argumentHash, kind, askedAt } = question;
  return {
    approvalId,
    turnId,
    callId,
    kind,
    tool,
    summary,
    argumentHash,
    latencyMs: Math.max(0, at.getTime() - askedAt),
    ...how,
  };
}
