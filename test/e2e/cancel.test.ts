// A cancel at every wait of a turn: what was shown stays, what runs is told, and nothing begins any more.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { markedProcesses } from '../support/marked-processes.ts';
import { until } from '../support/until.ts';
import { type Engine, expectSound, startEngine } from './support/engine.ts';
import { call, HELD, scriptOf } from './support/script.ts';

/** A number of seconds that no other command on this machine sleeps for. */
const marker = `${10_000 + Math.floor(Math.random() * 1_000_000)}.5`;
const INTERRUPTED = '[interrupted before this tool produced a result]';

let engine: Engine;
beforeAll(async () => {
  engine = await startEngine({
    script: scriptOf({
      stream: [{ say: ['This much was shown. ', HELD, 'This never.'] }],
      shell: [
        { calls: [call('shell', { command: `echo begun > begun.txt; sleep ${marker} | sleep ${marker}` })] },
        { say: 'never' },
      ],
      approval: [{ calls: [call('act', { name: 'approval' })] }, { say: 'never' }],
      question: [{ calls: [call('ask_user', { question: 'Well?' })] }, { say: 'never' }],
      wait: [{ calls: [call('wait', { seconds: 3_600 })] }, { say: 'never' }],
      parallel: [
        { calls: [call('look', { name: 'p1' }), call('look_held', { name: 'p2' }), call('act_held', { name: 'p3' })] },
        { say: 'never' },
      ],
      between: [{ calls: [call('look', { name: 'between' })] }, { say: 'never' }],
      settling: [{ calls: [call('act', { name: 'settling' })] }, { say: 'never' }],
      beginning: [{ calls: [call('look', { name: 'b1' }), call('look', { name: 'b2' })] }, { say: 'never' }],
      tail: [{ calls: ['t1', 't2', 't3'].map((name) => call('act_held', { name })) }, { say: 'never' }],
      stubborn: [{ calls: [call('look_held', { name: 'stubborn', stubborn: true })] }, { say: 'never' }],
      stored: [{ say: 'I look. ', calls: [call('look', { name: 'stored' }), call('act', { name: 'stored' })] }],
      unheard: [{ say: 'Whole answer.' }],
      ending: [{ say: 'All done.' }],
    }),
    agent: '    policy: { auto_approve: [act_held] }\n    cancel_grace: 1s',
  });
});
afterAll(() => engine.close());

/** Cancels as the gateway does, and sees that everybody agrees on the end. */
async function cancelled(turnId: string) {
  expect(await engine.cancel(turnId)).toMatchObject({ kind: 'cancelled', outcome: { state: 'cancelling' } });
  return endedCancelled(turnId);
}

async function endedCancelled(turnId: string) {
  const row = await engine.ended(turnId);
  expect(row).toMatchObject({
    status: 'cancelled',
    stopReason: 'cancelled',
    cancel: { by: 'tester', reason: 'enough' },
  });
  expect(await engine.closed(turnId)).toBe('CANCELLED');
  await expectSound(engine, turnId);
  expect(await engine.cancel(turnId)).toEqual({ kind: 'ended' });
  expect((await engine.events(turnId)).at(-1)).toMatchObject({ type: 'turn_ended', status: 'cancelled' });
  return row;
}

const texts = async (turnId: string) => (await engine.results(turnId)).map(({ text }) => text);

it('C8.4 during the stream: the text that was shown is kept with a marker', async () => {
  const turnId = await engine.start('stream');
  await engine.shown(turnId, 'This much was shown.');
  await cancelled(turnId);
  expect((await engine.entries(turnId)).at(-1)).toMatchObject({
    kind: 'assistant',
    text: 'This much was shown. ',
    cut: 'interrupted',
  });
  await engine.shown(turnId, 'This much was shown. ');
});

