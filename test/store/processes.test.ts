/** Several processes on one file: writing at once, being killed, waking each other. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import Sqlite from 'better-sqlite3';
import { expect, it, onTestFinished, vi } from 'vitest';
import { begunTurn, delta, openTestStore, tempFile } from '../support/store.ts';

const script = new URL('../support/store-child.ts', import.meta.url).pathname;

/** Its reports, one after the other; `undefined` when it has ended. */
function start(path: string, job: string, ...more: string[]) {
  const child = spawn(process.execPath, [script, path, job, ...more], { stdio: ['pipe', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async () => {
    const line = await lines.next();
    return line.done ? undefined : (JSON.parse(line.value) as unknown);
  };
  return { child, next };
}

async function killed(child: ChildProcess): Promise<void> {
  child.kill('SIGKILL');
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
}

it('C9.2 two processes write at once, and nothing is lost, doubled or out of number', async () => {
  const path = tempFile();
  const store = await openTestStore(path);
  await begunTurn(store, 't1');
  const children = [start(path, 'write', '0'), start(path, 'write', '1000')];
  await Promise.all(children.map(async ({ next }) => expect(await next()).toBe('done')));
  const numbers = (await store.events.after('t1', 0)).map((event) => event.number);
  expect(numbers).toEqual(Array.from({ length: 101 }, (_, n) => n + 1));
  expect(await store.turns.open()).toHaveLength(101);
  expect(await store.ledger.openAttempts({ turnId: 't1' })).toHaveLength(100);
  expect(await store.audit.verify()).toEqual({ ok: true, count: 2 });
});

it('C6.2 whatever a killed process was told is there, and the file is whole', async () => {
  const path = tempFile();
  const store = await openTestStore(path);
  await begunTurn(store, 't1');
  for (let round = 0; round < 3; round++) {
    const before = (await store.audit.list(0, 1000)).length;
    const { child, next } = start(path, 'rounds');
    let last: unknown;
    // Its steps begin again at 1: those that have an outcome are answered from the ledger.
    for (let n = 0; n < 12; n++) last = await next();
    await killed(child);
    expect(last).toBe(12);
    expect(await store.results.get('t1', 'c12-0')).toMatchObject({ text: 'result 12'.repeat(300) });
    expect((await store.audit.list(0, 1000)).length).toBeGreaterThanOrEqual(before + 12);
    expect((await store.audit.verify()).ok).toBe(true);
  }
  const numbers = (await store.events.after('t1', 0)).map((event) => event.number);
  expect(numbers).toEqual(numbers.map((_, n) => n + 1));
  const raw = new Sqlite(path, { readonly: true });
  expect(raw.pragma('integrity_check', { simple: true })).toBe('ok');
  raw.close();
  expect(await store.events.append('t1', [delta(99, 1, 1)])).toEqual({ kind: 'appended' });
});

it('a commit wakes readers in other processes', async () => {
  const path = tempFile();
  const store = await openTestStore(path);
  await begunTurn(store, 't1');
  const { next } = start(path, 'watch');
  expect(await next()).toBe('ready');
  for (let n = 2; n <= 6; n++) {
    await store.events.append('t1', [delta(1, 1, n)]);
    expect(await next()).toBe(n);
  }
});

it('the socket of a process that was killed is cleared away, and hinders nobody', async () => {
  const path = tempFile();
  const folder = join(path, '..', 'wake');
  const sockets = () => (existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.sock')) : []);
  const store = await openTestStore(path);
  await begunTurn(store, 't1');
  const { child, next } = start(path, 'watch');
  await next();
  await vi.waitFor(() => expect(sockets()).toHaveLength(1));
  await killed(child);
  let n = 0;
  await vi.waitFor(async () => {
    await store.events.append('t1', [delta(1, 1, n++)]);
    expect(sockets()).toEqual([]);
  });
});

it('a disk without room is told, reading goes on, and so does writing once there is room', async () => {
  const path = tempFile();
  const store = await openTestStore(path);
  await store.meta.set('fact', 'kept');
  const { child, next } = start(path, 'fill');
  // A limit on file sizes stands in for a full disk.
  const limit = (size: string) => once(spawn('prlimit', [`--pid=${child.pid}`, `--fsize=${size}`]), 'exit');
  await limit('3000000:unlimited');
  expect(await next()).toMatchObject({
    code: expect.stringMatching('StoreUnavailable'),
    message: expect.stringMatching(/^The store .*everturn\.db .*(free|Free) .*space/),
    reads: 'kept',
  });
  await limit('unlimited:unlimited');
  child.stdin.write('\n');
  expect(await next()).toBe('written');
});
