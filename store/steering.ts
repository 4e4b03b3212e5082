/** Steering messages (C8.3): a row first, so that none is lost; then taken, handed on or refused. */
import { sql } from 'kysely';
import type { Steering, SteerRow } from './api.ts';
import type { Context } from './context.ts';
import { all, run, type Tx } from './database.ts';
import { query } from './query.ts';
import { addSteer, type Steer, settleSteer, steerById, steersOf, toSteerRow } from './steering-rows.ts';
import { enqueueTx } from './turns/enqueue.ts';
import { loadTurn, loadTurnRow } from './turns/row.ts';

const MAX_PENDING = 32;

const unsent = query((db, p: { olderThan: number }) =>
  db
    .selectFrom('steering')
    .innerJoin('turns', 'turns.turn_id', 'steering.turn_id')
    .selectAll('steering')
    .where('steering.state', '=', sql.lit('pending'))
    .where('steering.at', '<', p.olderThan)
    .where('turns.closed', '=', 0)
    .orderBy('steering.at')
    .orderBy('steering.place'),
);
const adoptOne = query((db, p: { id: string; turnId: string }) =>
  db.updateTable('steering').set({ adopted_by: p.turnId }).where('id', '=', p.id),
);

type New = { id: string; turnId: string; text: string; by: string; at: number };

export function createSteering({ db, now }: Context): Steering {
  return {
    add: (row) => db.write(() => addTx(row)),
    addLate: (row) => db.write(() => addLateTx(row)),
    async get(id) {
      const row = await db.read(() => steerById(id));
      return row && toSteerRow(row);
    },
    async ofTurn(turnId, state) {
      const rows = (await db.read(() => steersOf(turnId))).map(toSteerRow);
      return state === undefined ? rows : rows.filter((row) => row.state === state);
    },
    async unsent(olderThan) {
      return (await db.read(() => all(unsent, { olderThan }))).map(toSteerRow);
    },
    adopt: (input) => db.write(() => adoptTx(input, now())),
  };
}

function* addTx({ id, turnId, text, by, at }: New): Tx<SteerRow | 'full' | 'ended' | 'missing'> {
  const known = yield* steerById(id);
  if (known) return toSteerRow(known);
  const turn = yield* loadTurn(turnId);
  if (!turn) return 'missing';
  // After an accepted cancel a session still takes it: the end of the turn hands it on.
  if (turn.closed || (turn.cancel !== null && turn.session_id === null)) return 'ended';
  const there = yield* steersOf(turnId);
  if (there.filter((row) => row.state === 'pending').length >= MAX_PENDING) return 'full';
  yield* addSteer({ id, turn_id: turnId, text, by_whom: by, at, place: there.length + 1 });
  return { id, turnId, text, by, state: 'pending', at };
}

/** The turn's own events are closed by then: the row alone tells. */
function* addLateTx({ id, turnId, text, by, at }: New): Tx<SteerRow | 'missing'> {
  const known = yield* steerById(id);
  if (known) return toSteerRow(known);
  const turn = yield* loadTurn(turnId);
  if (!turn) return 'missing';
  const place = (yield* steersOf(turnId)).length + 1;
  yield* addSteer({ id, turn_id: turnId, text, by_whom: by, at, place });
  yield* settleSteer({ id, turn_id: turnId }, turn.session_id === null ? 'refused' : 'handed_on');
  const row = yield* steerById(id);
  return row ? toSteerRow(row) : 'missing';
}

type Adopt = { session: string; ids: string[]; turnId: string };

/** The new turn asks as the turn did that the first message was meant for. */
function* adoptTx({ session, ids, turnId }: Adopt, at: number) {
  const rows: Steer[] = [];
  for (const id of ids) {
    const row = yield* steerById(id);
    const turn = row?.state === 'handed_on' ? yield* loadTurn(row.turn_id) : undefined;
    if (row && turn?.session_id === session) rows.push(row);
  }
  const [newest] = rows.filter((row) => row.adopted_by !== null);
  const fresh = rows.filter((row) => row.adopted_by === null);
  const [head] = fresh;
  if (!head) return newest?.adopted_by == null ? undefined : yield* loadTurnRow(newest.adopted_by);
  const meant = yield* loadTurnRow(head.turn_id);
  if (!meant) return undefined;
  const { agent, allowedTools, approvals, origin } = meant;
  yield* enqueueTx(
    {
      turnId,
      agent,
      session,
      text: fresh.map((row) => row.text).join('\n\n'),
      origin: { surface: origin.surface, by: head.by_whom },
      ...(allowedTools === undefined ? {} : { allowedTools }),
      ...(approvals === undefined ? {} : { approvals }),
    },
    at,
  );
  for (const row of fresh) yield* run(adoptOne, { id: row.id, turnId });
  return yield* loadTurnRow(turnId);
}
