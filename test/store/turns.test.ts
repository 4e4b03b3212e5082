/** Turns: the first row, lists, and what may be repeated. */
import { describe, expect, it } from 'vitest';
import { begunTurn, completed, endInput, newTurn, openTestStore, T0 } from '../support/store.ts';

describe('the first row of a turn', () => {
  it('I4 an idempotency key finds the same turn again, and refuses another request', async () => {
    const store = await openTestStore();
    const first = await store.turns.enqueue(newTurn('t1', { text: 'go', idempotencyKey: 'k' }));
    expect(first).toMatchObject({ kind: 'created', turn: { turnId: 't1', workflowId: 'turn-t1', status: 'queued' } });
    const again = await store.turns.enqueue(newTurn('t2', { text: 'go', idempotencyKey: 'k' }));
    expect(again).toMatchObject({ kind: 'existing', turn: { turnId: 't1' } });
    expect(await store.turns.enqueue(newTurn('t3', { text: 'stop', idempotencyKey: 'k' }))).toEqual({
      kind: 'conflict',
    });
    expect(await store.turns.get('t2')).toBeUndefined();
  });

  it('C2.4 keeps apart no list of tools and an empty one', async () => {
    const store = await openTestStore();
    await store.turns.enqueue(newTurn('t1'));
    await store.turns.enqueue(newTurn('t2', { allowedTools: [] }));
    expect((await store.turns.get('t1'))?.allowedTools).toBeUndefined();
    expect((await store.turns.get('t2'))?.allowedTools).toEqual([]);
  });

  it('the same turn enqueued twice is one turn', async () => {
    const store = await openTestStore();
    await store.turns.enqueue(newTurn('t1'));
    expect(await store.turns.enqueue(newTurn('t1'))).toMatchObject({ kind: 'existing' });
    expect(await store.turns.enqueue(newTurn('t1', { text: 'other' }))).toEqual({ kind: 'conflict' });
  });
});

describe('beginning', () => {
  it('C12.5 stores the message before any model is asked, once', async () => {
    const store = await openTestStore();
    const head = await begunTurn(store, 't1');
    const again = await store.turns.begin({ turnId: 't1', executionHash: 'execution', at: T0 + 5 });
    expect(again).toEqual({ kind: 'begun', head, control: {} });
    const { entries } = await store.transcript.ofTurn('t1');
    expect(entries).toEqual([{ kind: 'user', text: 'please do t1', via: 'start' }]);
    expect((await store.events.after('t1', 0)).map((event) => event.type)).toEqual(['turn_started']);
    expect(await store.turns.get('t1')).toMatchObject({ status: 'running', startedAt: T0, head });
  });

  it('C9.1 texts of events that the store words itself are rendered', async () => {
    const store = await openTestStore(undefined, { render: (text) => text.replaceAll('hunter2', '[REDACTED]') });
    await begunTurn(store, 't1', { text: 'my word is hunter2' });
    await store.turns.end(endInput('t1', { answer: 'yours is hunter2' }));
    expect(await store.events.after('t1', 0)).toMatchObject([
      { type: 'turn_started', text: 'my word is [REDACTED]' },
      { type: 'turn_ended', answer: 'yours is [REDACTED]' },
    ]);
    expect((await store.turns.get('t1'))?.text).toContain('hunter2');
  });

  it('I6 makes the row of a turn that a workflow of somebody else started', async () => {
    const store = await openTestStore();
    const { turnId: _, ...start } = newTurn('t1', { session: 's' });
    expect(await store.turns.begin({ turnId: 't1', executionHash: 'e', at: T0 })).toEqual({ kind: 'missing' });
    expect(await store.turns.begin({ turnId: 't1', start, executionHash: 'e', at: T0 })).toMatchObject({
      kind: 'begun',
    });
    expect(await store.turns.get('t1')).toMatchObject({ agent: 'main', session: 's', workflowId: 'turn-t1' });
  });

  it('C8.4 a turn that was cancelled in the queue never begins', async () => {
    const store = await openTestStore();
    await store.turns.enqueue(newTurn('t1'));
    expect(await store.turns.requestCancel('t1', { by: 'ann', reason: 'no', at: T0 })).toBe('ended_now');
    expect(await store.turns.begin({ turnId: 't1', executionHash: 'e', at: T0 })).toMatchObject({
      kind: 'closed',
      outcome: { status: 'cancelled', stopReason: 'cancelled' },
    });
    expect(await store.events.after('t1', 0)).toMatchObject([{ number: 1, type: 'turn_ended', status: 'cancelled' }]);
  });

  it('C8.10 tells a turn that begins what flags stand', async () => {
    const store = await openTestStore();
    const flag = { by: 'ann', reason: 'lunch', at: T0 };
    await store.control.pause(flag);
    await store.turns.enqueue(newTurn('t1'));
    const begun = await store.turns.begin({ turnId: 't1', executionHash: 'e', at: T0 });
    expect(begun).toMatchObject({ kind: 'begun', control: { paused: flag } });
  });
});

