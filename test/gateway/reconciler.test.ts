// Rows and workflows come together again, whatever was lost in between; and nothing is ended on mere silence.
import { Client, Connection } from '@temporalio/client';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { DecisionBody } from '../../core/question.ts';
import type { Store } from '../../store/api.ts';
import { createSealer } from '../../store/seals.ts';
import { temporalAddress } from '../support/engine.ts';
import { startTestGateway, type TestGateway } from './support/gateway.ts';
import { until } from './support/until.ts';
import { askQuestion, beginTurn, type StubWorker, startStubWorker } from './support/worker.ts';

/** The reconciler looks at things that are some seconds old; here they always are. */
const later = () => Date.now() + 15_000;
const NAMESPACE_KEY = 'temporal.namespace_id';

let test: TestGateway;
let worker: StubWorker;
let temporal: Client;
beforeAll(async () => {
  temporal = new Client({ connection: await Connection.connect({ address: temporalAddress() }) });
});
afterAll(() => temporal.connection.close());
beforeEach(async () => {
  test = await startTestGateway({ address: temporalAddress(), now: later, reconcileEveryMs: 3_600_000 });
  worker = await startStubWorker({ address: temporalAddress(), taskQueue: test.taskQueue, store: test.store });
  await test.gateway.reconciler.run();
});
afterEach(async () => {
  await worker.stop();
  await test.close();
});

const enqueue = (store: Store, turnId: string, session?: string) =>
  store.turns.enqueue({
    ...{ turnId, agent: 'main', text: 'x', origin: { surface: 'http', by: 'me' } },
    ...(session === undefined ? {} : { session }),
  });
const statusOf = async (turnId: string) => (await test.client.getTurn(turnId)).status;
const reconcile = () => test.gateway.reconciler.run();
const handle = (turnId: string) => temporal.workflow.getHandle(`turn-${turnId}`);

async function running(): Promise<string> {
  const { turnId } = await test.client.startTurn({ text: 'go' });
  await until(async () => (await statusOf(turnId)) === 'running');
  return turnId;
}

async function remove(turnId: string): Promise<void> {
  const { workflowService } = temporal;
  const workflowExecution = { workflowId: `turn-${turnId}` };
  await workflowService.deleteWorkflowExecution({ namespace: 'default', workflowExecution });
  await until(async () =>
    handle(turnId)
      .describe()
      .then(
        () => false,
        () => true,
      ),
  );
}

describe('rows that are still queued', () => {
  it('are started by the very same start, once', async () => {
    await enqueue(test.store, `${test.taskQueue}-alone`);
    await Promise.all([reconcile(), reconcile()]);
    await until(async () => (await statusOf(`${test.taskQueue}-alone`)) === 'running');
  });

  it('of a session go through the session, in their order, one at a time', async () => {
    const ids = [1, 2, 3].map((n) => `${test.taskQueue}-${n}`);
    for (const id of ids) await enqueue(test.store, id, `${test.taskQueue}-session`);
    await reconcile();
    await reconcile();
    for (const [i, id] of ids.entries()) {
      await until(async () => (await statusOf(id)) === 'running');
      for (const rest of ids.slice(i + 1)) expect(await statusOf(rest)).toBe('queued');
      await test.client.cancel(id);
      await until(async () => (await statusOf(id)) === 'cancelled');
    }
  });

  it('whose workflow was terminated before it began are ended', async () => {
    await worker.stop();
    const { turnId } = await test.client.startTurn({ text: 'go' });
    await handle(turnId).terminate('not wanted');
    await reconcile();
    expect(await test.client.getTurn(turnId)).toMatchObject({ status: 'failed', error: { type: 'Terminated' } });
    worker = await startStubWorker({ address: temporalAddress(), taskQueue: test.taskQueue, store: test.store });
  });
});