it('C6.5 during a shell command: its whole group is dead, and the call is unknown', async () => {
  const turnId = await engine.start('shell');
  await engine.decide(await engine.question(turnId), 'approve');
  await until(
    () => markedProcesses(marker),
    (found) => found.length >= 2,
    'both commands to run',
  );
  await cancelled(turnId);
  await until(
    () => markedProcesses(marker),
    (found) => found.length === 0,
    'the whole group to be gone',
  );
  expect(await texts(turnId)).toEqual([expect.stringContaining('may have taken effect')]);
  expect(await engine.slots(turnId)).toMatchObject([{ status: 'unknown' }]);
});

it('C6.5 B28 while an approval is open: withdrawn, and a late answer runs nothing', async () => {
  const turnId = await engine.start('approval');
  const question = await engine.question(turnId);
  await cancelled(turnId);
  expect(await texts(turnId)).toEqual([`${INTERRUPTED} It did not run.`]);
  expect(await engine.slots(turnId)).toMatchObject([{ status: 'interrupted' }]);
  expect(await engine.store.questions.get(question.approvalId)).toMatchObject({ state: 'withdrawn' });
  const resolved = (await engine.events(turnId)).filter(({ type }) => type === 'approval_resolved');
  expect(resolved).toMatchObject([{ state: 'withdrawn', by: 'tester' }]);
  expect(await engine.decide(question, 'approve')).toBe('withdrawn');
  expect(await engine.runs('approval')).toBe(0);
});

it('C6.5 while the person is asked: withdrawn too', async () => {
  const turnId = await engine.start('question');
  const question = await engine.question(turnId);
  await cancelled(turnId);
  expect(await engine.decide(question, 'answer', { text: 'late' })).toBe('withdrawn');
});

it('C8.4 during a timer', async () => {
  const turnId = await engine.start('wait');
  await until(
    () => engine.events(turnId),
    (events) => events.some(({ type }) => type === 'tool_call'),
    'the timer to run',
  );
  await cancelled(turnId);
  expect(await engine.slots(turnId)).toMatchObject([{ status: 'interrupted' }]);
});

it('C6.5 during parallel tools: a finished one keeps its result, one with an effect is unknown', async () => {
  const turnId = await engine.start('parallel');
  await Promise.all([engine.running('p2'), engine.running('p3')]);
  await until(
    () => engine.slots(turnId),
    ([first]) => first?.status === 'done',
    'the first call to be done',
  );
  await cancelled(turnId);
  expect(await texts(turnId)).toEqual(['ran p1', INTERRUPTED, expect.stringContaining('may have taken effect')]);
  const statuses = (await engine.slots(turnId)).map(({ status }) => status);
  expect(statuses).toEqual(['done', 'interrupted', 'unknown']);
});

it('C6.5 in a sequential batch: the tail is stopped and says that it did not run', async () => {
  const turnId = await engine.start('tail');
  await engine.running('t1');
  await engine.release('t1');
  await engine.running('t2');
  await cancelled(turnId);
  const statuses = (await engine.slots(turnId)).map(({ status }) => status);
  expect(statuses).toEqual(['done', 'unknown', 'interrupted']);
  expect((await texts(turnId))[2]).toBe(`${INTERRUPTED} It did not run.`);
  expect(await engine.runs('t3')).toBe(0);
});

it('C8.4 between iterations: no model is asked any more', async () => {
  const turnId = `t${randomUUID()}`;
  const gate = engine.gates.hold('transcript.openStep', turnId, 2);
  await engine.start('between', { turnId });
  await gate.reached;
  const ended = cancelled(turnId);
  await until(
    () => engine.turn(turnId),
    (row) => row.cancel !== undefined,
    'the flag',
  );
  gate.open();
  await ended;
  expect(await texts(turnId)).toEqual(['ran between']);
  expect((await engine.entries(turnId)).filter(({ kind }) => kind === 'assistant')).toHaveLength(1);
});

it('T4 while an approval is being settled: it counts as given, and the call does not start', async () => {
  const turnId = await engine.start('settling');
  const question = await engine.question(turnId);
  const gate = engine.gates.hold('questions.settle', turnId);
  const answer = engine.decide(question, 'approve');
  await gate.reached;
  const ended = cancelled(turnId);
  await until(
    () => engine.turn(turnId),
    (row) => row.cancel !== undefined,
    'the flag',
  );
  gate.open();
  await ended;
  expect(['accepted', 'withdrawn']).toContain(await answer);
  expect(await engine.runs('settling')).toBe(0);
  expect(await texts(turnId)).toEqual([`${INTERRUPTED} It did not run.`]);
});

