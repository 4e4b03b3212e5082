// Nobody can tell whether a lost call took effect: with `on_unknown: ask` an operator says so.
import Sqlite from 'better-sqlite3';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { until } from '../support/until.ts';
import { startByHand } from './support/by-hand.ts';
import { type Engine, expectSound, startEngine } from './support/engine.ts';
import { call, scriptOf } from './support/script.ts';

const names = ['done', 'told', 'not_done', 'retry', 'cancelled'];

let engine: Engine;
beforeAll(async () => {
  engine = await startEngine({
    script: scriptOf(
      Object.fromEntries(
        names.map((name) => [
          name,
          [{ calls: [call('act_held', { name, stubborn: true })] }, { say: '{{last_result}}' }],
        ]),
      ),
    ),
    agent: '    policy: { auto_approve: [act_held] }\n    cancel_grace: 1s',
    config: 'approvals: { on_unknown: ask }\n',
  });
});
afterAll(() => engine.close());

/** A running call is given up as a supervisor does it whose worker has died; the tool itself goes on. */
async function lose(name: string) {
  const turnId = await engine.start(name);
  await engine.running(name);
  const workflowId = `turn-${turnId}`;
  await engine.client.activity.fail({ workflowId, activityId: `${turnId}-s1-0-a1` }, new Error('WorkerLost'));
  const question = await engine.question(turnId);
  expect(question).toMatchObject({ kind: 'unknown', callId: 'c1-0', tool: 'act_held' });
  return { turnId, question };
}

/** What only the ledger keeps. */
function lateOutcomes(turnId: string): unknown {
  const db = new Sqlite(engine.config.store.path, { readonly: true });
  const late = db.prepare('select count(*) from attempts where turn_id = ? and late = 1').pluck().get(turnId);
  db.close();
  return late;
}

async function ended(turnId: string) {
  const row = await engine.ended(turnId);
  await expectSound(engine, turnId);
  return row;
}

it('C6.2 done: the call counts as done, and what the lost one still brings changes nothing', async () => {
  const { turnId, question } = await lose('done');
  expect((await engine.turn(turnId)).status).toBe('waiting_approval');
  expect(await engine.decide(question, 'approve')).toBe('choice_not_offered');
  expect(await engine.decide(question, 'done')).toBe('accepted');
  const { answer } = await ended(turnId);
  expect(answer).toContain('operator checked: the call took effect');
  await engine.release('done');
  await until(
    () => lateOutcomes(turnId),
    (late) => late === 1,
    'the ledger to keep the late outcome',
  );
  expect((await engine.results(turnId))[0]?.text).toBe(answer);
  expect(await engine.runs('done')).toBe(1);
});

it('C6.2 not_done: a failed result says so', async () => {
  const { turnId, question } = await lose('not_done');
  expect(await engine.decide(question, 'not_done')).toBe('accepted');
  expect((await ended(turnId)).answer).toContain('did not take effect');
  expect(await engine.slots(turnId)).toMatchObject([{ status: 'failed' }]);
  expect(await engine.runs('not_done')).toBe(1);
  await engine.release('not_done');
});

it('C6.2 retry: the call is begun again as a new attempt, and only then', async () => {
  const { turnId, question } = await lose('retry');
  const { executionHash = '' } = await engine.turn(turnId);
  const hand = await startByHand(engine);
  await hand.runTool({ turnId, step: 1, slot: 0, attempt: 2, executionHash });
  await hand.close();
  expect(await engine.runs('retry')).toBe(1);
  expect(await engine.decide(question, 'retry')).toBe('accepted');
  await until(
    () => engine.runs('retry'),
    (count) => count === 2,
    'a second run',
  );
  await engine.release('retry');
  expect(await ended(turnId)).toMatchObject({ status: 'completed', answer: 'ran retry' });
  expect(await engine.runs('retry')).toBe(2);
});

it('C6.5 a cancel withdraws the question, and the call stays unknown', async () => {
  const { turnId, question } = await lose('cancelled');
  await engine.cancel(turnId);
  expect(await ended(turnId)).toMatchObject({ status: 'cancelled' });
  expect(await engine.slots(turnId)).toMatchObject([{ status: 'unknown' }]);
  expect((await engine.store.questions.get(question.approvalId))?.state).toBe('withdrawn');
  expect(await engine.decide(question, 'done')).toBe('withdrawn');
  await engine.release('cancelled');
});
