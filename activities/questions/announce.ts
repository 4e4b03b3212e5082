/** `announce`: questions into the inbox, starts of calls that the workflow carries out, fills that cannot wait; idempotent. */
import type { AnnounceInput } from '../../core/ports.ts';
import type { KeyedEvent, NewQuestion } from '../../store/api.ts';
import type { EngineDeps } from '../deps.ts';
import { callEvent } from '../records.ts';
import { fillRecords } from '../rounds.ts';
import { questionRow } from './question-row.ts';

export async function announce(deps: EngineDeps, input: AnnounceInput): Promise<void> {
  const rows: NewQuestion[] = [];
  const events: KeyedEvent[] = [];
  for (const open of input.questions) {
    const { question, call } = await questionRow(deps, input.turnId, open, input.policyHash);
    rows.push(question);
    if (open.kind === 'question') events.push(callEvent(deps, call));
    events.push(requested(question));
  }
  for (const callId of input.starts) {
    const call = await deps.store.transcript.call(input.turnId, callId);
    if (call) events.push(callEvent(deps, call));
  }
  const records = await fillRecords(deps, input, input);
  await deps.store.questions.open(input.turnId, rows, events, records);
}

/** Also written by whoever settles first: readers hear of a question before they hear of its end. */
export function requested(question: NewQuestion): KeyedEvent {
  const { approvalId, kind, callId, tool, summary, argumentHash, risk, expiresAt } = question;
  return {
    key: `ask:${approvalId}`,
    body: {
      type: 'approval_requested',
      approvalId,
      kind,
      callId,
      tool,
      summary,
      argumentHash,
      risk,
      expiresAt: new Date(expiresAt).toISOString(),
    },
  };
}
