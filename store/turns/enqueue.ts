/** The first row of a turn, `queued`, with what makes a repeat of the same request find it again. */
import { canonicalJson, type Json } from '../../core/json.ts';
import { NO_USAGE } from '../../core/usage.ts';
import type { NewTurn } from '../api.ts';
import { refOf } from '../blobs.ts';
import { first, run, type Tx } from '../database.ts';
import { query } from '../query.ts';
import { ensureSession } from '../session-rows.ts';
import { insertTurn, loadTurn, type Turn } from './row.ts';

const byKey = query((db, p: { key: string }) =>
  db.selectFrom('turns').selectAll().where('idempotency_key', '=', p.key),
);
const insertText = query((db, p: { turnId: string; text: string }) =>
  db.insertInto('turn_texts').values({ turn_id: p.turnId, text: p.text, answer: null }),
);

type Found = { kind: 'created' | 'existing'; turnId: string } | { kind: 'conflict' };

export function* enqueueTx(input: NewTurn, at: number): Tx<Found> {
  const content = contentHash(input);
  const same = (row: Turn): Found =>
    row.content_hash === content ? { kind: 'existing', turnId: row.turn_id } : { kind: 'conflict' };
  const byId = yield* loadTurn(input.turnId);
  if (byId) return same(byId);
  const earlier = input.idempotencyKey === undefined ? undefined : yield* first(byKey, { key: input.idempotencyKey });
  if (earlier) return same(earlier);
  yield* run(insertTurn, rowOf(input, content, at));
  yield* run(insertText, { turnId: input.turnId, text: input.text });
  if (input.session !== undefined) yield* ensureSession(input.session, input.agent, at);
  return { kind: 'created', turnId: input.turnId };
}

/** What a request asks for; who asked and under which id is not part of it. */
function contentHash({ agent, text, session, parent, allowedTools, approvals }: NewTurn): string {
  const asked: Json = [agent, text, session ?? null, parent ?? null, allowedTools ?? null, approvals ?? null];
  return refOf(canonicalJson(asked));
}

function rowOf(input: NewTurn, content: string, at: number): Turn {
  return {
    turn_id: input.turnId,
    workflow_id: `turn-${input.turnId}`,
    agent: input.agent,
    session_id: input.session ?? null,
    parent: input.parent ?? null,
    allowed_tools: input.allowedTools === undefined ? null : JSON.stringify(input.allowedTools),
    approvals: input.approvals ?? null,
    surface: input.origin.surface,
    by_whom: input.origin.by,
    idempotency_key: input.idempotencyKey ?? null,
    content_hash: content,
    status: 'queued',
    iteration: 0,
    execution_hash: null,
    base_turn: null,
    base_head: '',
    head: '',
    entry_count: 0,
    event_count: 0,
    epoch: 0,
    closed: 0,
    usage: JSON.stringify(NO_USAGE),
    cancel: null,
    outcome: null,
    note: null,
    created_at: at,
    started_at: null,
    ended_at: null,
  };
}
