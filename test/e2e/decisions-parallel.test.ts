// Several questions of one response: all open at once, decided in any order, and nothing waits that need not.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Engine, expectSound, startEngine } from './support/engine.ts';
import { call, scriptOf } from './support/script.ts';

let engine: Engine;
beforeAll(async () => {
  engine = await startEngine({
    script: scriptOf({
      B07: [
        { calls: [call('act', { name: 'b07x' }), call('act', { name: 'b07y' }), call('look', { name: 'b07z' })] },
        { say: 'done' },
      ],
      B08: [{ calls: [call('act', { name: 'b08-alpha' }), call('act', { name: 'b08-beta' })] }, { say: 'done' }],
      B11: [{ calls: [call('act', { name: 'b11q1' }), call('look', { name: 'b11q2' })] }, { say: 'done' }],
      strict: [
        { calls: [call('act', { name: 's1' }), call('look', { name: 's2' }), call('act', { name: 's3' })] },
        { say: 'done' },
      ],
      mixed: [{ calls: ['m1', 'm2', 'm3', 'm4'].map((name) => call('act', { name })) }, { say: '{{last_result}}' }],
    }),
    agent: `    policy: {}
  strict:
    model: play/small
    workspace: ./workspace
    parallel_tools: false`,
  });
});
afterAll(() => engine.close());

const runsOf = (...names: string[]) => Promise.all(names.map((name) => engine.runs(name)));

it('B07 exactly the gated calls are pending; the free one runs once and keeps its result', async () => {
  const turnId = await engine.start('B07');
  const [x, y] = await engine.questions(turnId, 2);
  expect([x?.callId, y?.callId]).toEqual(['c1-0', 'c1-1']);
  await engine.running('b07z');
  expect(await runsOf('b07x', 'b07y', 'b07z')).toEqual([0, 0, 1]);
  if (!x || !y) throw new Error('two questions');
  expect(await engine.decide(y, 'approve')).toBe('accepted');
  await engine.running('b07y');
  expect(await engine.questions(turnId, 1)).toMatchObject([{ callId: 'c1-0', state: 'open' }]);
  expect(await engine.decide(x, 'approve')).toBe('accepted');
  await engine.ended(turnId);
  await expectSound(engine, turnId);
  expect(await runsOf('b07x', 'b07y', 'b07z')).toEqual([1, 1, 1]);
  // C6.7: in the model's order, whatever ran first.
  expect((await engine.results(turnId)).map(({ text }) => text)).toEqual(['ran b07x', 'ran b07y', 'ran b07z']);
});

it('B08 after the first answer that call runs with its own arguments while the other stays pending', async () => {
  const turnId = await engine.start('B08');
  const [alpha, beta] = await engine.questions(turnId, 2);
  if (!alpha || !beta) throw new Error('two questions');
  await engine.decide(beta, 'approve');
  await engine.running('b08-beta');
  expect(await engine.runs('b08-alpha')).toBe(0);
  await engine.decide(alpha, 'approve');
  await engine.ended(turnId);
  await expectSound(engine, turnId);
  expect(await runsOf('b08-alpha', 'b08-beta')).toEqual([1, 1]);
});

it('B11 C5.8 a second call beside it does not switch asking off, however the turn was started', async () => {
  const turnId = await engine.start('B11', { origin: { surface: 'http', by: 'webhook' }, approvals: 'park' });
  const question = await engine.question(turnId);
  await engine.running('b11q2');
  expect(await engine.runs('b11q1')).toBe(0);
  await engine.decide(question, 'approve');
  await engine.ended(turnId);
  await expectSound(engine, turnId);
  expect(await runsOf('b11q1', 'b11q2')).toEqual([1, 1]);
});

it('C4.11 with parallel_tools off the order is strict: later calls wait for an undecided one', async () => {
  const turnId = await engine.start('strict', { agent: 'strict' });
  const [first, last] = await engine.questions(turnId, 2);
  if (!first || !last) throw new Error('two questions');
  expect(await engine.decide(last, 'approve')).toBe('accepted');
  expect(await runsOf('s1', 's2', 's3')).toEqual([0, 0, 0]);
  expect(await engine.decide(first, 'deny')).toBe('accepted');
  await engine.ended(turnId);
  await expectSound(engine, turnId);
  expect(await runsOf('s1', 's2', 's3')).toEqual([0, 1, 1]);
});

it('C4.11 four answers at once, of four kinds, each meet their own call', async () => {
  const turnId = await engine.start('mixed');
  const [one, two, three, four] = await engine.questions(turnId, 4);
  if (!one || !two || !three || !four) throw new Error('four questions');
  const answers = await Promise.all([
    engine.decide(four, 'approve'),
    engine.decide(two, 'deny', { note: 'not this' }),
    engine.decide(three, 'replace', { text: 'by hand' }),
    engine.decide(one, 'edit', { arguments: { name: 'm1-edited' } }),
  ]);
  expect(answers).toEqual(['accepted', 'accepted', 'accepted', 'accepted']);
  await engine.ended(turnId);
  await expectSound(engine, turnId);
  expect(await engine.slots(turnId)).toMatchObject(
    ['done', 'denied', 'replaced', 'done'].map((status) => ({ status })),
  );
  expect(await runsOf('m1', 'm1-edited', 'm2', 'm3', 'm4')).toEqual([0, 1, 0, 0, 1]);
});
