/** The inbox: rows of questions, and how they are read. */
import { type Selectable, sql } from 'kysely';
import type { NewQuestion, QuestionRow, QuestionState } from '../api.ts';
import { all, first, run, type Tx } from '../database.ts';
import { type Builder, query } from '../query.ts';
import type { QuestionTable } from '../schema.ts';
import type { Turn } from '../turns/row.ts';

export type Question = Selectable<QuestionTable>;

type New = Omit<Question, 'decision_id' | 'decision' | 'settled_by' | 'settled_at' | 'answer'>;
type Settled = Pick<Question, 'state' | 'decision_id' | 'decision' | 'settled_by' | 'settled_at' | 'answer'>;

const insert = query((db, p: New) =>
  db
    .insertInto('questions')
    .values({
      approval_id: p.approval_id,
      turn_id: p.turn_id,
      call_id: p.call_id,
      kind: p.kind,
      tool: p.tool,
      summary: p.summary,
      arguments: p.arguments,
      argument_hash: p.argument_hash,
      policy_hash: p.policy_hash,
      risk: p.risk,
      path: p.path,
      asked_at: p.asked_at,
      expires_at: p.expires_at,
      agent: p.agent,
      session_id: p.session_id,
      state: p.state,
    })
    .onConflict((conflict) => conflict.doNothing()),
);
const settle = query((db, p: Settled & { approval_id: string }) =>
  db
    .updateTable('questions')
    .set({
      state: p.state,
      decision_id: p.decision_id,
      decision: p.decision,
      settled_by: p.settled_by,
      settled_at: p.settled_at,
      answer: p.answer,
    })
    .where('approval_id', '=', p.approval_id)
    .where('state', '=', 'open'),
);
const openOfTurn = query((db, p: { turnId: string }) =>
  db
    .selectFrom('questions')
    .selectAll()
    .where('turn_id', '=', p.turnId)
    .where('state', '=', 'open')
    .orderBy('asked_at')
    .orderBy('approval_id'),
);
const byId = query((db, p: { approvalId: string }) => withSettling(db).where('approval_id', '=', p.approvalId));

/** `settling`: a decision was stored that nobody has settled yet. */
export function withSettling(db: Builder) {
  return db
    .selectFrom('questions')
    .selectAll('questions')
    .select((eb) =>
      eb
        .exists(
          eb
            .selectFrom('decisions')
            .select(sql.lit(1).as('one'))
            .whereRef('decisions.approval_id', '=', 'questions.approval_id')
            .where('decisions.settled_at', 'is', null),
        )
        .as('settling'),
    );
}

export function* loadQuestion(approvalId: string): Tx<(Question & { settling: unknown }) | undefined> {
  return yield* first(byId, { approvalId });
}

export function* openQuestionsOf(turnId: string): Tx<Question[]> {
  return yield* all(openOfTurn, { turnId });
}

/** False when the row exists, in whatever state: it stays. */
export function* insertQuestion(turn: Turn, question: NewQuestion): Tx<boolean> {
  const inserted = yield* run(insert, {
    approval_id: question.approvalId,
    turn_id: question.turnId,
    call_id: question.callId,
    kind: question.kind,
    tool: question.tool,
    summary: question.summary,
    arguments: question.arguments,
    argument_hash: question.argumentHash,
    policy_hash: question.policyHash,
    risk: JSON.stringify(question.risk),
    path: JSON.stringify(question.path),
    asked_at: question.askedAt,
    expires_at: question.expiresAt,
    agent: turn.agent,
    session_id: turn.session_id,
    state: 'open',
  });
  return inserted > 0;
}

/** Only an open one can be settled. */
export function* settleRow(approvalId: string, to: Settled): Tx<void> {
  yield* run(settle, { ...to, approval_id: approvalId });
}

export function toQuestionRow(row: Question & { settling: unknown }): QuestionRow {
  return {
    approvalId: row.approval_id,
    kind: row.kind as QuestionRow['kind'],
    turnId: row.turn_id,
    callId: row.call_id,
    tool: row.tool,
    summary: row.summary,
    arguments: row.arguments,
    argumentHash: row.argument_hash,
    policyHash: row.policy_hash,
    risk: JSON.parse(row.risk) as QuestionRow['risk'],
    path: JSON.parse(row.path) as string[],
    askedAt: row.asked_at,
    expiresAt: row.expires_at,
    agent: row.agent,
    session: row.session_id ?? undefined,
    state: row.state === 'open' && row.settling ? 'settling' : (row.state as QuestionState),
    decision: row.decision === null ? undefined : (JSON.parse(row.decision) as QuestionRow['decision']),
  };
}
