// What runs on a data folder, as a file beside it: `dev.json`. Others read it to find the gateway, the next `dev` to
// end what is left over. The lock itself is another file (lock.ts).
import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isRunning, type ProcessStamp } from './process-stamp.ts';

export type DevRecord = {
  version: 1;
  /** Whether it serves until it is stopped, or for one turn only. */
  kind: 'dev' | 'run';
  host: string;
  /** ISO 8601. */
  startedAt: string;
  supervisor: ProcessStamp;
  children: Partial<Record<ChildName, ProcessStamp>>;
  /** Set once everything answers. */
  ready?: {
    gateway: string;
    temporal: string;
    temporalUi: string;
    namespace: string;
    taskQueue: string;
  };
};

export type ChildName = 'temporal' | 'worker' | 'standby' | 'gateway';

const fileOf = (data: string): string => join(data, 'dev.json');

/** undefined: nothing was started, or the file cannot be read as a record. */
export function readDevRecord(data: string): DevRecord | undefined {
  try {
    const record = JSON.parse(readFileSync(fileOf(data), 'utf8')) as DevRecord;
    return record.version === 1 && typeof record.supervisor?.pid === 'number' ? record : undefined;
  } catch {
    return undefined;
  }
}

export function writeDevRecord(data: string, record: DevRecord): void {
  mkdirSync(data, { recursive: true });
  const fresh = `${fileOf(data)}.${process.pid}`;
  writeFileSync(fresh, `${JSON.stringify(record, null, 2)}\n`, { mode: 0o600 });
  chmodSync(fresh, 0o600);
  renameSync(fresh, fileOf(data));
}

export function removeDevRecord(data: string): void {
  rmSync(fileOf(data), { force: true });
}

/** Whether its supervisor still runs on this machine. */
export function isLive(record: DevRecord): boolean {
  return isRunning(record.supervisor);
}
