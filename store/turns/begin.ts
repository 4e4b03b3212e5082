/** The first write of a running turn: it takes its place in the session and gets its first message and event. */
import type { Turns } from '../api.ts';
import type { Context } from '../context.ts';
import { controlTx } from '../control-rows.ts';
import { first, type Tx } from '../database.ts';
import { appendEvents } from '../events.ts';
import { query } from '../query.ts';
import { ensureSession, loadSession, moveSession } from '../session-rows.ts';
import { appendEntries, headsOf } from '../transcript/entries.ts';
import type { Link } from '../transcript/link.ts';
import { closeTail } from '../transcript/tail.ts';
import { enqueueTx } from './enqueue.ts';
import { cancelOf, loadTurn, outcomeOfRow, saveProgress, saveTurn, type Turn } from './row.ts';
import { standingOf } from './standing.ts';

type Input = Parameters<Turns['begin']>[0];
type Answer = Awaited<ReturnType<Turns['begin']>>;
/** What was appended, by turn, for the transcripts in memory. */
export type Appended = { turnId: string; links: Link[] }[];

const textOf = query((db, p: { turnId: string }) =>
  db.selectFrom('turn_texts').select('text').where('turn_id', '=', p.turnId),
);

export function* beginTx(context: Context, input: Input): Tx<{ answer: Answer; appended: Appended }> {
  const { turnId, start, at } = input;
  if (start && !(yield* loadTurn(turnId))) {
    yield* enqueueTx({ ...start, turnId }, at);
  }
  const turn = yield* loadTurn(turnId);
  if (!turn) return { answer: { kind: 'missing' }, appended: [] };
  if (turn.closed) return { answer: { kind: 'closed', outcome: outcomeOfRow(turn) }, appended: [] };
  const appended = turn.started_at === null ? yield* startTurn(context, turn, input) : [];
  const [message] = yield* headsOf(turnId);
  const cancel = cancelOf(turn);
  const control = yield* controlTx();
  const answer: Answer = { kind: 'begun', head: message?.head ?? '', control, ...(cancel ? { cancel } : {}) };
  return { answer, appended };
}

function* startTurn(context: Context, turn: Turn, { executionHash, at }: Input): Tx<Appended> {
  const { agent, session_id: session } = turn;
  const appended = session === null ? [] : yield* joinSession(context, turn, session, at);
  const text = (yield* first(textOf, { turnId: turn.turn_id }))?.text ?? '';
  turn.status = yield* standingOf(turn);
  turn.started_at = at;
  turn.execution_hash = executionHash;
  const links = yield* appendEntries(turn, [{ kind: 'user', text, via: 'start' }], at);
  const shown = { agent, ...(session === null ? {} : { session }), text: context.render(text) };
  yield* appendEvents(turn, [{ key: 'turn_started', body: { type: 'turn_started', ...shown } }], at);
  yield* saveTurn(turn);
  return [...appended, { turnId: turn.turn_id, links }];
}

/**
 * Stands on the turn of the session that began last, whole as it is: turns of a session run one at a time, so whatever
 * of it still lacks results will never get them.
 */
function* joinSession(context: Context, turn: Turn, session: string, at: number): Tx<Appended> {
  yield* ensureSession(session, turn.agent, at);
  const row = yield* loadSession(session);
  const last = row?.last_turn == null ? undefined : yield* loadTurn(row.last_turn);
  const links = last ? yield* closeTail(context, last, at) : [];
  if (last && links.length > 0) yield* saveProgress(last);
  turn.base_turn = last?.turn_id ?? null;
  turn.base_head = last?.head ?? '';
  turn.head = turn.base_head;
  yield* moveSession(session, turn.base_head, turn.turn_id);
  return last ? [{ turnId: last.turn_id, links }] : [];
}
