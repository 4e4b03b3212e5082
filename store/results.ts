/** What each slot was filled with (C7.4): the first record of a slot stays, its text is a blob, its events ride along. */
import type { SlotResult } from '../core/slot.ts';
import type { RecordedResult, Results } from './api.ts';
import { mustGetBlob, putBlob } from './blobs.ts';
import type { Context } from './context.ts';
import { all, first, run, type Tx } from './database.ts';
import { appendEvents } from './events.ts';
import { query } from './query.ts';
import { loadTurn, saveProgress, type Turn } from './turns/row.ts';

type NewResult = { turnId: string; step: number; slot: number; callId: string; result: string };

const insert = query((db, p: NewResult) =>
  db
    .insertInto('results')
    .values({ turn_id: p.turnId, step: p.step, slot: p.slot, call_id: p.callId, result: p.result })
    .onConflict((conflict) => conflict.doNothing()),
);
const byCall = query((db, p: { turnId: string; callId: string }) =>
  db.selectFrom('results').select('result').where('turn_id', '=', p.turnId).where('call_id', '=', p.callId),
);
const bySlot = query((db, p: { turnId: string; step: number; slot: number }) =>
  db
    .selectFrom('results')
    .select('result')
    .where('turn_id', '=', p.turnId)
    .where('step', '=', p.step)
    .where('slot', '=', p.slot),
);
const byStep = query((db, p: { turnId: string; step: number }) =>
  db
    .selectFrom('results')
    .select(['call_id', 'slot', 'result'])
    .where('turn_id', '=', p.turnId)
    .where('step', '=', p.step),
);

/** Within a transaction. False: the slot had one already, and nothing of this one is shown. */
export function* recordResult(turn: Turn, record: RecordedResult, at: number): Tx<boolean> {
  const { step, slot, callId } = record;
  // The reference is the store's own business: it is always the hash of the text that is kept.
  const ref = yield* putBlob(record.text, at);
  const result = JSON.stringify({ ...record.result, ref });
  if (!(yield* run(insert, { turnId: turn.turn_id, step, slot, callId, result }))) return false;
  yield* appendEvents(turn, record.events, at);
  return true;
}

export function* recordResults(turn: Turn, records: readonly RecordedResult[], at: number): Tx<void> {
  for (const record of records) yield* recordResult(turn, record, at);
}

export function* resultOfSlot(key: { turnId: string; step: number; slot: number }): Tx<SlotResult | undefined> {
  const row = yield* first(bySlot, { turnId: key.turnId, step: key.step, slot: key.slot });
  return row && (JSON.parse(row.result) as SlotResult);
}

/** A result with its text, as the model reads it. */
export function* resultOfCall(turnId: string, callId: string): Tx<{ result: SlotResult; text: string } | undefined> {
  const row = yield* first(byCall, { turnId, callId });
  if (!row) return undefined;
  const result = JSON.parse(row.result) as SlotResult;
  return { result, text: yield* mustGetBlob(result.ref) };
}

export function createResults({ db, now }: Context): Results {
  return {
    record: (turnId, records) =>
      db.write(function* () {
        const turn = yield* loadTurn(turnId);
        if (!turn || turn.closed) return;
        yield* recordResults(turn, records, now());
        yield* saveProgress(turn);
      }),
    get: (turnId, callId) => db.read(() => resultOfCall(turnId, callId)),
    ofStep: (turnId, step) =>
      db.read(function* () {
        const found = [];
        const rows = yield* all(byStep, { turnId, step });
        for (const row of rows.sort((a, b) => a.slot - b.slot)) {
          const result = JSON.parse(row.result) as SlotResult;
          found.push({ callId: row.call_id, slot: row.slot, result, text: yield* mustGetBlob(result.ref) });
        }
        return found;
      }),
  };
}
