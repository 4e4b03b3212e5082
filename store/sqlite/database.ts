/**
 * SQLite behind the seam. Two connections: the usual one syncs at checkpoints, the durable one at every commit.
 * Several processes share the file; whoever finds it busy waits a little outside SQLite and tries again.
 */
import { closeSync, openSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import type { Database, Tx } from '../database.ts';
import type { Connection } from './connection.ts';
import { openConnection } from './connection.ts';
import { isBusy, translated } from './faults.ts';
import { migrate } from './migrate.ts';
import { openWakes } from './wakes.ts';

/** Over this a lock is not a neighbour's short transaction any more. */
const GIVE_UP_MS = 10_000;

export async function openSqlite(path: string, wakeFolder: string): Promise<Database> {
  makePrivate(path);
  const usual = await patiently(path, () => openMigrated(path));
  const durable = await patiently(path, () => openConnection(path, 'FULL'));
  const wakes = openWakes(usual, wakeFolder);

  async function transact<T>(connection: Connection, mode: 'read' | 'write', body: () => Tx<T>): Promise<T> {
    const woken = new Set<string>();
    const answer = await patiently(path, () => {
      woken.clear();
      return connection.transact(mode, body(), woken);
    });
    if (woken.size > 0) wakes.announce(woken);
    return answer;
  }

  return {
    read: (body) => transact(usual, 'read', body),
    write: (body, how) => transact(how?.durable ? durable : usual, 'write', body),
    wakes,
    async close() {
      await wakes.close();
      durable.close();
      usual.close();
    },
  };
}

/** Transcripts are nobody else's business: a new file, and what SQLite puts beside it, is for its owner alone. */
function makePrivate(path: string): void {
  try {
    closeSync(openSync(path, 'a', 0o600));
  } catch {
    // SQLite says what is wrong, in words that `faults.ts` knows.
  }
}

function openMigrated(path: string): Connection {
  const connection = openConnection(path, 'NORMAL');
  try {
    migrate(connection.raw, path);
    return connection;
  } catch (error) {
    connection.close();
    throw error;
  }
}

/** Runs it at once; while another process holds the lock, again after a short random wait. */
async function patiently<T>(path: string, attempt: () => T): Promise<T> {
  const until = Date.now() + GIVE_UP_MS;
  for (;;) {
    try {
      return attempt();
    } catch (error) {
      if (!isBusy(error) || Date.now() > until) throw translated(error, path);
    }
    await pause(2 + Math.random() * 18);
  }
}
