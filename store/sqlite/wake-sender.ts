/** Tells the sockets of other processes which turns have something new. Never waits for them and never fails. */
import { readdirSync, rm, statSync } from 'node:fs';
import { createConnection, type Socket } from 'node:net';
import { join } from 'node:path';

/** A reader that does not read (a stopped process) is skipped until it has caught up. */
const MAX_UNREAD_BYTES = 64 * 1024;
/** Clocks of file systems tick every few milliseconds: a change this young may hide another one. */
const YOUNG_MS = 50;

export function createSender(folder: string, own: string) {
  const sockets = new Map<string, Socket>();
  let seen = -1;

  function connect(name: string): Socket {
    const path = join(folder, name);
    const socket = createConnection(path);
    socket.unref();
    socket.on('error', (error: NodeJS.ErrnoException) => {
      // Nobody listens any more: the process is gone and could not clear up.
      if (error.code === 'ECONNREFUSED') rm(path, { force: true }, () => undefined);
      socket.destroy();
    });
    socket.on('close', () => {
      if (sockets.get(name) === socket) sockets.delete(name);
      seen = -1;
    });
    return socket;
  }

  /** Reads the folder only when it has changed. */
  function refresh(): void {
    try {
      const changed = statSync(folder).mtimeMs;
      if (changed === seen) return;
      seen = Date.now() - changed < YOUNG_MS ? -1 : changed;
      for (const name of readdirSync(folder)) {
        const ours = /^\d+-[0-9a-f]+\.sock$/.test(name) && name !== own;
        if (ours && !sockets.has(name)) sockets.set(name, connect(name));
      }
    } catch {
      // No folder: nobody listens by socket.
    }
  }

  return {
    send(turnIds: string[]): void {
      refresh();
      if (sockets.size === 0) return;
      const message = turnIds.map((turnId) => `${turnId}\n`).join('');
      for (const socket of sockets.values()) {
        if (socket.writableLength < MAX_UNREAD_BYTES) socket.write(message);
      }
    },
    close(): void {
      for (const socket of sockets.values()) socket.end();
    },
  };
}
