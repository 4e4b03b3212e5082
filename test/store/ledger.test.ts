/** The ledger: what may begin, what was begun, and what became of it. */
import { describe, expect, it } from 'vitest';
import { begunTurn, doneStep, endInput, openTestStore, record, T0 } from '../support/store.ts';

const key = { turnId: 't1', step: 1, slot: 0 };
const flag = { by: 'ann', reason: '', at: T0 };
const refused = (why: string) => ({ kind: 'refused', why });

async function withCall() {
  const store = await openTestStore();
  await doneStep(store, 't1', 1, { head: await begunTurn(store, 't1'), tools: ['shell'] });
  const begin = (attempt: number) => {
    const events = [
      { key: 'call:c1-0', body: { type: 'tool_progress', callId: 'c1-0', slot: 0, text: 'go' } } as const,
    ];
    return store.ledger.begin({ ...key, attempt, worker: 'w1', activityId: `a${attempt}`, events: [...events] });
  };
  const outcome = (attempt: number, text: string) =>
    store.ledger.outcome({ ...key, attempt, record: record(1, 0, text) });
  const resolve = (attempt: number, voidIt = false) => store.ledger.resolve({ ...key, attempt, voidIt });
  return { store, begin, outcome, resolve };
}

describe('beginning', () => {
  it('C6.2 an attempt begins once', async () => {
    const { begin } = await withCall();
    expect(await begin(1)).toEqual({ kind: 'accepted' });
    expect(await begin(1)).toEqual(refused('began'));
  });

  it('C6.2 a recorded outcome is returned, never made again', async () => {
    const { store, begin, outcome } = await withCall();
    await begin(1);
    expect(await outcome(1, 'done it')).toBe('recorded');
    expect(await begin(1)).toMatchObject({ kind: 'outcome', result: { status: 'done', preview: 'done it' } });
    expect(await begin(2)).toMatchObject({ kind: 'outcome' });
    expect(await outcome(1, 'again')).toBe('already');
    expect(await store.results.get('t1', 'c1-0')).toMatchObject({ text: 'done it' });
    expect(await store.results.ofStep('t1', 1)).toMatchObject([{ callId: 'c1-0', slot: 0, text: 'done it' }]);
  });

  it('C6.2 a later attempt waits until the earlier one is void, and shuts it out', async () => {
    const { begin, resolve } = await withCall();
    await begin(1);
    expect(await begin(2)).toEqual(refused('earlier_open'));
    expect(await resolve(1, true)).toMatchObject({ kind: 'began' });
    expect(await begin(2)).toEqual({ kind: 'accepted' });
    expect(await begin(1)).toEqual(refused('void'));
  });

  it('C6.2 one that never began is voided, so that a late one stops before its effect', async () => {
    const { begin, resolve } = await withCall();
    expect(await resolve(1)).toEqual({ kind: 'never_began' });
    expect(await resolve(1)).toEqual({ kind: 'never_began' });
    expect(await begin(1)).toEqual(refused('void'));
    expect(await begin(2)).toEqual({ kind: 'accepted' });
  });

  it('an attempt that comes after a later one has begun is refused', async () => {
    const { begin } = await withCall();
    await begin(2);
    expect(await begin(1)).toEqual(refused('later_exists'));
  });

  it('C6.5 nothing begins after a cancel was accepted', async () => {
    const { store, begin } = await withCall();
    await store.turns.requestCancel('t1', flag);
    expect(await begin(1)).toEqual(refused('cancelled'));
  });

  it('C8.10 pause and estop are looked at where the intent is written', async () => {
    const { store, begin } = await withCall();
    await store.control.pause(flag);
    expect(await begin(1)).toEqual(refused('paused'));
    await store.control.resume(flag);
    expect(await store.control.estop(flag)).toEqual(['t1']);
    expect(await begin(1)).toEqual(refused('estop'));
    await store.control.resume(flag);
    expect(await begin(1)).toEqual(refused('cancelled'));
  });

  it('C6.3 the pending event comes with the intent, and not with a refusal', async () => {
    const { store, begin } = await withCall();
    const pending = async () => (await store.events.after('t1', 1)).filter(({ type }) => type !== 'control');
    await store.control.pause(flag);
    await begin(1);
    expect(await pending()).toEqual([]);
    await store.control.resume(flag);
    await begin(1);
    expect(await pending()).toHaveLength(1);
  });
});

