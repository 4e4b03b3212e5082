// Pause, resume and emergency stop: the whole deployment at once, so each test leaves it running again.
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { until } from '../support/until.ts';
import { type Engine, expectSound, startEngine } from './support/engine.ts';
import { call, HELD, scriptOf } from './support/script.ts';

let engine: Engine;
beforeAll(async () => {
  engine = await startEngine({
    script: scriptOf({
      tool: [{ calls: [call('look_held', { name: 'tool' })] }, { say: 'went on' }],
      batch: [
        { calls: [call('act_held', { name: 'batch1' }), call('act_held', { name: 'batch2' })] },
        { say: 'went on' },
      ],
      untold: [{ calls: [call('look_held', { name: 'untold' })] }, { say: 'went on' }],
      approval: [{ calls: [call('act', { name: 'approval' })] }, { say: '{{last_result}}' }],
      steered: [{ calls: [call('look_held', { name: 'steered' })] }],
      late: [{ say: 'begun' }],
      stream: [{ say: ['Shown. ', HELD] }],
      running: [{ calls: [call('look_held', { name: 'running' })] }, { say: 'never' }],
      asked: [{ calls: [call('act', { name: 'asked' })] }, { say: 'never' }],
    }),
    agent: '    policy: { auto_approve: [act_held] }\n    cancel_grace: 1s',
  });
});
afterEach(() => resume());
afterAll(() => engine.close());

const flag = () => ({ by: 'tester', reason: 'maintenance', at: Date.now() });

/** As the gateway does it: the flag first, then every open turn is told. */
async function pause(): Promise<void> {
  const raised = flag();
  await engine.store.control.pause(raised);
  await tell('paused', raised.at);
}

async function resume(): Promise<void> {
  const lifted = flag();
  await engine.store.control.resume(lifted);
  await tell('resumed', lifted.at);
}

async function tell(state: 'paused' | 'resumed', at: number): Promise<void> {
  const open = await engine.store.turns.open();
  await engine.gateway.messenger.control(
    open.map(({ turnId }) => turnId),
    { state, by: 'tester', at },
    at,
  );
}

const held = (turnId: string) =>
  until(
    () => engine.handle(turnId).query<{ status: string }>('turnState'),
    ({ status }) => status === 'paused',
    'the turn to be held',
  );

const controls = async (turnId: string) =>
  (await engine.events(turnId)).flatMap((event) => (event.type === 'control' ? [event.state] : []));

async function wentOn(turnId: string, answer = 'went on'): Promise<void> {
  expect((await engine.turn(turnId)).status).toBe('paused');
  await resume();
  expect(await engine.ended(turnId)).toMatchObject({ status: 'completed', answer });
  await expectSound(engine, turnId);
}

const steps = async (turnId: string) =>
  (await engine.events(turnId)).filter(({ type }) => type === 'iteration_started').length;

it('C8.10 pause lets a running call end and holds the next step until resume', async () => {
  const turnId = await engine.start('tool');
  await engine.running('tool');
  await pause();
  await engine.release('tool');
  await until(
    () => engine.slots(turnId),
    ([slot]) => slot?.status === 'done',
    'the running call to end',
  );
  await held(turnId);
  expect(await steps(turnId)).toBe(1);
  await wentOn(turnId);
  expect(await controls(turnId)).toEqual(['paused', 'resumed']);
});

it('C8.10 in a batch the running call ends and the next one is held', async () => {
  const turnId = await engine.start('batch');
  await engine.running('batch1');
  await pause();
  await engine.release('batch1');
  await until(
    () => engine.slots(turnId),
    ([slot]) => slot?.status === 'done',
    'the running call to end',
  );
  await held(turnId);
  expect(await engine.runs('batch2')).toBe(0);
  await engine.release('batch2');
  await wentOn(turnId);
  expect(await engine.runs('batch2')).toBe(1);
});

it('C8.10 the flag in the store holds a turn that was not told', async () => {
  const turnId = await engine.start('untold');
  await engine.running('untold');
  await engine.store.control.pause(flag());
  await engine.release('untold');
  await held(turnId);
  await wentOn(turnId);
});

it('C8.10 a turn that starts while paused is held before its first model call', async () => {
  await pause();
  const turnId = await engine.start('late');
  await held(turnId);
  expect((await engine.entries(turnId)).map(({ kind }) => kind)).toEqual(['user']);
  await wentOn(turnId, 'begun');
});

it('C8.10 an approval may be given while paused; the call starts after resume', async () => {
  const turnId = await engine.start('approval');
  const question = await engine.question(turnId);
  await pause();
  expect((await engine.turn(turnId)).status).toBe('paused');
  expect(await engine.decide(question, 'approve')).toBe('accepted');
  await held(turnId);
  expect(await engine.runs('approval')).toBe(0);
  await wentOn(turnId, 'ran approval');
});

it('C8.3 a message that comes while paused is read after resume', async () => {
  const turnId = await engine.start('steered');
  await engine.running('steered');
  await pause();
  await engine.release('steered');
  await held(turnId);
  expect(await engine.steer(turnId, 'by the way')).toMatchObject({ kind: 'steered' });
  await wentOn(turnId, 'heard: by the way');
});

it('C8.4 a paused turn can be cancelled', async () => {
  await pause();
  const turnId = await engine.start('late');
  await held(turnId);
  await engine.cancel(turnId);
  expect(await engine.ended(turnId)).toMatchObject({ status: 'cancelled' });
  await expectSound(engine, turnId);
});

it('C8.10 estop cancels every open turn, wherever it stands, and nothing begins until resume', async () => {
  const session = randomUUID();
  const stream = await engine.start('stream', { session });
  const queued = await engine.start('late', { session });
  const running = await engine.start('running');
  const asked = await engine.start('asked');
  await engine.shown(stream, 'Shown.');
  await engine.running('running');
  const question = await engine.question(asked);
  const stop = flag();
  const cancelled = await engine.store.control.estop(stop);
  expect(cancelled.sort()).toEqual([stream, queued, running, asked].sort());
  await Promise.all(cancelled.map((turnId) => engine.gateway.messenger.cancel(turnId, stop)));
  for (const turnId of [stream, running, asked]) {
    expect(await engine.ended(turnId)).toMatchObject({ status: 'cancelled' });
    await expectSound(engine, turnId);
    expect(await controls(turnId)).toEqual(['estop']);
  }
  expect(await engine.turn(queued)).toMatchObject({ status: 'cancelled', startedAt: undefined });
  expect(await engine.decide(question, 'approve')).toBe('withdrawn');
  // What starts now is stopped before it does anything.
  const during = await engine.start('late');
  expect(await engine.ended(during)).toMatchObject({ status: 'cancelled' });
  expect(await steps(during)).toBe(0);
  await resume();
  const after = await engine.start('late');
  expect(await engine.ended(after)).toMatchObject({ status: 'completed', answer: 'begun' });
});
