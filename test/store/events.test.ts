/** Events: numbered from 1 without gaps, each key once, and readers are woken. */

import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { begunTurn, delta, openTestStore, tempFile } from '../support/store.ts';

describe('numbers', () => {
  it('C9.2 a reader resumes by number and misses nothing', async () => {
    const store = await openTestStore();
    await begunTurn(store, 't1');
    for (let n = 1; n <= 5; n++) await store.events.append('t1', [delta(1, 1, n, `${n}`)]);
    const all = await store.events.after('t1', 0);
    expect(all.map((event) => event.number)).toEqual([1, 2, 3, 4, 5, 6]);
    expect(all[1]).toMatchObject({ turnId: 't1', type: 'text_delta', text: '1', step: 1, epoch: 1 });
    expect(all[1]?.at).toMatch(/^\d{4}-\d\d-\d\dT.*Z$/);
    expect(await store.events.after('t1', 3)).toEqual(all.slice(3));
    expect(await store.events.after('t1', 3, 2)).toEqual(all.slice(3, 5));
    expect(await store.events.after('t1', 6)).toEqual([]);
    expect(await store.events.after('nix', 0)).toEqual([]);
  });

  it('C9.2 a key that is there already takes no number', async () => {
    const store = await openTestStore();
    await begunTurn(store, 't1');
    await store.events.append('t1', [delta(1, 1, 1), delta(1, 1, 2)]);
    await store.events.append('t1', [delta(1, 1, 2), delta(1, 1, 3)]);
    expect((await store.events.after('t1', 1)).map((event) => event.number)).toEqual([2, 3, 4]);
  });

  it('C9.2 many writers leave no gap and lose nothing', async () => {
    const path = tempFile();
    const stores = [await openTestStore(path), await openTestStore(path), await openTestStore(path)];
    const [store] = stores;
    if (!store) throw new Error('no store');
    await begunTurn(store, 't1');
    const appends = Array.from({ length: 300 }, (_, n) => stores[n % 3]?.events.append('t1', [delta(1, 1, n)]));
    await Promise.all(appends);
    const numbers = (await store.events.after('t1', 0)).map((event) => event.number);
    expect(numbers).toEqual(Array.from({ length: 301 }, (_, n) => n + 1));
  });
});

describe('waking', () => {
  it('wakes readers of that turn, and those of all turns, until they leave', async () => {
    const store = await openTestStore();
    await begunTurn(store, 't1');
    await begunTurn(store, 't2');
    // What was written so far has been told to nobody once this tick is over.
    await new Promise(setImmediate);
    const [one, other, any] = [vi.fn(), vi.fn(), vi.fn()];
    const leave = store.events.subscribe('t1', one);
    store.events.subscribe('t2', other);
    store.events.subscribeAll(any);
    await store.events.append('t1', [delta(1, 1, 1)]);
    await vi.waitFor(() => expect(any).toHaveBeenCalledWith('t1'));
    expect(one).toHaveBeenCalled();
    expect(other).not.toHaveBeenCalled();
    leave();
    leave();
    one.mockClear();
    any.mockClear();
    await store.events.append('t1', [delta(1, 1, 2)]);
    await vi.waitFor(() => expect(any).toHaveBeenCalled());
    expect(one).not.toHaveBeenCalled();
  });

  it('finds what another store wrote, also without a folder for sockets', async () => {
    const path = tempFile();
    const blind = await openTestStore(path, { wakeSocketDir: join(path, 'none') });
    const writer = await openTestStore(path);
    await begunTurn(writer, 't1');
    const woken = vi.fn();
    blind.events.subscribe('t1', woken);
    await writer.events.append('t1', [delta(1, 1, 1)]);
    await vi.waitFor(() => expect(woken).toHaveBeenCalled(), { timeout: 5000 });
    expect(await blind.events.after('t1', 1)).toHaveLength(1);
  });
});
