/**
 * The ledger (C6.2, design "Order of truth"): intent before the effect, outcome after it, one row an attempt.
 *
 * L1  An attempt begins only while no other attempt at its call may still be running: earlier ones are void, none is later.
 * L2  A void attempt never begins, and its outcome changes nothing shown.
 * L3  The first result of a slot stays, whoever recorded it; later outcomes are kept as late.
 * L4  Nothing begins after cancel, pause or estop were written, or after the turn was ended.
 */
import type { SlotResult } from '../../core/slot.ts';
import type { Ledger, ProcessGroup } from '../api.ts';
import { putBlob } from '../blobs.ts';
import type { Context } from '../context.ts';
import type { Tx } from '../database.ts';
import { recordResult, resultOfSlot } from '../results.ts';
import { loadTurn, saveProgress } from '../turns/row.ts';
import {
  type Attempt,
  type AttemptKey,
  changeAttempt,
  insertAttempt,
  loadAttempt,
  openAttemptsTx,
} from './attempts.ts';
import { beginTx } from './begin.ts';

export function createLedger({ db, now }: Context): Ledger {
  return {
    begin: (input) => db.write(() => beginTx(input, now()), { durable: true }),
    group: ({ host, pgid, startTime, ...key }) =>
      db.write(function* () {
        const row = yield* loadAttempt(key);
        if (!row || row.voided_at !== null) return 'void';
        yield* changeAttempt(row, { process_group: JSON.stringify({ host, pgid, startTime }) });
        return 'recorded';
      }),
    outcome: (input) => db.write(() => outcomeTx(input, now())),
    resolve: (input) => db.write(() => resolveTx(input, now()), { durable: true }),
    async openAttempts(filter) {
      const rows = await db.read(() => openAttemptsTx(filter));
      return rows.map((row) => ({
        turnId: row.turn_id,
        step: row.step,
        slot: row.slot,
        attempt: row.attempt,
        activityId: row.activity_id ?? '',
        worker: row.worker ?? '',
        ...groupOf(row),
      }));
    },
  };
}

function* outcomeTx(
  { record, ...key }: Parameters<Ledger['outcome']>[0],
  at: number,
): Tx<'recorded' | 'late' | 'already'> {
  const row = yield* loadAttempt(key);
  if (row && row.outcome !== null) return 'already';
  const turn = yield* loadTurn(key.turnId);
  const counts = row && row.voided_at === null && turn && !turn.closed;
  const shown = counts ? yield* recordResult(turn, record, at) : false;
  if (shown && turn) yield* saveProgress(turn);
  else yield* putBlob(record.text, at, record.result.ref);
  const outcome = { outcome: JSON.stringify(record.result), late: shown ? 0 : 1, outcome_at: at };
  if (row) yield* changeAttempt(row, outcome);
  // Without an intent it is kept as a void attempt's: nothing may begin on the strength of it.
  else yield* insertAttempt(key, { ...outcome, voided_at: at });
  return shown ? 'recorded' : 'late';
}

function* resolveTx(
  { voidIt, ...key }: AttemptKey & { voidIt: boolean },
  at: number,
): Tx<
  | { kind: 'outcome'; result: SlotResult }
  | { kind: 'never_began' }
  | { kind: 'began'; at: number; group?: ProcessGroup }
> {
  const result = yield* resultOfSlot(key);
  if (result) return { kind: 'outcome', result };
  const row = yield* loadAttempt(key);
  if (!row) yield* insertAttempt(key, { voided_at: at });
  if (!row || row.began_at === null) return { kind: 'never_began' };
  if (voidIt && row.voided_at === null) yield* changeAttempt(row, { voided_at: at });
  return { kind: 'began', at: row.began_at, ...groupOf(row) };
}

function groupOf(row: Attempt): { group?: ProcessGroup } {
  return row.process_group === null ? {} : { group: JSON.parse(row.process_group) as ProcessGroup };
}