it('C6.5 B25 no tool starts after a cancel was accepted, although its activity was under way', async () => {
  const turnId = `t${randomUUID()}`;
  const gate = engine.gates.hold('ledger.begin', turnId);
  await engine.start('beginning', { turnId });
  await gate.reached;
  expect(await engine.cancel(turnId)).toMatchObject({ kind: 'cancelled' });
  gate.open();
  await endedCancelled(turnId);
  expect([await engine.runs('b1'), await engine.runs('b2')]).toEqual([0, 0]);
  for (const text of await texts(turnId)) expect(text).toBe(`${INTERRUPTED} It did not run.`);
});

it('C6.5 a tool that ignores the cancel is not waited for longer than its grace, and its late result changes nothing', async () => {
  const turnId = await engine.start('stubborn');
  await engine.running('stubborn');
  await cancelled(turnId);
  const before = { events: await engine.events(turnId), texts: await texts(turnId) };
  expect(before.texts).toEqual([INTERRUPTED]);
  await engine.release('stubborn');
  // Its worker is idle again once the tool has come back.
  await engine.worker.shutdown();
  await engine.addWorker();
  expect({ events: await engine.events(turnId), texts: await texts(turnId) }).toEqual(before);
});

it('C8.4 after the reply was stored and before the turn heard of it: its calls are answered, none runs', async () => {
  const turnId = `t${randomUUID()}`;
  const gate = engine.gates.hold('transcript.closeStep', turnId, 1, 'after');
  await engine.start('stored', { turnId });
  await gate.reached;
  await cancelled(turnId);
  gate.open();
  expect(await texts(turnId)).toEqual([`${INTERRUPTED} It did not run.`, `${INTERRUPTED} It did not run.`]);
  expect((await engine.entries(turnId)).map(({ kind }) => kind)).toEqual(['user', 'assistant', 'results']);
  expect(await engine.runs('stored')).toBe(0);
});

it('C8.4 the same with an answer: what was stored stays whole', async () => {
  const turnId = `t${randomUUID()}`;
  const gate = engine.gates.hold('transcript.closeStep', turnId, 1, 'after');
  await engine.start('unheard', { turnId });
  await gate.reached;
  await cancelled(turnId);
  gate.open();
  const entries = await engine.entries(turnId);
  expect(entries.map((entry) => (entry.kind === 'assistant' ? entry.text : entry.kind))).toEqual([
    'user',
    'Whole answer.',
  ]);
});

it('C8.4 while the reply is being stored: the shown text is kept, and the late reply is refused', async () => {
  const turnId = `t${randomUUID()}`;
  const gate = engine.gates.hold('transcript.closeStep', turnId, 1);
  await engine.start('stored', { turnId });
  await gate.reached;
  await cancelled(turnId);
  const before = { entries: await engine.entries(turnId), events: await engine.events(turnId) };
  gate.open();
  await engine.worker.shutdown();
  await engine.addWorker();
  expect({ entries: await engine.entries(turnId), events: await engine.events(turnId) }).toEqual(before);
  expect(await engine.runs('stored')).toBe(0);
});

it('C8.3 during the final save: one that was accepted before it decides, one after it is refused', async () => {
  const turnId = `t${randomUUID()}`;
  const gate = engine.gates.hold('turns.end', turnId);
  await engine.start('ending', { turnId });
  await gate.reached;
  const cancel = engine.cancel(turnId);
  await until(
    () => engine.turn(turnId),
    (row) => row.cancel !== undefined,
    'the flag',
  );
  gate.open();
  expect(await cancel).toMatchObject({ kind: 'cancelled' });
  await endedCancelled(turnId);
  const late = await engine.start('ending');
  expect(await engine.ended(late)).toMatchObject({ status: 'completed', answer: 'All done.' });
  expect(await engine.cancel(late)).toEqual({ kind: 'ended' });
});
