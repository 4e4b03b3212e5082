// Steering, cancel, pause, resume, emergency stop by HTTP (C8.3, C8.4, C8.10).
import { Client, Connection } from '@temporalio/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { temporalAddress } from '../support/engine.ts';
import { startTestGateway, type TestGateway } from './support/gateway.ts';
import { until } from './support/until.ts';
import { endTurn, type StubWorker, startStubWorker } from './support/worker.ts';

let test: TestGateway;
let worker: StubWorker;
let temporal: Client;
beforeAll(async () => {
  test = await startTestGateway({ address: temporalAddress() });
  worker = await startStubWorker({ address: temporalAddress(), taskQueue: test.taskQueue, store: test.store });
  temporal = new Client({ connection: await Connection.connect({ address: temporalAddress() }) });
});
afterAll(async () => {
  await temporal.connection.close();
  await worker.stop();
  await test.close();
});

async function running(session?: string): Promise<string> {
  const { turnId } = await test.client.startTurn({ text: 'go', ...(session === undefined ? {} : { session }) });
  await until(async () => (await test.client.getTurn(turnId)).status === 'running');
  return turnId;
}

const steer = (turnId: string, body: unknown) => test.call('POST', `/turns/${turnId}/steer`, { body });
const workflowStatus = async (turnId: string) =>
  (await temporal.workflow.getHandle(`turn-${turnId}`).describe()).status.name;

describe('C8.3 steering', () => {
  it('is a row first, then told: 202 accepted, once for the same id', async () => {
    const turnId = await running();
    expect(await steer(turnId, { text: 'left', id: 's1' })).toMatchObject({
      status: 202,
      body: { id: 's1', state: 'accepted' },
    });
    expect((await steer(turnId, { text: 'left', id: 's1' })).status).toBe(202);
    expect(worker.heard.steering.filter((id) => id === 's1')).toHaveLength(1);
    expect(await test.store.steering.get('s1')).toMatchObject({ turnId, text: 'left', by: 'tester-admin' });
    expect(await steer(turnId, { text: 'right', id: 's1' })).toMatchObject({
      status: 409,
      body: { error: { code: 'steer_id_used' } },
    });
  });

  it('a turn that has ended: 409', async () => {
    const turnId = await running();
    await endTurn(test.store, turnId, 'completed');
    expect(await steer(turnId, { text: 'late' })).toMatchObject({
      status: 409,
      body: { error: { code: 'turn_ended' } },
    });
  });

  it('the 33rd unread message: 429', async () => {
    const turnId = await running();
    const all = await Promise.all(Array.from({ length: 32 }, (_, n) => steer(turnId, { text: `m${n}` })));
    expect(new Set(all.map(({ status }) => status))).toEqual(new Set([202]));
    expect(await steer(turnId, { text: 'one more' })).toMatchObject({
      status: 429,
      body: { error: { code: 'queue_full' } },
    });
  });

  it.each([{}, { text: '' }, { text: '  ' }, { text: 'x', id: 'a b' }, { txt: 'x' }])(
    'a body of another shape is 400: %j',
    async (body) => {
      expect((await steer(await running(), body)).status).toBe(400);
    },
  );
});

describe('C8.4 cancel', () => {
  it('a running turn: 202 cancelling, the workflow closes as Canceled, then 409', async () => {
    const turnId = await running();
    const { status, body } = await test.call('POST', `/turns/${turnId}/cancel`, { body: { reason: 'enough' } });
    expect({ status, body }).toEqual({ status: 202, body: { state: 'cancelling' } });
    await until(async () => (await test.client.getTurn(turnId)).status === 'cancelled');
    await until(async () => (await workflowStatus(turnId)) === 'CANCELLED');
    expect((await test.store.turns.get(turnId))?.cancel).toMatchObject({ by: 'tester-admin', reason: 'enough' });
    await expect(test.client.cancel(turnId)).rejects.toMatchObject({ status: 409, code: 'turn_ended' });
  });

  it('a queued turn ends at once', async () => {
    const { turn } = (await test.store.turns.enqueue({
      ...{ turnId: 'queued-1', agent: 'main', text: 'x', origin: { surface: 'http', by: 'me' } },
    })) as { turn: { turnId: string } };
    expect(await test.client.cancel(turn.turnId)).toEqual({ state: 'cancelled' });
    expect(await test.client.getTurn(turn.turnId)).toMatchObject({ status: 'cancelled', stopReason: 'cancelled' });
  });

  it('names its turn and never hits a later one of the session', async () => {
    const first = await running('s-cancel');
    const second = await test.client.startTurn({ text: 'next', session: 's-cancel' });
    expect((await test.client.getTurn(second.turnId)).status).toBe('queued');
    await test.client.cancel(first);
    await until(async () => (await test.client.getTurn(second.turnId)).status === 'running');
    expect((await test.client.getTurn(first)).status).toBe('cancelled');
    await test.client.cancel(second.turnId);
  });
});