describe('status and cancel flag', () => {
  it('the first cancel stays, and an ended turn has none', async () => {
    const store = await openTestStore();
    await begunTurn(store, 't1');
    const cancel = (by: string) => store.turns.requestCancel('t1', { by, reason: '', at: T0 });
    expect([await cancel('ann'), await cancel('bob')]).toEqual(['flagged', 'already_flagged']);
    expect((await store.turns.get('t1'))?.cancel?.by).toBe('ann');
    await store.turns.end(endInput('t1'));
    expect(await cancel('cid')).toBe('has_ended');
    expect(await store.turns.requestCancel('nix', { by: 'ann', reason: '', at: T0 })).toBe('missing');
  });

  it('a status that comes after the end changes nothing', async () => {
    const store = await openTestStore();
    await begunTurn(store, 't1');
    await store.turns.setStatus('t1', 'waiting_approval', 4);
    expect(await store.turns.get('t1')).toMatchObject({ status: 'waiting_approval', iteration: 4 });
    await store.turns.end(endInput('t1'));
    await store.turns.setStatus('t1', 'running');
    expect((await store.turns.get('t1'))?.status).toBe('completed');
  });
});

describe('lists', () => {
  async function withFive() {
    let clock = T0;
    const store = await openTestStore(undefined, { now: () => clock++ });
    for (const n of [1, 2, 3, 4, 5]) {
      await store.turns.enqueue(
        newTurn(`t${n}`, { text: n === 2 ? '100% sure_' : `text ${n}`, agent: n > 3 ? 'b' : 'a' }),
      );
    }
    return store;
  }

  it('I4 pages of turns are newest first and lose nothing', async () => {
    const store = await withFive();
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await store.turns.list({ limit: 2, ...(cursor === undefined ? {} : { cursor }) });
      seen.push(...page.items.map((turn) => turn.turnId));
      cursor = page.next;
    } while (cursor !== undefined);
    expect(seen).toEqual(['t5', 't4', 't3', 't2', 't1']);
  });

  it('I4 filters by status, agent and words, which are taken literally', async () => {
    const store = await withFive();
    const ids = async (filter: Parameters<typeof store.turns.list>[0]) =>
      (await store.turns.list(filter)).items.map((turn) => turn.turnId);
    await store.turns.begin({ turnId: 't4', executionHash: 'e', at: T0 });
    await store.turns.end(endInput('t4', { answer: 'forty-two' }));
    expect(await ids({ agent: 'b' })).toEqual(['t5', 't4']);
    expect(await ids({ status: ['completed'] })).toEqual(['t4']);
    expect(await ids({ status: ['queued', 'running'], agent: 'b' })).toEqual(['t5']);
    expect(await ids({ q: 'ty-tw' })).toEqual(['t4']);
    expect(await ids({ q: '0% sure_' })).toEqual(['t2']);
    expect(await ids({ q: 't_x' })).toEqual([]);
    expect((await store.turns.open()).map((turn) => turn.turnId)).toEqual(['t1', 't2', 't3', 't5']);
  });

  it('a cursor that is none of ours is told', async () => {
    const store = await openTestStore();
    await expect(store.turns.list({ cursor: 'zzz' })).rejects.toThrow(/cursor of this page is not valid/);
  });

  it('C8.11 shows how a turn ended', async () => {
    const store = await openTestStore();
    await begunTurn(store, 't1');
    const error = { type: 'ProviderFailed' as const, message: 'no model answered' };
    const outcome = { ...completed, status: 'failed', stopReason: 'error', error } as const;
    await store.turns.end(endInput('t1', { outcome, note: 'sorry' }));
    expect(await store.turns.get('t1')).toMatchObject({ status: 'failed', stopReason: 'error', error, note: 'sorry' });
  });
});
