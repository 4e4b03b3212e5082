/** Turns in lists: open ones oldest first, all of them newest first by page. */
import { sql } from 'kysely';
import { OPEN_STATUSES } from '../../core/outcome.ts';
import type { TurnFilter, TurnRow } from '../api.ts';
import { all, type Tx } from '../database.ts';
import { StoreError } from '../errors.ts';
import { type Builder, query } from '../query.ts';
import { toTurnRow } from './row.ts';

const PAGE = 100;
const MAX_PAGE = 500;

const withTexts = (db: Builder) =>
  db
    .selectFrom('turns')
    .innerJoin('turn_texts', 'turn_texts.turn_id', 'turns.turn_id')
    .selectAll('turns')
    .select(['turn_texts.text', 'turn_texts.answer']);

// The literal lets the index of open turns be used.
const open = query((db, _: Record<never, never>) =>
  withTexts(db).where('closed', '=', sql.lit(0)).orderBy('turns.created_at').orderBy('turns.turn_id'),
);
const openIds = query((db, _: Record<never, never>) =>
  db.selectFrom('turns').select('turn_id').where('closed', '=', sql.lit(0)).orderBy('created_at').orderBy('turn_id'),
);

export function* openTurns(): Tx<TurnRow[]> {
  return (yield* all(open, {})).map(toTurnRow);
}

export function* openTurnIds(): Tx<string[]> {
  return (yield* all(openIds, {})).map((row) => row.turn_id);
}

export function* listTurns(filter: TurnFilter): Tx<{ items: TurnRow[]; next?: string }> {
  const limit = Math.min(Math.max(filter.limit ?? PAGE, 1), MAX_PAGE);
  const rows = yield* all(
    query((db, _: Record<never, never>) => filtered(db, filter).limit(limit + 1)),
    {},
  );
  const items = rows.slice(0, limit).map(toTurnRow);
  const last = items.at(-1);
  return rows.length > limit && last ? { items, next: cursorOf(last.createdAt, last.turnId) } : { items };
}

function filtered(db: Builder, { status, agent, session, q, cursor }: TurnFilter) {
  let select = withTexts(db).orderBy('turns.created_at', 'desc').orderBy('turns.turn_id', 'desc');
  if (status) {
    select = select.where('turns.status', 'in', status);
    if (status.every((one) => OPEN_STATUSES.includes(one))) select = select.where('turns.closed', '=', sql.lit(0));
  }
  if (agent !== undefined) select = select.where('turns.agent', '=', agent);
  if (session !== undefined) select = select.where('turns.session_id', '=', session);
  if (q) {
    const pattern = `%${q.replace(/[\\%_]/g, '\\$&')}%`;
    const like = (column: string) => sql<boolean>`${sql.ref(column)} like ${pattern} escape '\\'`;
    select = select.where((eb) => eb.or([like('turn_texts.text'), like('turn_texts.answer')]));
  }
  if (cursor !== undefined) {
    const [at, id] = readCursor(cursor);
    select = select.where((eb) =>
      eb.or([eb('turns.created_at', '<', at), eb.and([eb('turns.created_at', '=', at), eb('turns.turn_id', '<', id)])]),
    );
  }
  return select;
}

/** The place after a row in a list that is ordered by time and id. */
export function cursorOf(at: number, id: string): string {
  return Buffer.from(`${at}.${id}`).toString('base64url');
}

export function readCursor(cursor: string): [at: number, id: string] {
  const [, at, id] = /^(\d+)\.(.+)$/s.exec(Buffer.from(cursor, 'base64url').toString()) ?? [];
  if (at !== undefined && id !== undefined) return [Number(at), id];
  throw new StoreError(
    'BadCursor',
    'The cursor of this page is not valid. Take `next` of the page before, or leave it out.',
  );
}
