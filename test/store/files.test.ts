/** Files that the store refuses, or cannot use for the moment. */
import { closeSync, openSync, statSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { expect, it } from 'vitest';
import { openStore } from '../../store/open.ts';
import { begunTurn, keysOf, openTestStore, tempFile, tempFolder } from '../support/store.ts';

const open = (url: string) => openStore({ url, keys: keysOf(1) });

it('I2 a file of a newer version is refused, and not changed', async () => {
  const path = tempFile();
  await (await open(`sqlite:${path}`)).close();
  const raw = new Sqlite(path);
  raw.exec('UPDATE schema_version SET version = 999');
  await expect(open(`sqlite:${path}`)).rejects.toMatchObject({
    code: 'StoreNewer',
    message: expect.stringMatching(/schema version 999.*newer version/s),
  });
  expect(raw.prepare('SELECT version FROM schema_version').pluck().all()).toEqual([999]);
  raw.close();
});

it('I2 a database of another program is refused, and not changed', async () => {
  const path = tempFile();
  const raw = new Sqlite(path);
  raw.exec('CREATE TABLE recipes (name TEXT)');
  await expect(open(`sqlite:${path}`)).rejects.toMatchObject({ code: 'StoreForeign' });
  expect(raw.prepare("SELECT count(*) FROM sqlite_master WHERE type = 'table'").pluck().get()).toBe(1);
  raw.close();
});

it('I2 says which stores there are', async () => {
  await expect(open('postgres://db/everturn')).rejects.toMatchObject({ code: 'StoreNotBuilt' });
  await expect(open('sqlite:relative.db')).rejects.toThrow(/absolute path/);
  await expect(open('mysql://db')).rejects.toThrow(/absolute path/);
});

it('I2 a folder that cannot be made is told', async () => {
  const path = tempFile();
  writeFileSync(path, 'a file');
  await expect(open(`sqlite:${join(path, 'below', 'everturn.db')}`)).rejects.toMatchObject({
    code: 'StoreUnavailable',
    message: expect.stringContaining('cannot be made'),
  });
  await expect(open('sqlite:/proc/everturn/everturn.db')).rejects.toMatchObject({ code: 'StoreUnavailable' });
  await expect(open(`sqlite:${tempFolder()}`)).rejects.toMatchObject({ code: 'StoreUnavailable' });
});

it('I2 a file that is no database is told, and left as it is', async () => {
  const path = tempFile();
  writeFileSync(path, 'this is a letter, not a database. '.repeat(100));
  await expect(open(`sqlite:${path}`)).rejects.toMatchObject({
    code: 'StoreUnavailable',
    message: expect.stringContaining('no SQLite file'),
  });
});

it('a damaged file is told when it is met', async () => {
  const path = tempFile();
  const store = await openTestStore(path);
  await begunTurn(store, 't1');
  await store.close();
  const file = openSync(path, 'r+');
  for (let page = 1; page < 60; page++) writeSync(file, Buffer.alloc(4000, 0xee), 0, 4000, page * 4096);
  closeSync(file);
  const opened = open(`sqlite:${path}`).then(async (damaged) => {
    await damaged.turns.get('t1').finally(() => damaged.close());
  });
  await expect(opened).rejects.toMatchObject({ code: 'StoreUnavailable', message: expect.stringContaining('backup') });
});

it('a lock held by somebody else is waited for', async () => {
  const path = tempFile();
  const store = await openTestStore(path);
  const raw = new Sqlite(path);
  raw.exec('BEGIN IMMEDIATE');
  const writing = store.meta.set('fact', 'late').then(() => 'written');
  // Reading does not wait for writers.
  expect(await store.meta.get('fact')).toBeUndefined();
  raw.exec('COMMIT');
  raw.close();
  expect(await writing).toBe('written');
});

it('I2 the file is for its owner alone', async () => {
  const path = tempFile();
  await (await openTestStore(path)).check();
  for (const file of [path, `${path}-wal`]) expect(statSync(file).mode & 0o077, file).toBe(0);
});

it('many processes may open a new file at once', async () => {
  const path = tempFile();
  const stores = await Promise.all([1, 2, 3, 4].map(() => openTestStore(path)));
  for (const store of stores) await store.check();
});

it('after closing, the store says so', async () => {
  const store = await open(`sqlite:${tempFile()}`);
  await store.check();
  await store.close();
  await expect(store.check()).rejects.toMatchObject({ code: 'StoreUnavailable' });
  await expect(store.meta.get('x')).rejects.toThrow(/closed/);
});