describe('I5 what is ended from Temporal’s own tools is shown everywhere', () => {
  it('terminated: failed, the question withdrawn, the event written, a decision 410', async () => {
    const turnId = await running();
    const question = await askQuestion(test.store, turnId);
    await handle(turnId).terminate('from the command line');
    await reconcile();
    expect(await test.client.getTurn(turnId)).toMatchObject({
      status: 'failed',
      stopReason: 'error',
      error: { type: 'Terminated', message: expect.stringContaining('from the command line') },
    });
    const events = await test.store.events.after(turnId, 0);
    expect(events.at(-1)).toMatchObject({ type: 'turn_ended', status: 'failed' });
    const decision = { argumentHash: question.argumentHash, choice: 'approve' };
    await expect(test.client.approvals.decide(question.approvalId, decision)).rejects.toMatchObject({ status: 410 });
  });

  it('a decision for it does not wait for the next round', async () => {
    const turnId = await running();
    const question = await askQuestion(test.store, turnId);
    await handle(turnId).terminate();
    const decision = { argumentHash: question.argumentHash, choice: 'approve' };
    await expect(test.client.approvals.decide(question.approvalId, decision)).rejects.toMatchObject({
      status: 410,
      code: 'withdrawn',
    });
    expect(await statusOf(turnId)).toBe('failed');
  });

  it('nor does steering', async () => {
    const turnId = await running();
    await handle(turnId).terminate();
    await expect(test.client.steer(turnId, { text: 'x' })).rejects.toMatchObject({ status: 409 });
    expect(await statusOf(turnId)).toBe('failed');
  });

  it('cancelled with a bare cancel: cancelled', async () => {
    const turnId = await running();
    await handle(turnId).cancel();
    await until(async () => (await statusOf(turnId)) === 'cancelled');
  });

  it('open slots get their one result: what never began did not run', async () => {
    const turnId = await running();
    await storeCall(test.store, turnId);
    await handle(turnId).terminate();
    await reconcile();
    expect((await test.client.getTurn(turnId)).slots).toMatchObject([
      { callId: 'c1-0', status: 'interrupted', success: false },
    ]);
    expect((await test.client.result(turnId, 'c1-0')).text).toContain('It did not run.');
    const types = (await test.store.events.after(turnId, 0)).map((event) => event.type);
    expect(types.slice(-3)).toEqual(['tool_call', 'tool_result', 'turn_ended']);
  });

  it('a workflow that is gone from Temporal ends its row, while others are known there', async () => {
    const [lost, known] = [await running(), await running()];
    await remove(lost);
    await reconcile();
    expect(await test.client.getTurn(lost)).toMatchObject({ status: 'failed', error: { type: 'TurnFailed' } });
    expect(await statusOf(known)).toBe('running');
  });
});

describe('silence is no evidence', () => {
  it('when no open turn at all is known to Temporal nothing is ended, and status says why; an operator may cancel', async () => {
    const turnId = await running();
    await remove(turnId);
    await reconcile();
    expect(await statusOf(turnId)).toBe('running');
    expect((await test.client.status()).reconciler.held).toContain('None of the 1 open turns is known to Temporal');
    expect(test.said.join()).toContain('None of the 1 open turns');
    expect(await test.client.cancel(turnId)).toEqual({ state: 'cancelled' });
    await reconcile();
    expect((await test.client.status()).reconciler.held).toBeNull();
  });

  it('another Temporal ends nothing; with no turn open it is taken', async () => {
    const turnId = await running();
    await handle(turnId).terminate();
    await test.store.meta.set(NAMESPACE_KEY, 'another-one');
    await reconcile();
    expect(await statusOf(turnId)).toBe('running');
    expect((await test.client.status()).reconciler.held).toContain('is not the one in which the 1 open turns live');
    expect(await test.client.cancel(turnId)).toEqual({ state: 'cancelled' });
    await reconcile();
    expect((await test.client.status()).reconciler.held).toBeNull();
    expect(await test.store.meta.get(NAMESPACE_KEY)).not.toBe('another-one');
  });

  it('a Temporal that cannot be reached ends nothing', async () => {
    const away = await startTestGateway({ address: '127.0.0.1:1', now: later });
    await enqueue(away.store, 'away-1');
    await beginTurn(away.store, 'away-1');
    await away.gateway.reconciler.run();
    expect((await away.client.getTurn('away-1')).status).toBe('running');
    await away.close();
  });
});