describe('outcomes', () => {
  it('a void attempt is kept as late and changes nothing shown', async () => {
    const { store, begin, outcome, resolve } = await withCall();
    await begin(1);
    await resolve(1, true);
    await begin(2);
    expect(await outcome(1, 'too late')).toBe('late');
    expect(await store.results.get('t1', 'c1-0')).toBeUndefined();
    expect(await outcome(2, 'in time')).toBe('recorded');
    expect(await outcome(1, 'too late')).toBe('already');
    expect(await store.results.get('t1', 'c1-0')).toMatchObject({ text: 'in time' });
    expect((await store.events.after('t1', 0)).filter((event) => event.type === 'tool_result')).toHaveLength(1);
  });

  it('C6.5 a slot that was settled without it, or a turn that has ended, keeps what it shows', async () => {
    const { store, begin, outcome } = await withCall();
    await begin(1);
    await store.results.record('t1', [record(1, 0, 'may have taken effect', 'unknown')]);
    expect(await outcome(1, 'really done')).toBe('late');
    expect(await store.results.get('t1', 'c1-0')).toMatchObject({ result: { status: 'unknown' } });
    const { store: other, begin: start, outcome: finish } = await withCall();
    await start(1);
    await other.turns.end(endInput('t1'));
    expect(await finish(1, 'after the end')).toBe('late');
    expect((await other.events.after('t1', 0)).at(-1)?.type).toBe('turn_ended');
  });

  it('one without an intent is kept as late', async () => {
    const { store, outcome, begin } = await withCall();
    expect(await outcome(1, 'from nowhere')).toBe('late');
    expect(await store.results.get('t1', 'c1-0')).toBeUndefined();
    expect(await begin(1)).toEqual(refused('void'));
  });

  it('C7.4 the first record of a slot stays', async () => {
    const { store } = await withCall();
    await store.results.record('t1', [record(1, 0, 'first')]);
    await store.results.record('t1', [record(1, 0, 'second')]);
    expect(await store.results.get('t1', 'c1-0')).toMatchObject({ text: 'first' });
    expect(await store.results.get('t1', 'c9-9')).toBeUndefined();
  });
});

describe('what was lost', () => {
  it('C6.2 a begun attempt is told with its process group until it has an outcome', async () => {
    const { store, begin, outcome, resolve } = await withCall();
    const group = { host: 'h', pgid: 42, startTime: '123' };
    await begin(1);
    expect(await store.ledger.group({ ...key, attempt: 1, ...group })).toBe('recorded');
    const open = { ...key, attempt: 1, activityId: 'a1', worker: 'w1', group };
    expect(await store.ledger.openAttempts({ worker: 'w1' })).toEqual([open]);
    expect(await store.ledger.openAttempts({ turnId: 't1' })).toEqual([open]);
    expect(await store.ledger.openAttempts({})).toEqual([open]);
    expect(await store.ledger.openAttempts({ worker: 'w2' })).toEqual([]);
    expect(await resolve(1)).toMatchObject({ kind: 'began', group });
    expect(await store.turns.slots('t1')).toMatchObject([{ callId: 'c1-0', status: 'running' }]);
    await outcome(1, 'ok');
    expect(await resolve(1)).toMatchObject({ kind: 'outcome', result: { preview: 'ok' } });
    expect(await store.ledger.openAttempts({})).toEqual([]);
  });

  it('a command is not run for an attempt that is void by now', async () => {
    const { store, begin, resolve } = await withCall();
    const group = { ...key, attempt: 1, host: 'h', pgid: 42, startTime: '123' };
    expect(await store.ledger.group(group)).toBe('void');
    await begin(1);
    await resolve(1, true);
    expect(await store.ledger.group(group)).toBe('void');
    expect(await store.ledger.openAttempts({})).toEqual([]);
  });
});
