/** The inbox by page, oldest first. */
import type { QuestionRow, Questions } from '../api.ts';
import { all, type Tx } from '../database.ts';
import { type Builder, query } from '../query.ts';
import { cursorOf, readCursor } from '../turns/list.ts';
import { toQuestionRow, withSettling } from './rows.ts';

const PAGE = 100;

type Filter = Parameters<Questions['list']>[0];

export function* listQuestions(filter: Filter): Tx<{ items: QuestionRow[]; next?: string }> {
  const limit = Math.min(Math.max(filter.limit ?? PAGE, 1), PAGE);
  const rows = yield* all(
    query((db, _: Record<never, never>) => filtered(db, filter).limit(limit + 1)),
    {},
  );
  const items = rows.slice(0, limit).map(toQuestionRow);
  const last = items.at(-1);
  return rows.length > limit && last ? { items, next: cursorOf(last.askedAt, last.approvalId) } : { items };
}

function filtered(db: Builder, { state, turnId, cursor }: Filter) {
  let select = withSettling(db).orderBy('asked_at').orderBy('approval_id');
  if (state === 'open') select = select.where('state', '=', 'open');
  if (state === 'decided') select = select.where('state', 'in', ['decided', 'expired', 'withdrawn']);
  if (turnId !== undefined) select = select.where('turn_id', '=', turnId);
  if (cursor !== undefined) {
    const [at, id] = readCursor(cursor);
    select = select.where((eb) =>
      eb.or([eb('asked_at', '>', at), eb.and([eb('asked_at', '=', at), eb('approval_id', '>', id)])]),
    );
  }
  return select;
}
