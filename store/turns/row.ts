/** The row of a turn: read once at the start of a transaction, changed in memory, written back once at its end. */
import type { Selectable } from 'kysely';
import type { Outcome, StopReason, TurnStatus } from '../../core/outcome.ts';
import type { Usage } from '../../core/usage.ts';
import type { Flag, TurnRow } from '../api.ts';
import { first, run, type Tx } from '../database.ts';
import { query } from '../query.ts';
import type { TurnTable } from '../schema.ts';

export type Turn = Selectable<TurnTable>;

const select = query((db, p: { turnId: string }) => db.selectFrom('turns').selectAll().where('turn_id', '=', p.turnId));

const selectWithTexts = query((db, p: { turnId: string }) =>
  db
    .selectFrom('turns')
    .innerJoin('turn_texts', 'turn_texts.turn_id', 'turns.turn_id')
    .selectAll('turns')
    .select(['turn_texts.text', 'turn_texts.answer'])
    .where('turns.turn_id', '=', p.turnId),
);

// No column of an index is in here: this is the write of every step.
const updateProgress = query((db, p: Turn) =>
  db
    .updateTable('turns')
    .set({
      status: p.status,
      iteration: p.iteration,
      head: p.head,
      entry_count: p.entry_count,
      event_count: p.event_count,
      epoch: p.epoch,
      usage: p.usage,
    })
    .where('turn_id', '=', p.turn_id),
);

const updateState = query((db, p: Turn) =>
  db
    .updateTable('turns')
    .set({
      execution_hash: p.execution_hash,
      base_turn: p.base_turn,
      base_head: p.base_head,
      closed: p.closed,
      cancel: p.cancel,
      outcome: p.outcome,
      note: p.note,
      started_at: p.started_at,
      ended_at: p.ended_at,
    })
    .where('turn_id', '=', p.turn_id),
);

export const insertTurn = query((db, p: Turn) => db.insertInto('turns').values(columnsOf(p)));

/** Kysely wants the columns by name; the parameter is only a set of marks. */
function columnsOf(p: Turn): Turn {
  const { turn_id, workflow_id, agent, session_id, parent, allowed_tools, approvals, surface, by_whom } = p;
  const { idempotency_key, content_hash, status, iteration, execution_hash, base_turn, base_head, head } = p;
  const { entry_count, event_count, epoch, closed, usage, cancel, outcome, note } = p;
  const { created_at, started_at, ended_at } = p;
  return {
    ...{ turn_id, workflow_id, agent, session_id, parent, allowed_tools, approvals, surface, by_whom },
    ...{ idempotency_key, content_hash, status, iteration, execution_hash, base_turn, base_head, head },
    ...{ entry_count, event_count, epoch, closed, usage, cancel, outcome, note },
    ...{ created_at, started_at, ended_at },
  };
}

export function* loadTurn(turnId: string): Tx<Turn | undefined> {
  return yield* first(select, { turnId });
}

/** Writes heads, counters, usage and status. */
export function* saveProgress(turn: Turn): Tx<void> {
  yield* run(updateProgress, turn);
}

/** Writes everything that may change. */
export function* saveTurn(turn: Turn): Tx<void> {
  yield* run(updateProgress, turn);
  yield* run(updateState, turn);
}

export function cancelOf(turn: Turn): Flag | undefined {
  return turn.cancel === null ? undefined : (JSON.parse(turn.cancel) as Flag);
}

export function outcomeOfRow(turn: Turn): Outcome {
  return JSON.parse(turn.outcome ?? 'null') as Outcome;
}

export function* loadTurnRow(turnId: string): Tx<TurnRow | undefined> {
  const row = yield* first(selectWithTexts, { turnId });
  return row && toTurnRow(row);
}

export function toTurnRow(row: Turn & { text: string; answer: string | null }): TurnRow {
  const outcome = row.outcome === null ? undefined : outcomeOfRow(row);
  return {
    turnId: row.turn_id,
    workflowId: row.workflow_id,
    agent: row.agent,
    session: row.session_id ?? undefined,
    parent: row.parent ?? undefined,
    text: row.text,
    allowedTools: row.allowed_tools === null ? undefined : (JSON.parse(row.allowed_tools) as string[]),
    approvals: (row.approvals ?? undefined) as TurnRow['approvals'],
    origin: { surface: row.surface, by: row.by_whom },
    status: row.status as TurnStatus,
    iteration: row.iteration,
    executionHash: row.execution_hash ?? undefined,
    head: row.head,
    answer: row.answer ?? undefined,
    stopReason: outcome?.stopReason as StopReason | undefined,
    error: outcome?.error,
    note: row.note ?? undefined,
    usage: JSON.parse(row.usage) as Usage,
    cancel: cancelOf(row),
    createdAt: row.created_at,
    startedAt: row.started_at ?? undefined,
    endedAt: row.ended_at ?? undefined,
  };
}
