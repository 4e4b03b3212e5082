/** What becomes of open questions when their turn ends: withdrawn, told to readers, audited. */
import { auditTx } from '../audit.ts';
import type { Context } from '../context.ts';
import type { Tx } from '../database.ts';
import { appendEvents } from '../events.ts';
import { cancelOf, type Turn } from '../turns/row.ts';
import { markDecisionsOfTurn } from './decisions.ts';
import { openQuestionsOf, settleRow } from './rows.ts';

export function* withdrawQuestions({ sealer }: Context, turn: Turn, at: number): Tx<void> {
  const by = cancelOf(turn)?.by ?? 'everturn';
  for (const question of yield* openQuestionsOf(turn.turn_id)) {
    const { approval_id: approvalId, call_id: callId, tool, summary, argument_hash: argumentHash } = question;
    const state = 'withdrawn';
    const settled = { state, settled_by: by, settled_at: at, decision_id: null, decision: null, answer: null };
    yield* settleRow(approvalId, settled);
    const body = { type: 'approval_resolved', approvalId, callId, state, by } as const;
    yield* appendEvents(turn, [{ key: `withdrawn:${approvalId}`, body }], at);
    const told = { approvalId, turnId: turn.turn_id, callId, tool, summary, argumentHash, by };
    yield* auditTx(sealer, { kind: 'question_withdrawn', body: told, at });
  }
  yield* markDecisionsOfTurn(turn.turn_id, at);
}
