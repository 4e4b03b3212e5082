// Questions and the clock: nobody answers, somebody answers too late or just then, nobody is there at all.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { QuestionRow } from '../../store/api.ts';
import { until } from '../support/until.ts';
import { decisionOn } from './support/decision.ts';
import { type Engine, expectSound, startEngine } from './support/engine.ts';
import { call, type Said, scriptOf } from './support/script.ts';

const asked = (name: string): Said[] => [{ calls: [call('act', { name })] }, { say: '{{last_result}}' }];
const names = ['nobody', 'at-expiry', 'discarded', 'parked', 'denied', 'attended', 'silent'];

let engine: Engine;
beforeAll(async () => {
  engine = await startEngine({
    script: scriptOf({
      ...Object.fromEntries(names.map((name) => [name, asked(name)])),
      question: [{ calls: [call('ask_user', { question: 'Still there?' })] }, { say: '{{last_result}}' }],
    }),
    config: 'approvals: { timeout: 1500ms, unattended: park, unattended_timeout: 1h }\n',
  });
});
afterAll(() => engine.close());

async function ended(turnId: string) {
  const row = await engine.ended(turnId);
  await expectSound(engine, turnId);
  return row;
}

/** The moment has come at which the question runs out. */
const runOut = ({ expiresAt }: QuestionRow) =>
  until(Date.now, (now) => now > expiresAt + 50, 'the question to run out');

it('C5.4 B16 an expired call says that nobody answered, not that somebody refused; a late answer is told so', async () => {
  const turnId = await engine.start('nobody');
  const question = await engine.question(turnId);
  const { status, answer } = await ended(turnId);
  expect(status).toBe('completed');
  expect(answer).toContain('nobody answered in time');
  expect(answer).toContain('not a refusal');
  expect(answer).toContain('Do not repeat the call in this turn');
  expect(answer).not.toContain('denied');
  expect(await engine.slots(turnId)).toMatchObject([{ status: 'expired', result: { success: false } }]);
  expect(await engine.store.questions.get(question.approvalId)).toMatchObject({ state: 'expired' });
  const resolved = (await engine.events(turnId)).filter(({ type }) => type === 'approval_resolved');
  expect(resolved).toMatchObject([{ state: 'expired', by: 'timeout' }]);
  expect(await engine.decide(question, 'approve')).toBe('expired');
  expect(await engine.runs('nobody')).toBe(0);
});

it('C5.4 a question to the person that nobody answers expires too', async () => {
  const turnId = await engine.start('question');
  const { answer } = await ended(turnId);
  expect(answer).toContain('nobody answered in time');
});

it('T6 an answer that is being settled when the time runs out counts', async () => {
  const turnId = await engine.start('at-expiry');
  const question = await engine.question(turnId);
  const gate = engine.gates.hold('questions.settle', turnId);
  const answer = engine.decide(question, 'approve');
  await gate.reached;
  await runOut(question);
  gate.open();
  expect(await answer).toBe('accepted');
  expect(await ended(turnId)).toMatchObject({ answer: 'ran at-expiry' });
});

it('T6 an answer that is thrown away when the time has run out lets the question expire', async () => {
  const turnId = await engine.start('discarded');
  const question = await engine.question(turnId);
  const gate = engine.gates.hold('questions.discard', turnId);
  await engine.handle(turnId).signal('decide', { approvalId: question.approvalId, decisionId: randomUUID() });
  await gate.reached;
  await runOut(question);
  expect((await engine.store.questions.get(question.approvalId))?.state).toBe('open');
  gate.open();
  await ended(turnId);
  expect((await engine.store.questions.get(question.approvalId))?.state).toBe('expired');
  expect(await engine.runs('discarded')).toBe(0);
});

it('C5.5 a true answer that was stored in time and never sent is too late after the expiry', async () => {
  const turnId = await engine.start('silent');
  const question = await engine.question(turnId);
  const decisionId = randomUUID();
  const body = decisionOn(question, { decisionId, choice: 'approve' });
  await engine.store.questions.putDecision(engine.gateway.sign(body, {}));
  await ended(turnId);
  expect(await engine.decide(question, 'approve', { decisionId })).toBe('expired');
  expect(await engine.runs('silent')).toBe(0);
});

it('C5.8 an unattended turn parks: it waits long, and holds no worker meanwhile', async () => {
  const turnId = await engine.start('parked', { origin: { surface: 'http', by: 'test' } });
  const question = await engine.question(turnId);
  expect(question.expiresAt - question.askedAt).toBe(3_600_000);
  const pending = async () => (await engine.handle(turnId).describe()).raw.pendingActivities ?? [];
  await until(pending, (activities) => activities.length === 0, 'no activity to be pending');
  expect(await engine.runs('parked')).toBe(0);
  expect(await engine.decide(question, 'approve')).toBe('accepted');
  expect(await ended(turnId)).toMatchObject({ status: 'completed', answer: 'ran parked' });
});

it('C5.8 with approvals: deny nobody is asked, and the words are the runtime’s own', async () => {
  const turnId = await engine.start('denied', { origin: { surface: 'http', by: 'test' }, approvals: 'deny' });
  const { answer } = await ended(turnId);
  expect(answer).toContain('the runtime denied it');
  expect(answer).not.toContain('operator');
  expect(await engine.slots(turnId)).toMatchObject([{ status: 'denied' }]);
  expect((await engine.events(turnId)).some(({ type }) => type === 'approval_requested')).toBe(false);
  expect(await engine.runs('denied')).toBe(0);
});

it('C5.8 with approvals: deny a question to the person is not put either', async () => {
  const turnId = await engine.start('question', { origin: { surface: 'http', by: 'test' }, approvals: 'deny' });
  expect((await ended(turnId)).answer).toContain('nobody can be asked here');
});

it('C5.8 an HTTP start that says ask waits as long as an attended one', async () => {
  const turnId = await engine.start('attended', { origin: { surface: 'http', by: 'test' }, approvals: 'ask' });
  const question = await engine.question(turnId);
  expect(question.expiresAt - question.askedAt).toBe(1_500);
  expect((await ended(turnId)).answer).toContain('nobody answered in time');
});
