// One supervisor a data folder. The lock is held through SQLite's file locks: the system lets go of it when the
// process ends, however it ends, and two that come at once cannot both get it.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { type DevRecord, readDevRecord } from './dev-record.ts';

export type LockAttempt =
  /** `previous`: what the last holder left behind, when it ended without cleaning up. */
  { kind: 'taken'; previous: DevRecord | undefined; release: () => void } | { kind: 'held'; by: DevRecord | undefined };

/** @throws Error (with the system's code) when the folder cannot be made or written */
export function takeDevLock(data: string): LockAttempt {
  mkdirSync(data, { recursive: true, mode: 0o700 });
  const lock = new Database(join(data, 'dev.lock'), { timeout: 0 });
  try {
    lock.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    lock.close();
    if ((error as { code?: string }).code?.startsWith('SQLITE_BUSY')) return { kind: 'held', by: readDevRecord(data) };
    throw error;
  }
  return { kind: 'taken', previous: readDevRecord(data), release: () => lock.close() };
}
