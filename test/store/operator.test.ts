/** Control flags, the audit log, tokens, leases and small facts. */
import Sqlite from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { begunTurn, newTurn, openTestStore, T0, tempFile } from '../support/store.ts';

const flag = { by: 'ann', reason: 'fire', at: T0 };

describe('control', () => {
  it('C8.10 flags last until resume, and the first one says since when', async () => {
    const path = tempFile();
    const store = await openTestStore(path);
    expect(await store.control.get()).toEqual({});
    await store.control.pause(flag);
    await store.control.pause({ ...flag, by: 'bob' });
    expect(await (await openTestStore(path)).control.get()).toEqual({ paused: flag });
    await store.control.resume(flag);
    expect(await store.control.get()).toEqual({});
    expect((await store.audit.list(0, 10)).map((row) => row.kind)).toEqual(['paused', 'resumed']);
  });

  it('C8.10 an emergency stop flags every open turn, and ends those that wait', async () => {
    const store = await openTestStore();
    await begunTurn(store, 't1');
    await store.turns.enqueue(newTurn('t2'));
    expect(await store.control.estop(flag)).toEqual(['t1', 't2']);
    expect(await store.turns.get('t1')).toMatchObject({ status: 'running', cancel: flag });
    expect(await store.turns.get('t2')).toMatchObject({ status: 'cancelled' });
    expect(await store.control.estop(flag)).toEqual(['t1']);
    expect(await store.control.get()).toEqual({ estop: flag });
  });
});

describe('audit', () => {
  async function withThree(path: string) {
    const store = await openTestStore(path);
    for (const n of [1, 2, 3]) await store.audit.append('test', { n, text: `entry ${n}` }, T0 + n);
    return store;
  }
  function tamper(path: string, sql: string): void {
    const db = new Sqlite(path);
    db.exec(sql);
    db.close();
  }

  it('C5.10 is read in order and verified', async () => {
    const store = await withThree(tempFile());
    expect(await store.audit.list(1, 1)).toMatchObject([{ seq: 2, kind: 'test', body: { n: 2 }, at: T0 + 2 }]);
    expect(await store.audit.verify()).toEqual({ ok: true, count: 3 });
    expect(await (await openTestStore()).audit.verify()).toEqual({ ok: true, count: 0 });
  });

  it.each([
    ['changed', `UPDATE audit SET body = replace(body, 'entry 2', 'nothing') WHERE seq = 2`, 2],
    ['removed', `DELETE FROM audit WHERE seq = 2`, 2],
    ['cut short', `DELETE FROM audit WHERE seq = 3`, 3],
    ['emptied', `DELETE FROM audit; DELETE FROM meta`, undefined],
    ['robbed of its seal', `DELETE FROM meta`, 3],
  ])('C5.10 notices that it was %s', async (_, sql, at) => {
    const path = tempFile();
    const store = await withThree(path);
    tamper(path, sql);
    // A log that was emptied with its seal looks like a new one; only a copy elsewhere can tell.
    expect(await store.audit.verify()).toEqual(at === undefined ? { ok: true, count: 0 } : { ok: false, at });
  });
});

describe('tokens', () => {
  it('I4 a token is told once, verified by its hash, and revoked for good', async () => {
    const path = tempFile();
    const store = await openTestStore(path);
    const { id, token } = await store.tokens.create({ name: 'laptop', scopes: ['read', 'approve'], at: T0 });
    expect(token).toMatch(/^evt_[A-Za-z0-9_-]{43}$/);
    expect(await store.tokens.verify(token)).toEqual({ id, name: 'laptop', scopes: ['read', 'approve'] });
    expect(await store.tokens.verify(`${token}x`)).toBeUndefined();
    const raw = new Sqlite(path, { readonly: true });
    expect(JSON.stringify(raw.prepare('SELECT * FROM tokens').all())).not.toContain(token);
    raw.close();
    expect(await store.tokens.revoke(id, T0 + 1)).toBe(true);
    expect(await store.tokens.revoke(id, T0 + 2)).toBe(false);
    expect(await store.tokens.verify(token)).toBeUndefined();
    expect(await store.tokens.list()).toMatchObject([{ id, createdAt: T0, revokedAt: T0 + 1 }]);
  });
});

describe('leases and facts', () => {
  it('one holder at a time, until the lease runs out or is given back', async () => {
    let clock = T0;
    const path = tempFile();
    const [one, two] = [
      await openTestStore(path, { now: () => clock }),
      await openTestStore(path, { now: () => clock }),
    ];
    expect(await one.leases.acquire('reconciler', 'one', 1000)).toBe(true);
    expect(await two.leases.acquire('reconciler', 'two', 1000)).toBe(false);
    clock += 999;
    expect(await one.leases.acquire('reconciler', 'one', 1000)).toBe(true);
    clock += 1000;
    expect(await two.leases.acquire('reconciler', 'two', 1000)).toBe(true);
    expect(await one.leases.acquire('reconciler', 'one', 1000)).toBe(false);
    await one.leases.release('reconciler', 'one');
    expect(await one.leases.acquire('reconciler', 'one', 1000)).toBe(false);
    await two.leases.release('reconciler', 'two');
    expect(await one.leases.acquire('reconciler', 'one', 1000)).toBe(true);
  });

  it('keeps small facts by name', async () => {
    const store = await openTestStore();
    expect(await store.meta.get('namespace')).toBeUndefined();
    await store.meta.set('namespace', 'a');
    await store.meta.set('namespace', 'b');
    expect(await store.meta.get('namespace')).toBe('b');
  });

  it('C9.6 a text is kept once by its hash, and one over 1 MiB is refused', async () => {
    const store = await openTestStore();
    const ref = await store.blobs.put('größe');
    expect(ref).toMatch(/^[0-9a-f]{64}$/);
    expect(await store.blobs.put('größe')).toBe(ref);
    expect(await store.blobs.get(ref)).toBe('größe');
    expect(await store.blobs.get('nix')).toBeUndefined();
    await expect(store.blobs.put('ä'.repeat(600_000))).rejects.toMatchObject({ code: 'TextTooLarge' });
  });
});
