/** Sessions as others read them; they are made with their first turn and moved on by its end. */
import type { Sessions } from './api.ts';
import type { Context } from './context.ts';
import { all } from './database.ts';
import { query } from './query.ts';
import { loadSession, type SessionRow } from './session-rows.ts';

const listAll = query((db, _: Record<never, never>) =>
  db.selectFrom('sessions').selectAll().orderBy('created_at', 'desc'),
);

function toSession(row: SessionRow) {
  return { sessionId: row.session_id, agent: row.agent, head: row.head, createdAt: row.created_at };
}

export function createSessions({ db }: Context): Sessions {
  return {
    async get(sessionId) {
      const row = await db.read(() => loadSession(sessionId));
      return row && toSession(row);
    },
    async list() {
      return (await db.read(() => all(listAll, {}))).map(toSession);
    },
  };
}
