/** Turns of a session stand on each other; what an interrupted one left open is closed before the next one begins. */
import { expect, it } from 'vitest';
import { begunTurn, doneStep, endInput, newTurn, openTestStore, record, results, T0 } from '../support/store.ts';

const session = { session: 's' };

it('C12.5 a later turn sees the rounds of the earlier ones', async () => {
  const store = await openTestStore();
  await doneStep(store, 't1', 1, { head: await begunTurn(store, 't1', session) });
  await store.turns.end(endInput('t1', { answer: 'step 1' }));
  const head = await begunTurn(store, 't2', session);
  const texts = (await store.transcript.load('t2', head))?.map((entry) => ('text' in entry ? entry.text : ''));
  expect(texts).toEqual(['please do t1', 'step 1', 'please do t2']);
  expect((await store.transcript.ofTurn('t2')).entries).toHaveLength(1);
  expect(await store.sessions.get('s')).toMatchObject({ agent: 'main', head: (await store.turns.get('t1'))?.head });
  expect(await store.sessions.list()).toHaveLength(1);
  expect(await store.sessions.get('nix')).toBeUndefined();
});

it('C6.5 an unanswered call of a turn that went away gets its recorded result, or says that it was interrupted', async () => {
  const store = await openTestStore();
  const first = await begunTurn(store, 't1', session);
  await doneStep(store, 't1', 1, { head: first, tools: ['shell', 'shell', 'file_read'] });
  const key = { turnId: 't1', step: 1, slot: 0, attempt: 1 };
  await store.ledger.begin({ ...key, worker: 'w', activityId: 'a', events: [] });
  await store.ledger.outcome({ ...key, record: record(1, 0, 'real') });
  await store.ledger.begin({ ...key, slot: 1, worker: 'w', activityId: 'b', events: [] });
  const head = await begunTurn(store, 't2', session);
  const loaded = await store.transcript.load('t2', head);
  expect(loaded?.[2]).toMatchObject({
    kind: 'results',
    step: 1,
    results: [
      { callId: 'c1-0', text: 'real', success: true },
      {
        callId: 'c1-1',
        text: expect.stringMatching(/^\[interrupted before this tool.*may have taken effect/),
        success: false,
      },
      { callId: 'c1-2', text: '[interrupted before this tool produced a result] It did not run.', success: false },
    ],
  });
  const slots = await store.turns.slots('t1');
  expect(slots.map((slot) => slot.status)).toEqual(['done', 'unknown', 'interrupted']);
  expect(loaded).toHaveLength(4);
});

it('C6.5 the end of a turn closes its tail itself, with one result event for each call', async () => {
  const store = await openTestStore();
  await doneStep(store, 't1', 1, { head: await begunTurn(store, 't1', session), tools: ['shell'] });
  await store.turns.end(endInput('t1'));
  const { entries, head } = await store.transcript.ofTurn('t1');
  expect(entries.map((entry) => entry.kind)).toEqual(['user', 'assistant', 'results']);
  const types = (await store.events.after('t1', 0)).map((event) => event.type);
  expect(types).toEqual(['turn_started', 'tool_call', 'tool_result', 'turn_ended']);
  await begunTurn(store, 't2', session);
  expect((await store.transcript.ofTurn('t1')).head).toBe(head);
});

it('a turn that is ended long after the next one began leaves the session where it is', async () => {
  const store = await openTestStore();
  await begunTurn(store, 't1', session);
  await doneStep(store, 't2', 1, { head: await begunTurn(store, 't2', session) });
  await store.turns.end(endInput('t2'));
  await store.turns.end(endInput('t1'));
  expect((await store.sessions.get('s'))?.head).toBe((await store.turns.get('t2'))?.head);
});

it('a turn that was cancelled before it began leaves no trace in its session', async () => {
  const store = await openTestStore();
  await store.turns.enqueue(newTurn('t1', session));
  await store.turns.requestCancel('t1', { by: 'ann', reason: '', at: T0 });
  const head = await begunTurn(store, 't2', session);
  expect(await store.transcript.load('t2', head)).toHaveLength(1);
});

it('turns without a session know nothing of each other', async () => {
  const store = await openTestStore();
  const one = await doneStep(store, 't1', 1, { head: await begunTurn(store, 't1'), tools: ['shell'] });
  await doneStep(store, 't1', 2, { head: one, entries: [results(1, ['ok'])] });
  expect(await store.transcript.load('t2', await begunTurn(store, 't2'))).toHaveLength(1);
});