describe('what was stored and not taken is sent again', () => {
  it('a decision whose gateway died before it sent it', async () => {
    const turnId = await running();
    const question = await askQuestion(test.store, turnId);
    const { approvalId, callId, kind, argumentHash, policyHash } = question;
    const body: DecisionBody = {
      ...{ decisionId: 'd-lost', approvalId, turnId, callId, kind, choice: 'approve', argumentHash, policyHash },
      ...{ by: 'me', surface: 'cli', at: new Date().toISOString() },
    };
    await test.store.questions.putDecision(createSealer(test.keys).signDecision(body));
    await reconcile();
    expect((await test.client.approvals.get(approvalId)).state).toBe('decided');
    await reconcile();
    expect(worker.heard.decisions).toEqual(['d-lost']);
  });

  it('steering, a cancel flag and a pause', async () => {
    const [steered, cancelled] = [await running(), await running()];
    await test.store.steering.add({ id: `st-${steered}`, turnId: steered, text: 'x', by: 'me', at: Date.now() });
    await test.store.turns.requestCancel(cancelled, { by: 'me', reason: 'lost', at: Date.now() });
    await test.store.control.pause({ by: 'me', reason: '', at: Date.now() });
    await reconcile();
    expect(worker.heard.steering).toEqual([`st-${steered}`]);
    await until(async () => (await statusOf(cancelled)) === 'cancelled');
    await until(async () => worker.heard.control.includes('paused'));
    await reconcile();
    expect(worker.heard.steering).toHaveLength(1);
    expect(worker.heard.control.filter((state) => state === 'paused').length).toBeLessThanOrEqual(2);
  });
});

describe('one leader', () => {
  it('a second gateway on the store does nothing until the first has gone', async () => {
    expect((await test.client.status()).reconciler).toMatchObject({ leader: true, held: null });
    expect(await test.store.leases.acquire('reconciler', 'somebody-else', 1_000)).toBe(false);
    await test.gateway.reconciler.stop();
    expect(await test.store.leases.acquire('reconciler', 'somebody-else', 60_000)).toBe(true);
    const turnId = await running();
    await handle(turnId).terminate();
    await reconcile();
    expect(await statusOf(turnId)).toBe('running');
    expect((await test.client.status()).reconciler.leader).toBe(false);
  });
});

/** One step of the model with one call that has not begun. */
async function storeCall(store: Store, turnId: string): Promise<void> {
  const { head } = await store.transcript.ofTurn(turnId);
  const step = { turnId, step: 1, epoch: 1, results: [], events: [] };
  const opened = await store.transcript.openStep({
    ...step,
    parentHead: head,
    entries: [],
    steeringTaken: [],
    iteration: 1,
  });
  if (opened.kind !== 'open') throw new Error(opened.kind);
  const call = { callId: 'c1-0', providerId: 'p', name: 'shell', arguments: '{"command":"ls"}' };
  const usage = { inputTokens: 0, outputTokens: 0, cachedInputTokens: 0, reasoningTokens: 0, costUsd: 0 };
  const stored = await store.transcript.closeStep({
    ...step,
    parentHead: opened.head,
    entry: { kind: 'assistant', step: 1, text: '', calls: [call], model: 'test/test' },
    calls: [
      {
        ...{
          callId: 'c1-0',
          step: 1,
          slot: 0,
          tool: 'shell',
          arguments: call.arguments,
          argumentHash: 'h',
          summary: 'ls',
        },
        assessment: { effect: 'once', risk: { level: 'low', reasons: [] }, assessed: true },
      },
    ],
    reply: {},
    usage,
  });
  if (stored.kind !== 'stored') throw new Error(stored.kind);
}
