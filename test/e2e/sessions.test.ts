// Sessions (C12.3): one turn at a time, in order, on one transcript.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { outgoingMessages } from '../../core/outgoing.ts';
import { until } from '../support/until.ts';
import { type Engine, expectSound, startEngine } from './support/engine.ts';
import { call, scriptOf } from './support/script.ts';

let engine: Engine;
beforeAll(async () => {
  const onLast = (text: string, answer: object) => ({ when: { last_user: { contains: text } }, ...answer });
  engine = await startEngine({
    script: scriptOf({ working: [{ calls: [call('look', { name: 'working' })] }, { say: 'worked' }] }, [
      { when: { last_user: { contains: 'hold' }, step: 1 }, calls: [call('look_held', { name: '{{last_user}}' })] },
      onLast('turn', { say: 'answer {{assistants}} to {{last_user}}' }),
    ]),
  });
});
afterAll(() => engine.close());

it('C12.3 ten turns sent at once run one at a time, and each stands on the one before', async () => {
  const session = randomUUID();
  const sent = await Promise.all(
    Array.from({ length: 10 }, (_, index) => engine.start(`turn ${index + 1}`, { session })),
  );
  const rows = await Promise.all(sent.map((turnId) => engine.ended(turnId)));
  expect(rows.map(({ status }) => status)).toEqual(sent.map(() => 'completed'));
  const ran = rows.toSorted((a, b) => (a.startedAt ?? 0) - (b.startedAt ?? 0));
  for (const [index, row] of ran.entries()) {
    // `assistants` counts the answers that the model was shown: each turn sees all earlier ones.
    expect(row.answer).toBe(`answer ${index} to ${row.text}`);
    const before = ran[index - 1];
    if (before) expect(row.startedAt).toBeGreaterThanOrEqual(before.endedAt ?? Number.POSITIVE_INFINITY);
    await expectSound(engine, row.turnId);
  }
  const last = ran.at(-1);
  const whole = (await engine.store.transcript.load(last?.turnId ?? '', last?.head ?? '')) ?? [];
  expect(whole.map(({ kind }) => kind)).toEqual(ran.flatMap(() => ['user', 'assistant']));
  expect((await engine.store.sessions.get(session))?.head).toBe(last?.head);
});

it('C12.3 turns that wait in the queue run in the order in which they came', async () => {
  const session = randomUUID();
  const first = await engine.start('hold-one', { session });
  await engine.running('hold-one');
  const waiting: string[] = [];
  for (let nth = 1; nth <= 5; nth++) waiting.push(await engine.start(`turn ${nth}`, { session }));
  const state = await engine.client.workflow.getHandle(`session-${session}`).query('sessionState');
  expect(state).toEqual({ running: first, queued: waiting });
  // The same start again, as the reconciler repeats it, queues nothing twice.
  const again = { turnId: waiting[2] ?? '', agent: 'main', session, origin: 'cli', summary: 'again' };
  expect(await engine.desk.start(again)).toEqual({ kind: 'started' });
  await engine.release('hold-one');
  const rows = await Promise.all([first, ...waiting].map((turnId) => engine.ended(turnId)));
  const order = rows.toSorted((a, b) => (a.startedAt ?? 0) - (b.startedAt ?? 0)).map(({ turnId }) => turnId);
  expect(order).toEqual([first, ...waiting]);
  await until(
    () => engine.client.workflow.getHandle(`session-${session}`).query<{ running: unknown }>('sessionState'),
    ({ running }) => running === null,
    'the session to rest',
  );
});

it('C12.5 the second turn sees the first one’s round, call and result together', async () => {
  const session = randomUUID();
  const first = await engine.start('working', { session });
  expect(await engine.ended(first)).toMatchObject({ answer: 'worked' });
  const second = await engine.start('turn two', { session });
  const { head } = await engine.ended(second);
  await expectSound(engine, second);
  const shown = outgoingMessages((await engine.store.transcript.load(second, head)) ?? []);
  expect(shown.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'assistant', 'user', 'assistant']);
  expect(shown[2]).toMatchObject({ results: [{ name: 'look', text: 'ran working', success: true }] });
});

it('C12.3 sessions do not wait for each other, and see nothing of each other', async () => {
  const [one, two] = [randomUUID(), randomUUID()];
  const held = await engine.start('hold-two', { session: one });
  const other = await engine.start('turn other', { session: two });
  expect(await engine.ended(other)).toMatchObject({ answer: 'answer 0 to turn other' });
  expect((await engine.turn(held)).endedAt).toBeUndefined();
  await engine.release('hold-two');
  expect(await engine.ended(held)).toMatchObject({ status: 'completed' });
});
