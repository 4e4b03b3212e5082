// Whoever reaches the workflow, the task queue or the rows of the database, and not the deployment key, decides nothing.
import { randomUUID } from 'node:crypto';
import Sqlite from 'better-sqlite3';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ToolInput } from '../../core/ports.ts';
import type { QuestionRow } from '../../store/api.ts';
import { createSealer } from '../../store/seals.ts';
import { until } from '../support/until.ts';
import { type ByHand, startByHand } from './support/by-hand.ts';
import { decisionOn } from './support/decision.ts';
import { type Engine, expectSound, startEngine } from './support/engine.ts';
import { call, scriptOf } from './support/script.ts';

const names = [
  'unknown-id',
  'foreign-key',
  'tampered',
  'swapped',
  'by-hand',
  'foreign',
  'unsent',
  'plain',
  'rewritten',
];
const scenarios = Object.fromEntries(
  names.map((name) => [name, [{ calls: [call('act', { name })] }, { say: '{{last_result}}' }]]),
);

let engine: Engine;
let hand: ByHand;
beforeAll(async () => {
  engine = await startEngine({ script: scriptOf(scenarios) });
  hand = await startByHand(engine);
});
afterAll(async () => {
  await hand.close();
  await engine.close();
});

async function ask(text: string): Promise<{ turnId: string; question: QuestionRow }> {
  const turnId = await engine.start(text);
  return { turnId, question: await engine.question(turnId) };
}

/** Nothing has run and the question is as open as before; the real operator's word then still counts, once. */
async function stillOpen(turnId: string, question: QuestionRow, name: string): Promise<void> {
  expect(await engine.runs(name)).toBe(0);
  expect(await engine.handle(turnId).query('turnState')).toMatchObject({ questions: [question.approvalId] });
  expect(await engine.decide(question, 'approve')).toBe('accepted');
  expect(await engine.ended(turnId)).toMatchObject({ status: 'completed', answer: `ran ${name}` });
  await expectSound(engine, turnId);
  expect(await engine.runs(name)).toBe(1);
}

const signal = (turnId: string, approvalId: string, decisionId: string) =>
  engine.handle(turnId).signal('decide', { approvalId, decisionId });

/** Until settling has thrown this decision away, with a line in the audit. */
const discarded = (decisionId: string) =>
  until(
    async () => (await engine.store.audit.list(0, 1_000)).filter(({ body }) => body.decisionId === decisionId),
    (lines) => lines.some(({ kind }) => kind === 'decision_discarded'),
    `decision ${decisionId} to be discarded`,
  );

/** Straight into the tables, as somebody with the database file would. */
function rows(statement: string, ...values: unknown[]): void {
  const db = new Sqlite(engine.config.store.path, { timeout: 5_000 });
  const { changes } = db.prepare(statement).run(...values);
  db.close();
  expect(changes).toBe(1);
}

it('C5.5 a signal with an id that is not in the store is discarded and audited', async () => {
  const { turnId, question } = await ask('unknown-id');
  const decisionId = randomUUID();
  await signal(turnId, question.approvalId, decisionId);
  await discarded(decisionId);
  await stillOpen(turnId, question, 'unknown-id');
});

it('C5.5 a decision signed with another key is not stored, nor believed when it is put there', async () => {
  const { turnId, question } = await ask('foreign-key');
  const decisionId = randomUUID();
  const key = Buffer.alloc(32, 7);
  const foreign = createSealer({ current: { id: engine.keys.current.id, key }, retired: [] });
  const signed = foreign.signDecision(decisionOn(question, { decisionId, choice: 'approve' }));
  await expect(engine.store.questions.putDecision(signed)).rejects.toThrow();
  const columns = 'decision_id, approval_id, turn_id, body, key_id, signature, row_key_id, row_signature, stored_at';
  const { body, keyId, signature } = signed;
  rows(
    `insert into decisions (${columns}) values (?, ?, ?, ?, ?, ?, ?, ?, 0)`,
    ...[decisionId, question.approvalId, turnId, JSON.stringify(body), keyId, signature, keyId, signature],
  );
  await signal(turnId, question.approvalId, decisionId);
  await discarded(decisionId);
  await stillOpen(turnId, question, 'foreign-key');
});

it('C5.5 a stored "deny" that was turned into an "approve" is discarded', async () => {
  const { turnId, question } = await ask('tampered');
  const decisionId = randomUUID();
  const body = decisionOn(question, { decisionId, choice: 'deny' });
  await engine.store.questions.putDecision(engine.gateway.sign(body, {}));
  rows(`update decisions set body = replace(body, '"deny"', '"approve"') where decision_id = ?`, decisionId);
  await signal(turnId, question.approvalId, decisionId);
  await discarded(decisionId);
  await stillOpen(turnId, question, 'tampered');
});

it('C5.5 a call that was changed in the store after it was judged does not run', async () => {
  const { turnId, question } = await ask('rewritten');
  rows(`update calls set body = replace(body, '"low"', '"high"'), tool = 'act_held' where turn_id = ?`, turnId);
  const decisionId = randomUUID();
  const body = decisionOn(question, { decisionId, choice: 'approve' });
  await engine.store.questions.putDecision(engine.gateway.sign(body, {}));
  await signal(turnId, question.approvalId, decisionId);
  // Nothing is believed of such a call; the turn stands until the row is as it was sealed.
  await until(
    async () => (await engine.handle(turnId).describe()).raw.pendingActivities ?? [],
    ([pending]) => pending?.lastFailure?.message?.includes('seal') === true,
    'settling to refuse the call',
  );
  rows(`update calls set body = replace(body, '"high"', '"low"'), tool = 'act' where turn_id = ?`, turnId);
  await engine.ended(turnId);
  expect(await engine.runs('rewritten')).toBe(1);
});

it('C5.5 runTool scheduled by hand does not run a gated tool, and spoils nothing', async () => {
  const { turnId, question } = await ask('by-hand');
  await hand.runTool(await inputOf(turnId));
  await hand.runTool({ ...(await inputOf(turnId)), decisionId: randomUUID() });
  await stillOpen(turnId, question, 'by-hand');
});

it('C5.5 runTool by hand with the accepted decision of another call does not run', async () => {
  const other = await ask('foreign');
  const decisionId = randomUUID();
  await engine.decide(other.question, 'approve', { decisionId });
  await engine.ended(other.turnId);
  const { turnId, question } = await ask('plain');
  await hand.runTool({ ...(await inputOf(turnId)), decisionId });
  await stillOpen(turnId, question, 'plain');
  // Nor does it run that other call once more.
  await hand.runTool({ ...(await inputOf(other.turnId)), decisionId });
  await hand.runTool({ ...(await inputOf(other.turnId)), attempt: 2, decisionId });
  expect(await engine.runs('foreign')).toBe(1);
});

it('C5.5 runTool by hand with a true decision that settling never accepted does not run', async () => {
  const { turnId, question } = await ask('unsent');
  const decisionId = randomUUID();
  const body = decisionOn(question, { decisionId, choice: 'approve' });
  await engine.store.questions.putDecision(engine.gateway.sign(body, {}));
  await hand.runTool({ ...(await inputOf(turnId)), decisionId });
  await stillOpen(turnId, question, 'unsent');
});

async function inputOf(turnId: string): Promise<ToolInput> {
  const { executionHash = '' } = await engine.turn(turnId);
  return { turnId, step: 1, slot: 0, attempt: 1, executionHash };
}
