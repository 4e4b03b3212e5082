/** Signed decisions, kept before they are sent. The whole row is sealed: also texts that the signature holds by hash only. */
import { type Selectable, sql } from 'kysely';
import { canonicalJson } from '../../core/json.ts';
import type { DecisionBody } from '../../core/question.ts';
import type { SignedDecision } from '../api.ts';
import { all, first, run, type Tx } from '../database.ts';
import { SealBroken } from '../errors.ts';
import { query } from '../query.ts';
import type { DecisionTable } from '../schema.ts';
import { decisionText, type Sealer } from '../seals.ts';

type Row = Selectable<DecisionTable>;
export type Fate = 'accepted' | 'late' | 'discarded';

const SEAL = 'decision-row';

const insert = query((db, p: Omit<Row, 'settled_at' | 'fate'>) =>
  db.insertInto('decisions').values({
    decision_id: p.decision_id,
    approval_id: p.approval_id,
    turn_id: p.turn_id,
    body: p.body,
    key_id: p.key_id,
    signature: p.signature,
    text: p.text,
    note: p.note,
    new_arguments: p.new_arguments,
    row_key_id: p.row_key_id,
    row_signature: p.row_signature,
    stored_at: p.stored_at,
  }),
);
const byId = query((db, p: { decisionId: string }) =>
  db.selectFrom('decisions').selectAll().where('decision_id', '=', p.decisionId),
);
const mark = query((db, p: { decisionId: string; fate: string; at: number }) =>
  db
    .updateTable('decisions')
    .set({ settled_at: p.at, fate: p.fate })
    .where('decision_id', '=', p.decisionId)
    .where('settled_at', 'is', null),
);
const markTurn = query((db, p: { turnId: string; at: number }) =>
  db
    .updateTable('decisions')
    .set({ settled_at: p.at, fate: sql.lit('late') })
    .where('turn_id', '=', p.turnId)
    .where('settled_at', 'is', null),
);
const waiting = query((db, p: { olderThan: number }) =>
  db
    .selectFrom('decisions')
    .innerJoin('turns', 'turns.turn_id', 'decisions.turn_id')
    .selectAll('decisions')
    .where('decisions.settled_at', 'is', null)
    .where('decisions.stored_at', '<', p.olderThan)
    .where('turns.closed', '=', 0)
    .orderBy('decisions.stored_at'),
);

function sealedText(row: Pick<Row, 'body' | 'key_id' | 'signature' | 'text' | 'note' | 'new_arguments'>): string {
  return canonicalJson([row.body, row.key_id, row.signature, row.text, row.note, row.new_arguments]);
}

/** Same person, same choice, same words; when it was said does not matter for a repeat. */
function contentOf({ body, text, note, newArguments }: SignedDecision): string {
  const said = decisionText({ ...body, at: '' });
  return canonicalJson([said, text ?? null, note ?? null, newArguments ?? null]);
}

/** Throws `SealBroken` for one that the deployment did not sign. */
export function* putDecisionTx(
  sealer: Sealer,
  decision: SignedDecision,
  at: number,
): Tx<'stored' | 'existing' | 'conflict'> {
  const { body } = decision;
  if (!sealer.verifyDecision(decision)) throw new SealBroken(`decision ${body.decisionId}`);
  const known = yield* loadDecision(sealer, body.decisionId);
  if (known) return contentOf(known) === contentOf(decision) ? 'existing' : 'conflict';
  const row = {
    body: decisionText(body),
    key_id: decision.keyId,
    signature: decision.signature,
    text: decision.text ?? null,
    note: decision.note ?? null,
    new_arguments: decision.newArguments ?? null,
  };
  const seal = sealer.sign(SEAL, sealedText(row));
  yield* run(insert, {
    ...row,
    decision_id: body.decisionId,
    approval_id: body.approvalId,
    turn_id: body.turnId,
    row_key_id: seal.keyId,
    row_signature: seal.signature,
    stored_at: at,
  });
  return 'stored';
}

/** Throws `SealBroken` when the row is not as it was written. */
export function* loadDecision(sealer: Sealer, decisionId: string): Tx<SignedDecision | undefined> {
  const row = yield* first(byId, { decisionId });
  if (!row) return undefined;
  const decision = toDecision(row);
  if (!isWhole(sealer, row, decision)) throw new SealBroken(`decision ${decisionId}`);
  return decision;
}

export function* fateOf(decisionId: string): Tx<Fate | undefined> {
  return ((yield* first(byId, { decisionId }))?.fate ?? undefined) as Fate | undefined;
}

export function* markDecision(decisionId: string, fate: Fate, at: number): Tx<boolean> {
  return (yield* run(mark, { decisionId, fate, at })) > 0;
}

export function* markDecisionsOfTurn(turnId: string, at: number): Tx<void> {
  yield* run(markTurn, { turnId, at });
}

/** Of open turns; rows that were tampered with are left out, nobody would believe them. */
export function* unsettledDecisions(sealer: Sealer, olderThan: number): Tx<DecisionBody[]> {
  const rows = yield* all(waiting, { olderThan });
  return rows.filter((row) => isWhole(sealer, row, toDecision(row))).map((row) => toDecision(row).body);
}

function isWhole(sealer: Sealer, row: Row, decision: SignedDecision): boolean {
  const seal = { keyId: row.row_key_id, signature: row.row_signature };
  const placed = decision.body.decisionId === row.decision_id && decision.body.approvalId === row.approval_id;
  return placed && sealer.verify(SEAL, sealedText(row), seal) && sealer.verifyDecision(decision);
}

function toDecision(row: Row): SignedDecision {
  return {
    body: JSON.parse(row.body) as DecisionBody,
    keyId: row.key_id,
    signature: row.signature,
    ...(row.text === null ? {} : { text: row.text }),
    ...(row.note === null ? {} : { note: row.note }),
    ...(row.new_arguments === null ? {} : { newArguments: row.new_arguments }),
  };
}
