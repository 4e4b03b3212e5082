// Answers that come before the question is written, after a worker has gone, or while none is up.
import { randomUUID } from 'node:crypto';
import { afterEach, expect, it } from 'vitest';
import { policyHashOf } from '../../activities/begin-turn.ts';
import type { QuestionRow } from '../../store/api.ts';
import { until } from '../support/until.ts';
import { decisionOn } from './support/decision.ts';
import { type Engine, expectSound, startEngine } from './support/engine.ts';
import { call, scriptOf } from './support/script.ts';

const scenarios = Object.fromEntries(
  ['early-signal', 'early-update', 'moved', 'away'].map((name) => [
    name,
    [{ calls: [call('act', { name })] }, { say: '{{last_result}}' }],
  ]),
);

let engine: Engine;
afterEach(() => engine.close());
const start = async () => {
  engine = await startEngine({ script: scriptOf(scenarios) });
};

async function ended(turnId: string) {
  const row = await engine.ended(turnId);
  await expectSound(engine, turnId);
  return row;
}

/** The question as it will be: everything of it follows from the stored call and the turn's policy. */
async function questionToCome(turnId: string): Promise<QuestionRow> {
  const stored = () => engine.store.transcript.call(turnId, 'c1-0');
  const made = await until(stored, (seen) => seen !== undefined, 'the call to be stored');
  const execution = await engine.store.executions.get((await engine.turn(turnId)).executionHash ?? '');
  if (!made || !execution) throw new Error('no call');
  const { callId, argumentHash } = made;
  const policyHash = policyHashOf(execution);
  return { approvalId: `${turnId}.c1-0`, turnId, callId, kind: 'tool', argumentHash, policyHash } as QuestionRow;
}

async function putApproval(question: QuestionRow): Promise<string> {
  const decisionId = randomUUID();
  const body = decisionOn(question, { decisionId, choice: 'approve' });
  await engine.store.questions.putDecision(engine.gateway.sign(body, {}));
  return decisionId;
}

it('C5.5 an early answer is settled although the question’s own activity has not ended', async () => {
  await start();
  for (const name of ['early-signal', 'early-update']) {
    const turnId = `t${randomUUID()}`;
    const gate = engine.gates.hold('questions.open', turnId);
    await engine.start(name, { turnId });
    await gate.reached;
    const question = await questionToCome(turnId);
    const { approvalId } = question;
    const decisionId = await putApproval(question);
    if (name === 'early-signal') await engine.handle(turnId).signal('decide', { approvalId, decisionId });
    else expect(await engine.desk.sendDecision(turnId, { approvalId, decisionId })).toMatchObject({ kind: 'answered' });
    await engine.running(name);
    gate.open();
    expect(await ended(turnId)).toMatchObject({ status: 'completed', answer: `ran ${name}` });
    expect(await engine.runs(name)).toBe(1);
    // Readers hear of the question before they hear of its end, and of each once.
    const heard = (await engine.events(turnId)).map(({ type }) => type).filter((type) => type.startsWith('approval'));
    expect(heard).toEqual(['approval_requested', 'approval_resolved']);
    expect(await engine.store.questions.get(approvalId)).toMatchObject({ state: 'decided' });
  }
});

it('C5.5 B13 a question outlives its worker, and is decided on another one', async () => {
  await start();
  const turnId = await engine.start('moved');
  const question = await engine.question(turnId);
  await engine.worker.shutdown();
  expect(await engine.question(turnId)).toMatchObject({ approvalId: question.approvalId, tool: 'act', state: 'open' });
  await engine.addWorker();
  expect(await engine.decide(question, 'approve')).toBe('accepted');
  expect(await ended(turnId)).toMatchObject({ status: 'completed', answer: 'ran moved' });
  expect(await engine.runs('moved')).toBe(1);
  const audit = (await engine.store.audit.list(0, 100)).filter(({ body }) => body.approvalId === question.approvalId);
  expect(audit.map(({ kind }) => kind)).toEqual(['question_opened', 'decision']);
  expect(await engine.store.audit.verify()).toMatchObject({ ok: true });
});

it('C5.5 with no worker up an answer is queued, and taken once by the next worker', async () => {
  await start();
  const turnId = await engine.start('away');
  const question = await engine.question(turnId);
  await engine.worker.shutdown();
  const decisionId = randomUUID();
  const answers = await Promise.all([
    engine.decide(question, 'approve', { decisionId }),
    engine.decide(question, 'approve', { decisionId }),
  ]);
  expect(answers).toEqual(['queued', 'queued']);
  expect((await engine.store.questions.get(question.approvalId))?.state).toBe('settling');
  await engine.addWorker();
  expect(await ended(turnId)).toMatchObject({ status: 'completed', answer: 'ran away' });
  expect(await engine.runs('away')).toBe(1);
  expect(await engine.decide(question, 'approve', { decisionId })).toBe('accepted');
});
