/** The rows of sessions: which turn began last, and the head that the next one stands on. */
import type { Selectable } from 'kysely';
import { first, run, type Tx } from './database.ts';
import { query } from './query.ts';
import type { Schema } from './schema.ts';

export type SessionRow = Selectable<Schema['sessions']>;

const insert = query((db, p: { sessionId: string; agent: string; at: number }) =>
  db
    .insertInto('sessions')
    .values({ session_id: p.sessionId, agent: p.agent, created_at: p.at, head: '', last_turn: null })
    .onConflict((conflict) => conflict.doNothing()),
);
const select = query((db, p: { sessionId: string }) =>
  db.selectFrom('sessions').selectAll().where('session_id', '=', p.sessionId),
);
const update = query((db, p: { sessionId: string; head: string; lastTurn: string }) =>
  db.updateTable('sessions').set({ head: p.head, last_turn: p.lastTurn }).where('session_id', '=', p.sessionId),
);

export function* ensureSession(sessionId: string, agent: string, at: number): Tx<void> {
  yield* run(insert, { sessionId, agent, at });
}

export function* loadSession(sessionId: string): Tx<SessionRow | undefined> {
  return yield* first(select, { sessionId });
}

export function* moveSession(sessionId: string, head: string, lastTurn: string): Tx<void> {
  yield* run(update, { sessionId, head, lastTurn });
}
