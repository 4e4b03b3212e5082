// Takes a data folder for one supervisor: the lock, what the last one left running, and the record for others to read.
import { hostname } from 'node:os';
import { CliError, EXIT } from '../exit.ts';
import { type ChildName, type DevRecord, isLive, removeDevRecord, writeDevRecord } from './dev-record.ts';
import { endLeftovers } from './leftovers.ts';
import { takeDevLock } from './lock.ts';
import { type ProcessStamp, stampOf } from './process-stamp.ts';

export type Folder = {
  /** Processes of the last supervisor that had to be ended. */
  ended: ChildName[];
  setChild: (name: ChildName, stamp: ProcessStamp) => void;
  setReady: (ready: DevRecord['ready']) => void;
  release: () => void;
};

/** @throws CliError when another supervisor has the folder, or it cannot be written */
export async function takeFolder(data: string, kind: DevRecord['kind']): Promise<Folder> {
  const lock = attempt(data);
  if (lock.kind === 'held') throw heldBy(data, lock.by);
  try {
    const ended = lock.previous ? await endLeftovers(lock.previous) : [];
    return { ended, ...recorded(data, kind, lock.release) };
  } catch (error) {
    lock.release();
    throw error;
  }
}

function recorded(data: string, kind: DevRecord['kind'], release: () => void): Omit<Folder, 'ended'> {
  let record: DevRecord = {
    version: 1,
    kind,
    host: hostname(),
    startedAt: new Date().toISOString(),
    supervisor: stampOf(process.pid) ?? { pid: process.pid, startTime: '' },
    children: {},
  };
  const write = (next: DevRecord) => {
    record = next;
    writeDevRecord(data, record);
  };
  write(record);
  return {
    setChild: (name, stamp) => write({ ...record, children: { ...record.children, [name]: stamp } }),
    setReady: (ready) => write(ready ? { ...record, ready } : record),
    release: () => {
      removeDevRecord(data);
      release();
    },
  };
}

function attempt(data: string): ReturnType<typeof takeDevLock> {
  try {
    return takeDevLock(data);
  } catch (error) {
    const code = (error as { code?: string }).code ?? 'unknown fault';
    throw new CliError(EXIT.failed, `The data folder ${data} cannot be written (${code}).`, {
      code: 'data_unwritable',
      hint: 'Make it writable, free some disk space, or name another with --data or `data` in everturn.yaml.',
    });
  }
}

function heldBy(data: string, by: DevRecord | undefined): CliError {
  if (by === undefined || !isLive(by)) {
    return new CliError(EXIT.failed, `Another Everturn is just starting or ending on ${data}.`, {
      code: 'folder_in_use',
      hint: 'Wait a moment and try again.',
    });
  }
  const what = by.kind === 'dev' ? '`everturn dev`' : '`everturn run`';
  const where = by.ready ? `, at ${by.ready.gateway}` : '';
  return new CliError(
    EXIT.failed,
    `${what} (process ${by.supervisor.pid}, since ${by.startedAt}${where}) uses the data folder ${data}.`,
    { code: 'folder_in_use', hint: 'Use that one, end it first, or choose another folder with --data.' },
  );
}
