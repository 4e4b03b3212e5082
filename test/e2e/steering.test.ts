// Messages into a running turn, at every point of it: answered, or their sender is told; none is lost, none doubled.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { until } from '../support/until.ts';
import { type Engine, expectSound, startEngine } from './support/engine.ts';
import { call, HELD, scriptOf } from './support/script.ts';

let engine: Engine;
beforeAll(async () => {
  engine = await startEngine({
    script: scriptOf({
      stream: [{ say: ['One, ', 'two.'] }],
      tool: [{ calls: [call('look_held', { name: 'tool' }), call('look', { name: 'tool-2' })] }],
      waiting: [{ calls: [call('act', { name: 'waiting' })] }],
      begin: [],
      ending: [{ say: 'first answer' }],
      full: [{ calls: [call('look_held', { name: 'full' })] }],
      twice: [{ calls: [call('look_held', { name: 'twice' })] }],
      cancelled: [{ calls: [call('look_held', { name: 'cancelled' })] }],
      cut: [{ calls: [call('look_held', { name: 'cut' })] }, { say: ['Half ', HELD] }],
    }),
    agent: '    cancel_grace: 1s',
  });
});
afterAll(() => engine.close());

const accepted = (id: string) => ({ kind: 'steered', outcome: { id, state: 'accepted' } });

async function ended(turnId: string) {
  const row = await engine.ended(turnId);
  await expectSound(engine, turnId);
  return row;
}

/** What people said, in the order in which the model read it. */
const userTexts = async (turnId: string) =>
  (await engine.entries(turnId)).flatMap((entry) => (entry.kind === 'user' ? [entry.text] : []));

const steeringEvents = async (turnId: string) =>
  (await engine.events(turnId)).flatMap((event) => (event.type === 'steering' ? [`${event.id} ${event.state}`] : []));

it('C8.3 during the stream: answered in this turn, after the answer that was under way', async () => {
  const turnId = `t${randomUUID()}`;
  const gate = engine.gates.hold('transcript.closeStep', turnId, 1);
  await engine.start('stream', { turnId });
  await gate.reached;
  expect(await engine.steer(turnId, 'and this', `${turnId}-s`)).toEqual(accepted(`${turnId}-s`));
  gate.open();
  expect(await ended(turnId)).toMatchObject({ status: 'completed', answer: 'heard: and this' });
  expect((await engine.entries(turnId)).map(({ kind }) => kind)).toEqual(['user', 'assistant', 'user', 'assistant']);
  expect(await steeringEvents(turnId)).toEqual([`${turnId}-s taken`]);
});

it('C8.3 during a tool: it interrupts nothing and stands behind the whole round', async () => {
  const turnId = await engine.start('tool');
  await engine.running('tool');
  await engine.steer(turnId, 'first');
  await engine.steer(turnId, 'second');
  await engine.release('tool');
  expect(await ended(turnId)).toMatchObject({ answer: 'heard: second' });
  expect((await engine.results(turnId)).map(({ text }) => text)).toEqual(['ran tool', 'ran tool-2']);
  const kinds = (await engine.entries(turnId)).map(({ kind }) => kind);
  // Each is a message of its own.
  expect(kinds).toEqual(['user', 'assistant', 'results', 'user', 'user', 'assistant']);
  expect(await userTexts(turnId)).toEqual(['tool', 'first', 'second']);
});

it('C8.3 while an approval is open: it waits with the turn', async () => {
  const turnId = await engine.start('waiting');
  const question = await engine.question(turnId);
  await engine.steer(turnId, 'also this');
  expect((await engine.question(turnId)).state).toBe('open');
  await engine.decide(question, 'approve');
  expect(await ended(turnId)).toMatchObject({ answer: 'heard: also this' });
});

