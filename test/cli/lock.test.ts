import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { hostname } from 'node:os';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type DevRecord, isLive, readDevRecord, writeDevRecord } from '../../cli/dev/dev-record.ts';
import { takeFolder } from '../../cli/dev/folder.ts';
import { endLeftovers } from '../../cli/dev/leftovers.ts';
import { takeDevLock } from '../../cli/dev/lock.ts';
import { isRunning, stampOf } from '../../cli/dev/process-stamp.ts';
import { type Folder, folderWith } from './everturn.ts';

let folder: Folder;
beforeEach(async () => {
  folder = await folderWith();
});
afterEach(async () => folder.remove());

/** A process that does nothing, in a group of its own, as the supervisor starts them. */
async function idler() {
  const child = spawn('sleep', ['600'], { detached: true, stdio: 'ignore' });
  await once(child, 'spawn');
  return child;
}

const record = (more: Partial<DevRecord>): DevRecord => ({
  version: 1,
  kind: 'dev',
  host: hostname(),
  startedAt: new Date().toISOString(),
  supervisor: { pid: 1, startTime: 'long ago' },
  children: {},
  ...more,
});

describe('the lock of a data folder', () => {
  it('lets only one have it, and the next one after it is released', () => {
    const first = takeDevLock(folder.path);
    expect(takeDevLock(folder.path)).toMatchObject({ kind: 'held' });
    if (first.kind === 'taken') first.release();
    expect(takeDevLock(folder.path)).toMatchObject({ kind: 'taken' });
  });

  it('names the one that has it', async () => {
    const first = await takeFolder(folder.path, 'dev');
    await expect(takeFolder(folder.path, 'dev')).rejects.toMatchObject({
      code: 'folder_in_use',
      message: expect.stringContaining(`process ${process.pid}`),
    });
    first.release();
    expect(readDevRecord(folder.path)).toBeUndefined();
  });

  it('ends the processes that a dead supervisor left, before anything else', async () => {
    const left = await idler();
    const stamp = stampOf(left.pid ?? 0);
    if (!stamp) throw new Error('no stamp');
    writeDevRecord(folder.path, record({ children: { worker: stamp } }));
    const exited = once(left, 'exit');
    const taken = await takeFolder(folder.path, 'dev');
    expect(taken.ended).toEqual(['worker']);
    expect(await exited).toEqual([null, 'SIGKILL']);
    taken.release();
  });

  it('never touches a process that merely has the same id', async () => {
    const stranger = await idler();
    const pid = stranger.pid ?? 0;
    expect(await endLeftovers(record({ children: { worker: { pid, startTime: 'another time' } } }))).toEqual([]);
    expect(stampOf(pid)).toBeDefined();
    stranger.kill('SIGKILL');
  });

  it('never touches processes of another machine', async () => {
    const stranger = await idler();
    const stamp = stampOf(stranger.pid ?? 0);
    if (!stamp) throw new Error('no stamp');
    expect(await endLeftovers(record({ host: 'elsewhere', children: { worker: stamp } }))).toEqual([]);
    expect(isRunning(stamp)).toBe(true);
    stranger.kill('SIGKILL');
  });

  it('takes a record for live only while its very supervisor runs', () => {
    const own = stampOf(process.pid);
    if (!own) throw new Error('no stamp');
    expect(isLive(record({ supervisor: own }))).toBe(true);
    expect(isLive(record({ supervisor: { ...own, startTime: 'earlier' } }))).toBe(false);
  });

  it('is readable by its owner alone', async () => {
    const { stat } = await import('node:fs/promises');
    writeDevRecord(folder.path, record({}));
    expect((await stat(folder.file('dev.json'))).mode & 0o777).toBe(0o600);
  });
});
