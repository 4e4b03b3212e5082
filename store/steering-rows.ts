/** The rows of steering messages and what a transaction does with them. */
import { type Selectable, sql } from 'kysely';
import type { SteerRow } from './api.ts';
import { all, first, run, type Tx } from './database.ts';
import { query } from './query.ts';
import type { SteeringTable } from './schema.ts';

export type Steer = Selectable<SteeringTable>;

const byId = query((db, p: { id: string }) => db.selectFrom('steering').selectAll().where('id', '=', p.id));
const byTurn = query((db, p: { turnId: string }) =>
  db.selectFrom('steering').selectAll().where('turn_id', '=', p.turnId).orderBy('place'),
);
const insert = query((db, p: Omit<Steer, 'adopted_by' | 'state'>) =>
  db.insertInto('steering').values({
    id: p.id,
    turn_id: p.turn_id,
    text: p.text,
    by_whom: p.by_whom,
    at: p.at,
    place: p.place,
    state: sql.lit('pending'),
    adopted_by: null,
  }),
);
const move = query((db, p: { id: string; turnId: string; from: string; to: string }) =>
  db
    .updateTable('steering')
    .set({ state: p.to })
    .where('id', '=', p.id)
    .where('turn_id', '=', p.turnId)
    .where('state', '=', p.from),
);

export function* steerById(id: string): Tx<Steer | undefined> {
  return yield* first(byId, { id });
}

/** In order of arrival. */
export function* steersOf(turnId: string): Tx<Steer[]> {
  return yield* all(byTurn, { turnId });
}

export function* addSteer(row: Omit<Steer, 'adopted_by' | 'state'>): Tx<void> {
  yield* run(insert, row);
}

export function* takeSteering(turnId: string, ids: readonly string[]): Tx<void> {
  for (const id of ids) yield* run(move, { id, turnId, from: 'pending', to: 'taken' });
}

export function* settleSteer(steer: Pick<Steer, 'id' | 'turn_id'>, to: 'handed_on' | 'refused'): Tx<void> {
  yield* run(move, { id: steer.id, turnId: steer.turn_id, from: 'pending', to });
}

export function toSteerRow(row: Steer): SteerRow {
  const state = row.state as SteerRow['state'];
  return { id: row.id, turnId: row.turn_id, text: row.text, by: row.by_whom, state, at: row.at };
}