it('C8.3 before the turn has begun: the first call reads it', async () => {
  const turnId = `t${randomUUID()}`;
  const gate = engine.gates.hold('turns.begin', turnId);
  await engine.start('begin', { turnId });
  await gate.reached;
  expect(await engine.steer(turnId, 'one more thing')).toMatchObject({ kind: 'steered' });
  gate.open();
  expect(await ended(turnId)).toMatchObject({ answer: 'heard: one more thing' });
  expect((await engine.entries(turnId)).map(({ kind }) => kind)).toEqual(['user', 'user', 'assistant']);
});

it('C8.3 during the final save of a turn alone: refused, with an event', async () => {
  const turnId = `t${randomUUID()}`;
  const gate = engine.gates.hold('turns.end', turnId);
  await engine.start('ending', { turnId });
  await gate.reached;
  const id = `late-${turnId}`;
  expect(await engine.steer(turnId, 'too late', id)).toEqual({ kind: 'ended' });
  // One by signal, past the gateway: it has nobody to tell, and is kept as refused.
  await engine.handle(turnId).signal('steer', { id: `raw-${turnId}`, text: 'by signal', by: 'a workflow' });
  gate.open();
  expect(await ended(turnId)).toMatchObject({ answer: 'first answer' });
  expect(await steeringEvents(turnId)).toContain(`${id} refused`);
  expect(await engine.closed(turnId)).toBe('COMPLETED');
  expect(await engine.store.steering.get(`raw-${turnId}`)).toMatchObject({ state: 'refused', text: 'by signal' });
  expect(await engine.steer(turnId, 'after the end')).toEqual({ kind: 'ended' });
});

it('C8.3 during the final save in a session: it becomes the session’s next turn', async () => {
  const [session, turnId] = [randomUUID(), `t${randomUUID()}`];
  const gate = engine.gates.hold('turns.end', turnId);
  await engine.start('ending', { turnId, session });
  await gate.reached;
  const id = `next-${turnId}`;
  expect(await engine.steer(turnId, 'then this', id)).toEqual({ kind: 'steered', outcome: { id, state: 'handed_on' } });
  await engine.handle(turnId).signal('steer', { id: `raw-${turnId}`, text: 'and by signal' });
  gate.open();
  expect(await ended(turnId)).toMatchObject({ answer: 'first answer' });
  const next = await nextOf(session, turnId);
  const { answer, text } = await ended(next);
  expect(text).toBe('then this\n\nand by signal');
  expect(answer).toBe('heard: then this\n\nand by signal');
  expect(await steeringEvents(turnId)).toEqual([`${id} handed_on`]);
  // The repeat of a message that was handed on says so, and does nothing.
  expect(await engine.steer(turnId, 'then this', id)).toEqual({ kind: 'steered', outcome: { id, state: 'handed_on' } });
  expect((await engine.store.turns.list({ session })).items).toHaveLength(2);
});

it('C8.3 a queue of 32: the 33rd is refused clearly, and all 32 are read in order', async () => {
  const turnId = await engine.start('full');
  await engine.running('full');
  const texts = Array.from({ length: 32 }, (_, index) => `message ${index + 1}`);
  for (const text of texts) expect(await engine.steer(turnId, text)).toMatchObject({ kind: 'steered' });
  expect(await engine.steer(turnId, 'message 33')).toEqual({ kind: 'full' });
  await engine.release('full');
  expect(await ended(turnId)).toMatchObject({ answer: 'heard: message 32' });
  expect(await userTexts(turnId)).toEqual(['full', ...texts]);
});

it('C8.3 a repeated id does nothing; the same id with other words is refused', async () => {
  const turnId = await engine.start('twice');
  await engine.running('twice');
  const id = randomUUID();
  const sent = [engine.steer(turnId, 'once', id), engine.steer(turnId, 'once', id), engine.steer(turnId, 'once', id)];
  for (const answer of await Promise.all(sent)) expect(answer).toMatchObject({ kind: 'steered' });
  await engine.handle(turnId).signal('steer', { id });
  expect(await engine.steer(turnId, 'other words', id)).toEqual({ kind: 'conflict' });
  await engine.release('twice');
  await ended(turnId);
  expect(await userTexts(turnId)).toEqual(['twice', 'once']);
  expect(await engine.steer(turnId, 'once', id)).toMatchObject({ kind: 'steered', outcome: { state: 'taken' } });
});

