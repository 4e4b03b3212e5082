/** Events of a turn (C9.2): numbers come from the turn's row in the inserting transaction, so there are no gaps. */
import type { TurnEvent } from '../core/events.ts';
import type { Events, KeyedEvent } from './api.ts';
import type { Context } from './context.ts';
import { all, run, type Tx, wake } from './database.ts';
import { query } from './query.ts';
import { loadTurn, saveProgress, type Turn } from './turns/row.ts';

type NewEvent = { turnId: string; number: number; key: string; type: string; at: number; body: string };

const insert = query((db, p: NewEvent) =>
  db
    .insertInto('events')
    .values({ turn_id: p.turnId, number: p.number, key: p.key, type: p.type, at: p.at, body: p.body, seq: null })
    .onConflict((conflict) => conflict.columns(['turn_id', 'key']).doNothing()),
);

// Numbers have no gaps, so a limit is a range. Sorted by the reader: asked for an order, SQLite takes several times as long.
const select = query((db, p: { turnId: string; after: number; upTo: number }) =>
  db
    .selectFrom('events')
    .select(['number', 'at', 'body'])
    .where('turn_id', '=', p.turnId)
    .where('number', '>', p.after)
    .where('number', '<=', p.upTo),
);

const selectTypes = query((db, p: { turnId: string; one: string; other: string }) =>
  db
    .selectFrom('events')
    .select(['number', 'at', 'body'])
    .where('turn_id', '=', p.turnId)
    .where('type', 'in', [p.one, p.other])
    .orderBy('number'),
);

/** Within a transaction: counts up `turn.event_count`, which the caller writes back. A key that is there adds nothing. */
export function* appendEvents(turn: Turn, events: readonly KeyedEvent[], at: number): Tx<void> {
  const before = turn.event_count;
  for (const { key, body } of events) {
    const { type } = body;
    const row = { turnId: turn.turn_id, number: turn.event_count + 1, key, type, at, body: JSON.stringify(body) };
    turn.event_count += yield* run(insert, row);
  }
  if (turn.event_count > before) yield* wake(turn.turn_id);
}

function toEvent(turnId: string, row: { number: number; at: number; body: string }): TurnEvent {
  return { number: row.number, turnId, at: new Date(row.at).toISOString(), ...JSON.parse(row.body) } as TurnEvent;
}

/** The events that make up what a reader has seen of a turn's text. */
export function* textEvents(turnId: string): Tx<TurnEvent[]> {
  const rows = yield* all(selectTypes, { turnId, one: 'text_delta', other: 'stream_reset' });
  return rows.map((row) => toEvent(turnId, row));
}

/** Calls that readers have been told of. */
export function* announcedCalls(turnId: string): Tx<Set<string>> {
  const rows = yield* all(selectTypes, { turnId, one: 'tool_call', other: 'tool_call' });
  return new Set(rows.map((row) => (JSON.parse(row.body) as { callId: string }).callId));
}

export function createEvents({ db, now }: Context): Events {
  return {
    append: (turnId, events, fence) =>
      db.write(function* () {
        const turn = yield* loadTurn(turnId);
        if (!turn || turn.closed) return { kind: 'closed' };
        if (fence && turn.epoch !== fence.epoch) return { kind: 'fenced' };
        const before = turn.event_count;
        yield* appendEvents(turn, events, now());
        if (turn.event_count > before) yield* saveProgress(turn);
        return { kind: 'appended' };
      }),
    async after(turnId, number, limit) {
      const upTo = number + (limit ?? Number.MAX_SAFE_INTEGER / 2);
      const rows = await db.read(() => all(select, { turnId, after: number, upTo }));
      return rows.sort((a, b) => a.number - b.number).map((row) => toEvent(turnId, row));
    },
    subscribe: db.wakes.subscribe,
    subscribeAll: db.wakes.subscribeAll,
  };
}
