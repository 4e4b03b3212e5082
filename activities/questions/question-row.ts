/** The inbox row of a question, made from the stored call: the same whoever makes it, so a missing one can be made again. */
import { canonicalJson } from '../../core/json.ts';
import type { OpenQuestion } from '../../core/question.ts';
import type { CallRow, NewQuestion } from '../../store/api.ts';
import type { EngineDeps } from '../deps.ts';
import { storeBehind } from '../store-behind.ts';

export async function questionRow(
  deps: EngineDeps,
  turnId: string,
  open: OpenQuestion,
  policyHash: string,
): Promise<{ question: NewQuestion; call: CallRow }> {
  const call = await deps.store.transcript.call(turnId, open.callId);
  if (!call) throw storeBehind(`Call ${open.callId} of turn ${turnId}`);
  const row = await deps.store.turns.get(turnId);
  const question: NewQuestion = {
    approvalId: open.approvalId,
    kind: open.kind,
    turnId,
    callId: open.callId,
    tool: call.tool,
    summary: deps.render(call.summary),
    arguments: call.arguments === '' ? canonicalJson({}) : call.arguments,
    argumentHash: call.argumentHash,
    policyHash,
    risk: call.assessment.risk,
    path: row ? [row.agent] : [],
    askedAt: open.askedAt,
    expiresAt: open.expiresAt,
  };
  return { question, call };
}