it('C8.3 what a cancelled turn had not read is refused with an event, or the session’s next turn reads it', async () => {
  for (const session of [undefined, randomUUID()]) {
    const turnId = `t${randomUUID()}`;
    await engine.start('cancelled', { turnId, ...(session ? { session } : {}) });
    await until(
      () => engine.slots(turnId),
      ([slot]) => slot?.status === 'running',
      'the tool to run',
    );
    await engine.steer(turnId, 'unread', `row-${turnId}`);
    await engine.handle(turnId).signal('steer', { id: `raw-${turnId}`, text: 'unread too' });
    await engine.cancel(turnId);
    const after = await engine.steer(turnId, 'after the cancel', `after-${turnId}`);
    expect(after.kind).toBe(session ? 'steered' : 'ended');
    expect(await ended(turnId)).toMatchObject({ status: 'cancelled' });
    const state = session ? 'handed_on' : 'refused';
    expect(await steeringEvents(turnId)).toEqual(
      expect.arrayContaining([`row-${turnId} ${state}`, `raw-${turnId} ${state}`]),
    );
    if (!session) continue;
    const { text } = await ended(await nextOf(session, turnId));
    for (const unread of ['unread', 'unread too', 'after the cancel']) expect(text).toContain(unread);
  }
});

it('C8.3 what a cut call had read already is not handed on as well', async () => {
  const [session, turnId] = [randomUUID(), `t${randomUUID()}`];
  await engine.start('cut', { turnId, session });
  await engine.running('cut');
  await engine.steer(turnId, 'with a row', `row-${turnId}`);
  await engine.handle(turnId).signal('steer', { id: `raw-${turnId}`, text: 'by signal' });
  await engine.release('cut');
  await engine.shown(turnId, 'Half');
  await engine.cancel(turnId);
  expect(await ended(turnId)).toMatchObject({ status: 'cancelled' });
  expect(await userTexts(turnId)).toEqual(['cut', 'with a row', 'by signal']);
  expect(await steeringEvents(turnId)).toEqual([`row-${turnId} taken`, `raw-${turnId} taken`]);
  expect((await engine.store.turns.list({ session })).items).toHaveLength(1);
});

it('C8.3 fired at turns all along their way, each message is read, handed on or refused; none silently lost', async () => {
  const turns = await Promise.all(
    Array.from({ length: 12 }, async (_, index) => {
      const turnId = `t${randomUUID()}`;
      await engine.start('stream', { turnId, ...(index % 2 ? { session: randomUUID() } : {}) });
      const answers = await Promise.all(
        [1, 2, 3].map((nth) => engine.steer(turnId, `shot ${nth}`, `${turnId}-${nth}`)),
      );
      return { turnId, answers };
    }),
  );
  for (const { turnId, answers } of turns) {
    await ended(turnId);
    const read = (await userTexts(turnId)).slice(1);
    for (const [index, answer] of answers.entries()) {
      const row = await engine.store.steering.get(`${turnId}-${index + 1}`);
      if (!row) expect(answer).toEqual({ kind: 'ended' });
      else expect(['taken', 'handed_on', 'refused']).toContain(row.state);
      if (row?.state === 'refused') expect(answer).toEqual({ kind: 'ended' });
      expect(read.filter((text) => text === `shot ${index + 1}`)).toHaveLength(row?.state === 'taken' ? 1 : 0);
    }
    expect((await engine.entries(turnId)).at(-1)?.kind).toBe('assistant');
  }
});

async function nextOf(session: string, turnId: string): Promise<string> {
  const { items } = await until(
    () => engine.store.turns.list({ session }),
    (list) => list.items.length === 2,
    'the next turn of the session',
  );
  return items.find((row) => row.turnId !== turnId)?.turnId ?? '';
}
