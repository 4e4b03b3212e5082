/** Does the store know the head that the workflow knows (design "Order of truth")? Ahead is fine; behind or diverged is told. */
import type { Refusal } from '../api.ts';
import { all, first, type Tx } from '../database.ts';
import { query } from '../query.ts';
import type { Turn } from '../turns/row.ts';
import { headsOf } from './entries.ts';

export type Following = { n: number; kind: string; step: number | null; body: string };

const after = query((db, p: { turnId: string; after: number }) =>
  db
    .selectFrom('entries')
    .select(['n', 'kind', 'step', 'body'])
    .where('turn_id', '=', p.turnId)
    .where('n', '>', p.after)
    .orderBy('n'),
);
const stepRow = query((db, p: { turnId: string; step: number }) =>
  db.selectFrom('steps').selectAll().where('turn_id', '=', p.turnId).where('step', '=', p.step),
);

export function* recordedStep(
  turnId: string,
  step: number,
): Tx<{ head: string; reply: string; n: number } | undefined> {
  return yield* first(stepRow, { turnId, step });
}

/** How many of the turn's entries lead up to a head; undefined when the store does not have it. */
export function* placeOf(turn: Turn, head: string): Tx<number | undefined> {
  if (head === turn.head) return turn.entry_count;
  if (head === turn.base_head) return 0;
  return (yield* headsOf(turn.turn_id)).find((row) => row.head === head)?.n;
}

/** What the store has after a head. */
export function* following(turn: Turn, place: number): Tx<Following[]> {
  return place === turn.entry_count ? [] : yield* all(after, { turnId: turn.turn_id, after: place });
}

/** The head is unknown: has the store not come so far, or did it go another way? */
export function* unknownHead(turn: Turn, step: number): Tx<Refusal> {
  const { head } = turn;
  const cameSoFar = step === 1 ? turn.entry_count > 0 : (yield* recordedStep(turn.turn_id, step - 1)) !== undefined;
  return { kind: cameSoFar ? 'diverged' : 'behind', head };
}
