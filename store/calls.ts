/** Call rows: everything that the tool's activity believes of a call, under one seal. An edit adds a version; the old one stays. */

import type { Selectable } from 'kysely';
import { canonicalJson } from '../core/json.ts';
import type { CallRow } from './api.ts';
import { all, run, type Tx } from './database.ts';
import { SealBroken } from './errors.ts';
import { plainJson } from './plain.ts';
import { query } from './query.ts';
import type { CallTable } from './schema.ts';
import type { Sealer } from './seals.ts';
import { loadTurn, type Turn } from './turns/row.ts';

type Row = Selectable<CallTable>;

const SEAL = 'call';

const insert = query((db, p: Row) =>
  db.insertInto('calls').values({
    turn_id: p.turn_id,
    call_id: p.call_id,
    version: p.version,
    step: p.step,
    slot: p.slot,
    tool: p.tool,
    summary: p.summary,
    argument_hash: p.argument_hash,
    execution_hash: p.execution_hash,
    body: p.body,
    key_id: p.key_id,
    signature: p.signature,
  }),
);

const versions = query((db, p: { turnId: string; callId: string }) =>
  db.selectFrom('calls').selectAll().where('turn_id', '=', p.turnId).where('call_id', '=', p.callId),
);

function sealedText(row: Omit<Row, 'key_id' | 'signature'>): string {
  return canonicalJson([
    ...[row.turn_id, row.call_id, row.version, row.step, row.slot, row.tool],
    ...[row.summary, row.argument_hash, row.execution_hash, row.body],
  ]);
}

/** Within a transaction, with the execution that the turn has now. */
export function* insertCall(sealer: Sealer, turn: Turn, call: CallRow, version = 1): Tx<void> {
  const { assessment, repaired } = call;
  const believed = { arguments: call.arguments, assessment, ...(repaired ? { repaired } : {}) };
  const row = {
    turn_id: turn.turn_id,
    call_id: call.callId,
    version,
    step: call.step,
    slot: call.slot,
    tool: call.tool,
    summary: call.summary,
    argument_hash: call.argumentHash,
    execution_hash: turn.execution_hash ?? '',
    body: plainJson(believed),
  };
  const { keyId, signature } = sealer.sign(SEAL, sealedText(row));
  yield* run(insert, { ...row, key_id: keyId, signature });
}

/** Sorted here: there are one or two of them, and SQLite takes several times as long when it is asked for an order. */
function* newest(turnId: string, callId: string): Tx<Row | undefined> {
  const rows = yield* all(versions, { turnId, callId });
  return rows.sort((a, b) => b.version - a.version)[0];
}

/** Throws `SealBroken` when anything of it, or the turn's execution, is not as it was sealed. */
export function* loadCall(sealer: Sealer, turnId: string, callId: string): Tx<CallRow | undefined> {
  const row = yield* newest(turnId, callId);
  if (!row) return undefined;
  const turn = yield* loadTurn(turnId);
  const whole = sealer.verify(SEAL, sealedText(row), { keyId: row.key_id, signature: row.signature });
  if (!whole || row.execution_hash !== turn?.execution_hash) throw new SealBroken(`call ${callId} of turn ${turnId}`);
  return {
    callId,
    step: row.step,
    slot: row.slot,
    tool: row.tool,
    summary: row.summary,
    argumentHash: row.argument_hash,
    ...(JSON.parse(row.body) as Pick<CallRow, 'arguments' | 'assessment' | 'repaired'>),
  };
}

/** Keeps the old version beside the new one. */
export function* editCall(sealer: Sealer, turn: Turn, call: CallRow): Tx<void> {
  const row = yield* newest(turn.turn_id, call.callId);
  yield* insertCall(sealer, turn, call, (row?.version ?? 0) + 1);
}
