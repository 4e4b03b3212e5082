/** The slots of a turn as lists show them, put together from calls, results, open questions and the ledger. */
import type { SlotResult, SlotStatus } from '../../core/slot.ts';
import type { SlotRow } from '../api.ts';
import { all, type Tx } from '../database.ts';
import { openAttemptsTx } from '../ledger/attempts.ts';
import { query } from '../query.ts';
import { openQuestionsOf } from '../questions/rows.ts';

const calls = query((db, p: { turnId: string }) =>
  db
    .selectFrom('calls')
    .leftJoin('results', (join) =>
      join.onRef('results.turn_id', '=', 'calls.turn_id').onRef('results.call_id', '=', 'calls.call_id'),
    )
    .select(['calls.call_id', 'calls.step', 'calls.slot', 'tool', 'summary', 'argument_hash', 'result'])
    .where('calls.turn_id', '=', p.turnId)
    .orderBy('calls.step')
    .orderBy('calls.slot')
    .orderBy('calls.version'),
);

export function* slotsOf(turnId: string): Tx<SlotRow[]> {
  const asked = new Set((yield* openQuestionsOf(turnId)).map((question) => question.call_id));
  const running = new Set((yield* openAttemptsTx({ turnId })).map((row) => `${row.step}-${row.slot}`));
  const slots = new Map<string, SlotRow>();
  for (const row of yield* all(calls, { turnId })) {
    const result = row.result === null ? undefined : (JSON.parse(row.result) as SlotResult);
    let status: SlotStatus = result?.status ?? 'empty';
    if (!result && running.has(`${row.step}-${row.slot}`)) status = 'running';
    if (!result && asked.has(row.call_id)) status = 'waiting_approval';
    const { call_id: callId, step, slot, tool, summary, argument_hash: argumentHash } = row;
    // In order of versions: an edited call replaces what was there before.
    slots.set(callId, { callId, step, slot, tool, summary, argumentHash, status, result });
  }
  return [...slots.values()];
}
