/**
 * Tells readers that a turn has new events: at once within the process, by sockets between processes, and, should both
 * fail, by looking at the file four times a second while anybody watches. Waking twice is fine, never is not.
 */
import type { Wakes } from '../database.ts';
import type { Connection } from './connection.ts';
import { createPoll } from './poll.ts';
import { createReaders } from './readers.ts';
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
  const readers = createReaders((anybody) => {
    if (anybody) listener.start();
    poll.set(anybody);
  });
  const listener = createListener(folder, readers.deliver);
  const sender = createSender(folder, listener.name);
  const poll = createPoll(connection.raw, readers.deliver);
  const announced = new Set<string>();

  function flush(): void {
    const turnIds = [...announced];
    announced.clear();
    sender.send(turnIds);
    for (const turnId of turnIds) readers.deliver(turnId);
  }

  return {
    announce(turnIds) {
      if (announced.size === 0) setImmediate(flush);
      for (const turnId of turnIds) announced.add(turnId);
    },
    subscribe: readers.of,
    subscribeAll: readers.ofAll,
    async close() {
      if (announced.size > 0) flush();
      poll.set(false);
      sender.close();
      await listener.close();
    },
  };
}
