/** Steering: bounded, never doubled, never lost. */
import { expect, it } from 'vitest';
import { begunTurn, endInput, openTestStore, T0 } from '../support/store.ts';

const flag = { by: 'ann', reason: '', at: T0 };
const message = (id: string, turnId = 't1') => ({ id, turnId, text: `text ${id}`, by: 'bob', at: T0 });

it('C8.3 a queue of 32, over it a clear refusal; the same id is the same message', async () => {
  const store = await openTestStore();
  await begunTurn(store, 't1');
  for (let n = 0; n < 32; n++) expect(await store.steering.add(message(`m${n}`))).toMatchObject({ state: 'pending' });
  expect(await store.steering.add(message('m32'))).toBe('full');
  expect(await store.steering.add(message('m31'))).toMatchObject({ id: 'm31', text: 'text m31', by: 'bob' });
  expect((await store.steering.ofTurn('t1')).map((row) => row.id)).toEqual(
    Array.from({ length: 32 }, (_, n) => `m${n}`),
  );
  expect(await store.steering.ofTurn('t1', 'taken')).toEqual([]);
});

it('C8.3 the sender is told that the turn has ended, or is not there', async () => {
  const store = await openTestStore();
  await begunTurn(store, 't1');
  expect(await store.steering.add(message('m1', 'nix'))).toBe('missing');
  await store.turns.end(endInput('t1'));
  expect(await store.steering.add(message('m1'))).toBe('ended');
  expect(await store.steering.get('m1')).toBeUndefined();
});

it('C8.3 a message that reaches the workflow after the end is handed on or refused, never dropped', async () => {
  const store = await openTestStore();
  await begunTurn(store, 't1', { session: 's' });
  await begunTurn(store, 't2');
  for (const turnId of ['t1', 't2']) await store.turns.end(endInput(turnId));
  expect(await store.steering.addLate(message('m1'))).toMatchObject({ state: 'handed_on' });
  expect(await store.steering.addLate(message('m1'))).toMatchObject({ state: 'handed_on' });
  expect(await store.steering.addLate(message('m2', 't2'))).toMatchObject({ state: 'refused' });
  expect(await store.steering.addLate(message('m3', 'nix'))).toBe('missing');
  expect(await store.steering.adopt({ session: 's', ids: ['m1'], turnId: 't3' })).toMatchObject({ text: 'text m1' });
});

it('C8.3 after an accepted cancel only a session still takes messages', async () => {
  const store = await openTestStore();
  await begunTurn(store, 't1');
  await begunTurn(store, 't2', { session: 's' });
  for (const turnId of ['t1', 't2']) await store.turns.requestCancel(turnId, flag);
  expect(await store.steering.add(message('m1', 't1'))).toBe('ended');
  expect(await store.steering.add(message('m2', 't2'))).toMatchObject({ state: 'pending' });
});

it('those that were not sent on are found again while their turn is open', async () => {
  const store = await openTestStore();
  await begunTurn(store, 't1');
  await store.steering.add(message('m1'));
  expect(await store.steering.unsent(T0)).toEqual([]);
  expect((await store.steering.unsent(T0 + 1)).map((row) => row.id)).toEqual(['m1']);
  await store.turns.end(endInput('t1'));
  expect(await store.steering.unsent(T0 + 1)).toEqual([]);
});

it('C8.3 what was handed on becomes one next turn of the session', async () => {
  const store = await openTestStore();
  await begunTurn(store, 't1', { session: 's', allowedTools: ['shell'], approvals: 'park' });
  await store.steering.add(message('m1'));
  await store.steering.add(message('m2'));
  const ids = (await store.turns.end(endInput('t1'))).handedOn;
  const next = await store.steering.adopt({ session: 's', ids, turnId: 't2' });
  expect(next).toMatchObject({
    ...{ turnId: 't2', session: 's', agent: 'main', status: 'queued', text: 'text m1\n\ntext m2' },
    ...{ allowedTools: ['shell'], approvals: 'park', origin: { surface: 'cli', by: 'bob' } },
  });
  expect(await store.steering.adopt({ session: 's', ids, turnId: 't3' })).toMatchObject({ turnId: 't2' });
  expect(await store.turns.get('t3')).toBeUndefined();
  expect(await store.steering.adopt({ session: 'other', ids, turnId: 't4' })).toBeUndefined();
  expect(await store.steering.adopt({ session: 's', ids: ['nix'], turnId: 't4' })).toBeUndefined();
});