describe('C12.3 a busy session', () => {
  it('steer: the running turn of the same surface takes the message', async () => {
    const steering = await startTestGateway({ address: temporalAddress(), onBusy: 'steer' });
    const own = await startStubWorker({
      address: temporalAddress(),
      taskQueue: steering.taskQueue,
      store: steering.store,
    });
    const { turnId } = await steering.client.startTurn({ text: 'one', session: 'a' });
    await until(async () => (await steering.client.getTurn(turnId)).status === 'running');
    expect(await steering.client.startTurn({ text: 'two', session: 'a' })).toMatchObject({ turnId, steered: true });
    const other = await steering.call('POST', '/turns', {
      body: { text: 'three', session: 'a' },
      headers: { 'x-everturn-surface': 'cli' },
    });
    expect(other.status).toBe(201);
    expect(other.body.turnId).not.toBe(turnId);
    const once = { idempotencyKey: 'k-steer' };
    for (let n = 0; n < 2; n += 1) {
      const repeated = await steering.client.startTurn({ text: 'four', session: 'a' }, once);
      expect(repeated).toMatchObject({ turnId, steered: true });
    }
    expect((await steering.store.steering.ofTurn(turnId)).map(({ text }) => text)).toEqual(['two', 'four']);
    await own.stop();
    await steering.close();
  });

  it('interrupt: the running turn is cancelled and the message runs next', async () => {
    const interrupting = await startTestGateway({ address: temporalAddress(), onBusy: 'interrupt' });
    const own = await startStubWorker({
      address: temporalAddress(),
      taskQueue: interrupting.taskQueue,
      store: interrupting.store,
    });
    const first = await interrupting.client.startTurn({ text: 'one', session: 'b' });
    await until(async () => (await interrupting.client.getTurn(first.turnId)).status === 'running');
    const once = { idempotencyKey: 'k-interrupt' };
    const second = await interrupting.client.startTurn({ text: 'two', session: 'b' }, once);
    await until(async () => (await interrupting.client.getTurn(second.turnId)).status === 'running');
    expect((await interrupting.client.getTurn(first.turnId)).status).toBe('cancelled');
    expect(await interrupting.client.startTurn({ text: 'two', session: 'b' }, once)).toEqual(second);
    expect((await interrupting.store.turns.get(second.turnId))?.cancel).toBeUndefined();
    await own.stop();
    await interrupting.close();
  });
});

describe('C8.10 the whole deployment', () => {
  it('pause and resume are durable, shown, and told to open turns', async () => {
    await running();
    expect(await test.client.pause('lunch')).toMatchObject({ by: 'tester-admin', reason: 'lunch' });
    await until(async () => worker.heard.control.includes('paused'));
    expect((await test.client.status()).paused).toMatchObject({ reason: 'lunch' });
    await test.client.resume();
    await until(async () => worker.heard.control.includes('resumed'));
    expect((await test.client.status()).paused).toBeNull();
  });

  it('estop cancels every open turn, shows, and is lifted by resume', async () => {
    const turnId = await running();
    const { cancelled } = await test.client.estop('smoke');
    expect(cancelled).toContain(turnId);
    await until(async () => (await test.client.getTurn(turnId)).status === 'cancelled');
    expect((await test.client.status()).estop).toMatchObject({ reason: 'smoke' });
    await test.client.resume();
    expect((await test.client.status()).estop).toBeNull();
  });

  it('status names the workers that poll, and says that history is not encrypted', async () => {
    const status = await test.client.status();
    expect(status.workers.polling).toBe(1);
    expect(status.history).toEqual({ encrypted: false });
    expect(status.temporal).toEqual({
      reachable: true,
      address: temporalAddress(),
      namespace: 'default',
      taskQueue: test.taskQueue,
    });
  });
});
