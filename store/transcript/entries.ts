/** The entries of one turn: keyed by (turn, n), each head a hash over the head before it and the entry's own body. */
import type { Entry } from '../../core/transcript.ts';
import { putBlob, refOf } from '../blobs.ts';
import { all, first, run, type Tx } from '../database.ts';
import { query } from '../query.ts';
import type { Turn } from '../turns/row.ts';
import { fold, unfold } from './folded.ts';
import type { Link } from './link.ts';

type NewEntry = {
  turnId: string;
  n: number;
  kind: string;
  step: number | null;
  parentHead: string;
  head: string;
  body: string;
};

const insert = query((db, p: NewEntry) =>
  db.insertInto('entries').values({
    turn_id: p.turnId,
    n: p.n,
    kind: p.kind,
    step: p.step,
    parent_head: p.parentHead,
    head: p.head,
    body: p.body,
  }),
);
const headRows = query((db, p: { turnId: string }) =>
  db.selectFrom('entries').select(['n', 'kind', 'step', 'head']).where('turn_id', '=', p.turnId).orderBy('n'),
);
const range = query((db, p: { turnId: string; after: number }) =>
  db.selectFrom('entries').selectAll().where('turn_id', '=', p.turnId).where('n', '>', p.after),
);
const one = query((db, p: { turnId: string; n: number }) =>
  db.selectFrom('entries').selectAll().where('turn_id', '=', p.turnId).where('n', '=', p.n),
);

/** Within a transaction: moves `turn.head` on; the caller writes the turn back. */
export function* appendEntries(turn: Turn, entries: readonly Entry[], at: number): Tx<Link[]> {
  const links: Link[] = [];
  for (const entry of entries) {
    const { body, texts } = fold(entry);
    for (const [ref, text] of texts) yield* putBlob(text, at, ref);
    const link = { n: turn.entry_count + 1, parentHead: turn.head, head: headAfter(turn.head, body), entry };
    const step = entry.kind === 'user' ? null : entry.step;
    const { n, parentHead, head } = link;
    yield* run(insert, { turnId: turn.turn_id, n, kind: entry.kind, step, parentHead, head, body });
    turn.head = head;
    turn.entry_count = n;
    links.push(link);
  }
  return links;
}

export function headAfter(parentHead: string, body: string): string {
  return refOf(parentHead + body);
}

/** Of every entry what identifies it, without its content. */
export function* headsOf(turnId: string): Tx<{ n: number; kind: string; step: number | null; head: string }[]> {
  return yield* all(headRows, { turnId });
}

export function* linksAfter(turnId: string, after: number): Tx<Link[]> {
  const links: Link[] = [];
  const rows = yield* all(range, { turnId, after });
  for (const row of rows.sort((a, b) => a.n - b.n)) {
    links.push({ n: row.n, parentHead: row.parent_head, head: row.head, entry: yield* unfold(row.body) });
  }
  return links;
}

export function* lastEntry(turn: Turn): Tx<Entry | undefined> {
  const row = yield* first(one, { turnId: turn.turn_id, n: turn.entry_count });
  return row && (yield* unfold(row.body));
}
