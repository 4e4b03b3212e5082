// Cancels that do not come from the gateway, turns that have not begun, and what a session makes of it all.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { until } from '../support/until.ts';
import { type Engine, expectSound, startEngine } from './support/engine.ts';
import { call, HELD, scriptOf } from './support/script.ts';

let engine: Engine;
beforeAll(async () => {
  const onLast = (text: string, answer: object) => ({ when: { last_user: { equals: text } }, ...answer });
  engine = await startEngine({
    script: scriptOf(
      {
        bare: [{ say: ['Shown. ', HELD] }],
        native: [{ calls: [call('act', { name: 'native' })] }, { say: 'never' }],
        terminated: [
          {
            calls: [
              call('look', { name: 'x1' }),
              call('act_held', { name: 'x2', stubborn: true }),
              call('act', { name: 'x3' }),
            ],
          },
          { say: 'never' },
        ],
        plain: [{ say: 'plain answer' }],
      },
      [
        // By the latest message: in a session, a turn that was cut in a round goes over into the next for the script.
        onLast('hold tool', { calls: [call('look_held', { name: 'held-in-session' })] }),
        onLast('hold stream', { say: ['Half an ', HELD] }),
        onLast('what happened?', { say: 'You stopped me. Last: {{last_result}}' }),
      ],
    ),
    agent: '    policy: { auto_approve: [act_held] }\n    cancel_grace: 1s',
  });
});
afterAll(() => engine.close());

const inSession = (session: string) => ({ session, origin: { surface: 'cli', by: 'test' } });

it('I5 a bare cancel signal ends the turn as cancelled, and its workflow completes', async () => {
  const turnId = await engine.start('bare');
  await engine.shown(turnId, 'Shown.');
  await engine.handle(turnId).signal('cancel', { by: 'somebody', reason: 'from a workflow of mine' });
  expect(await engine.ended(turnId)).toMatchObject({ status: 'cancelled' });
  expect(await engine.closed(turnId)).toBe('COMPLETED');
  expect(await engine.handle(turnId).result()).toMatchObject({ status: 'cancelled', stopReason: 'cancelled' });
  await expectSound(engine, turnId);
});

it('I5 a cancel from Temporal’s own tools is respected and shown', async () => {
  const turnId = await engine.start('native');
  const question = await engine.question(turnId);
  await engine.handle(turnId).cancel();
  expect(await engine.ended(turnId)).toMatchObject({ status: 'cancelled' });
  expect(await engine.closed(turnId)).toBe('CANCELLED');
  await expectSound(engine, turnId);
  expect(await engine.decide(question, 'approve')).toBe('withdrawn');
});

it('I5 a turn that was terminated from outside is ended by the reconciler, each slot by the ledger', async () => {
  const turnId = await engine.start('terminated');
  const question = await engine.question(turnId);
  await engine.running('x2');
  await engine.handle(turnId).terminate('maintenance');
  await engine.reconciler.run();
  const row = await engine.turn(turnId);
  expect(row).toMatchObject({ status: 'failed', stopReason: 'error', error: { type: 'Terminated' } });
  expect(row.error?.message).toContain('maintenance');
  await expectSound(engine, turnId);
  expect((await engine.slots(turnId)).map(({ status }) => status)).toEqual(['done', 'unknown', 'interrupted']);
  expect(await engine.decide(question, 'approve')).toBe('withdrawn');
  // The tool of the dead turn ends some time: the ledger keeps it, and nothing of it is shown.
  const events = await engine.events(turnId);
  await engine.release('x2');
  await until(
    () => engine.store.ledger.openAttempts({ turnId }),
    (open) => open.length === 0,
    'the attempt to end',
  );
  expect(await engine.events(turnId)).toEqual(events);
  expect(await engine.runs('x3')).toBe(0);
});

it('C8.4 a turn that waits in its session’s queue is cancelled in the store, and never begins', async () => {
  const session = randomUUID();
  const first = await engine.start('hold stream', inSession(session));
  await engine.shown(first, 'Half an');
  const second = await engine.start('plain', inSession(session));
  const third = await engine.start('plain', inSession(session));
  expect(await engine.cancel(second)).toMatchObject({ kind: 'cancelled', outcome: { state: 'cancelled' } });
  expect(await engine.turn(second)).toMatchObject({ status: 'cancelled', startedAt: undefined });
  await engine.cancel(first);
  expect(await engine.ended(third)).toMatchObject({ status: 'completed', answer: 'plain answer' });
  expect((await engine.events(second)).map(({ type }) => type)).toEqual(['turn_ended']);
  expect(await engine.entries(second)).toEqual([]);
  await expectSound(engine, third);
});

it('C8.4 a queued turn alone is cancelled with no worker up, and closes when one is', async () => {
  await engine.worker.shutdown();
  const turnId = await engine.start('plain');
  expect(await engine.cancel(turnId)).toMatchObject({ kind: 'cancelled', outcome: { state: 'cancelled' } });
  expect(await engine.turn(turnId)).toMatchObject({ status: 'cancelled' });
  await engine.addWorker();
  expect(await engine.closed(turnId)).toBe('CANCELLED');
  expect((await engine.events(turnId)).map(({ type }) => type)).toEqual(['turn_ended']);
});

it('B23 after a cancel in a tool call the next turn of the session works, and sees what became of it', async () => {
  const session = randomUUID();
  const first = await engine.start('hold tool', inSession(session));
  await engine.running('held-in-session');
  await engine.cancel(first);
  expect(await engine.ended(first)).toMatchObject({ status: 'cancelled' });
  const second = await engine.start('what happened?', inSession(session));
  const { answer } = await engine.ended(second);
  expect(answer).toContain('[interrupted before this tool produced a result]');
  await expectSound(engine, second);
  // A cancel names its turn: a later one of the session is not hit by it, however late it comes.
  expect(await engine.cancel(first)).toEqual({ kind: 'ended' });
  const third = await engine.start('plain', inSession(session));
  expect(await engine.ended(third)).toMatchObject({ status: 'completed' });
});

it('C8.4 after a cancel in the stream the next turn reads the text with its marker', async () => {
  const session = randomUUID();
  const first = await engine.start('hold stream', inSession(session));
  await engine.shown(first, 'Half an');
  await engine.cancel(first);
  await engine.ended(first);
  const second = await engine.start('plain', inSession(session));
  expect(await engine.ended(second)).toMatchObject({ status: 'completed', answer: 'plain answer' });
  await expectSound(engine, second);
  const { head } = await engine.store.transcript.ofTurn(second);
  const whole = (await engine.store.transcript.load(second, head)) ?? [];
  expect(whole[1]).toMatchObject({ kind: 'assistant', text: 'Half an ', cut: 'interrupted' });
});
