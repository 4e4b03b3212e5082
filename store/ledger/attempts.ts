/** The rows of attempts: intent, void, process group and outcome of one attempt at one call. */
import type { Selectable } from 'kysely';
import type { CallKey } from '../api.ts';
import { all, first, run, type Tx } from '../database.ts';
import { query } from '../query.ts';
import type { AttemptTable } from '../schema.ts';

export type Attempt = Selectable<AttemptTable>;
export type AttemptKey = CallKey & { attempt: number };

const ofSlot = query((db, p: { turnId: string; step: number; slot: number }) =>
  db
    .selectFrom('attempts')
    .selectAll()
    .where('turn_id', '=', p.turnId)
    .where('step', '=', p.step)
    .where('slot', '=', p.slot),
);
const one = query((db, p: AttemptKey) =>
  db
    .selectFrom('attempts')
    .selectAll()
    .where('turn_id', '=', p.turnId)
    .where('step', '=', p.step)
    .where('slot', '=', p.slot)
    .where('attempt', '=', p.attempt),
);
const insert = query((db, p: Attempt) =>
  db.insertInto('attempts').values({
    turn_id: p.turn_id,
    step: p.step,
    slot: p.slot,
    attempt: p.attempt,
    worker: p.worker,
    activity_id: p.activity_id,
    began_at: p.began_at,
    voided_at: p.voided_at,
    process_group: p.process_group,
    outcome: p.outcome,
    late: p.late,
    outcome_at: p.outcome_at,
  }),
);
const change = query((db, p: Attempt) =>
  db
    .updateTable('attempts')
    .set({
      voided_at: p.voided_at,
      process_group: p.process_group,
      outcome: p.outcome,
      late: p.late,
      outcome_at: p.outcome_at,
    })
    .where('turn_id', '=', p.turn_id)
    .where('step', '=', p.step)
    .where('slot', '=', p.slot)
    .where('attempt', '=', p.attempt),
);
const openOfWorker = query((db, p: { worker: string }) =>
  db
    .selectFrom('attempts')
    .selectAll()
    .where('worker', '=', p.worker)
    .where('began_at', 'is not', null)
    .where('outcome', 'is', null)
    .where('voided_at', 'is', null),
);
const openOfTurn = query((db, p: { turnId: string }) =>
  db
    .selectFrom('attempts')
    .selectAll()
    .where('turn_id', '=', p.turnId)
    .where('began_at', 'is not', null)
    .where('outcome', 'is', null)
    .where('voided_at', 'is', null),
);
const openOfAll = query((db, _: Record<never, never>) =>
  db
    .selectFrom('attempts')
    .selectAll()
    .where('began_at', 'is not', null)
    .where('outcome', 'is', null)
    .where('voided_at', 'is', null),
);

export function* attemptsOf({ turnId, step, slot }: CallKey): Tx<Attempt[]> {
  return yield* all(ofSlot, { turnId, step, slot });
}

export function* loadAttempt({ turnId, step, slot, attempt }: AttemptKey): Tx<Attempt | undefined> {
  return yield* first(one, { turnId, step, slot, attempt });
}

export function* openAttemptsTx(filter: { worker?: string; turnId?: string }): Tx<Attempt[]> {
  const { worker, turnId } = filter;
  if (worker === undefined) return yield* turnId === undefined ? all(openOfAll, {}) : all(openOfTurn, { turnId });
  const rows = yield* all(openOfWorker, { worker });
  return turnId === undefined ? rows : rows.filter((row) => row.turn_id === turnId);
}

/** Some attempt at the call has begun, so that it may have had an effect. */
export function* hasBegun(key: CallKey): Tx<boolean> {
  return (yield* attemptsOf(key)).some((row) => row.began_at !== null);
}

export function* insertAttempt(key: AttemptKey, known: Partial<Attempt>): Tx<void> {
  const nothing = { worker: null, activity_id: null, began_at: null, voided_at: null, process_group: null };
  const row = { ...nothing, outcome: null, late: 0, outcome_at: null, ...known };
  yield* run(insert, { ...row, turn_id: key.turnId, step: key.step, slot: key.slot, attempt: key.attempt });
}

export function* changeAttempt(row: Attempt, to: Partial<Attempt>): Tx<void> {
  yield* run(change, { ...row, ...to });
}
