/**
 * Tells readers that a turn has new events: at once within the process, by sockets between processes, and, should both
 * fail, by looking at the file four times a second while anybody watches. Waking twice is fine, never is not.
 */
import type { Wakes } from '../database.ts';
import type { Connection } from './connection.ts';
import { createPoll } from './poll.ts';
import { socketFolder } from './wake-folder.ts';
import { createListener } from './wake-listener.ts';
import { createSender } from './wake-sender.ts';

export interface SqliteWakes extends Wakes {
  /** After a commit. Readers are woken once this tick is over. */
  announce(turnIds: Iterable<string>): void;
  close(): Promise<void>;
}

export function openWakes(connection: Connection, wakeFolder: string): SqliteWakes {
  const folder = socketFolder(wakeFolder);
  const readers = new Map<string, Set<() => void>>();
  const watchers = new Set<(turnId: string) => void>();
  const listener = createListener(folder, deliver);
  const sender = createSender(folder, listener.name);
  const poll = createPoll(connection.raw, deliver);
  const announced = new Set<string>();

  function deliver(turnId: string): void {
    for (const wake of [...(readers.get(turnId) ?? [])]) wake();
    for (const wake of [...watchers]) wake(turnId);
  }

  function flush(): void {
    const turnIds = [...announced];
    announced.clear();
    sender.send(turnIds);
    for (const turnId of turnIds) deliver(turnId);
  }

  function watched(): void {
    const anybody = readers.size + watchers.size > 0;
    if (anybody) listener.start();
    poll.set(anybody);
  }

  return {
    announce(turnIds) {
      if (announced.size === 0) setImmediate(flush);
      for (const turnId of turnIds) announced.add(turnId);
    },
    subscribe(turnId, wake) {
      const own = () => wake();
      const set = readers.get(turnId) ?? new Set();
      readers.set(turnId, set.add(own));
      watched();
      return () => {
        set.delete(own);
        if (set.size === 0 && readers.get(turnId) === set) readers.delete(turnId);
        watched();
      };
    },
    subscribeAll(wake) {
      const own = (turnId: string) => wake(turnId);
      watchers.add(own);
      watched();
      return () => {
        watchers.delete(own);
        watched();
      };
    },
    async close() {
      if (announced.size > 0) flush();
      poll.set(false);
      sender.close();
      await listener.close();
    },
  };
}
