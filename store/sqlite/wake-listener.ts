/** The socket on which this process hears of other processes' commits. Made when somebody first watches. */
import { randomBytes } from 'node:crypto';
import { readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';

/** More than one id can have without an end of line: not one of ours. */
const MAX_LINE = 4096;
/** A socket that is made for longer than this belongs to a process that died over it. */
const MAKING_MS = 60_000;

export function createListener(folder: string, deliver: (turnId: string) => void) {
  const name = `${process.pid}-${randomBytes(4).toString('hex')}.sock`;
  const sockets = new Set<Socket>();
  let server: Server | undefined;

  function receive(socket: Socket): void {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    readLines(socket, deliver);
  }

  return {
    name,
    start(): void {
      if (server) return;
      server = createServer(receive);
      server.unref();
      // Without a socket the poll finds what is new.
      server.on('error', () => undefined);
      clearHalfMade(folder);
      const hidden = join(folder, `${name}.new`);
      server.listen(hidden, () => {
        try {
          // Seen under its name only when it answers: who finds a socket that does not answer takes it away.
          renameSync(hidden, join(folder, name));
        } catch {
          // The folder is gone: the poll again.
        }
      });
    },
    async close(): Promise<void> {
      for (const socket of sockets) socket.destroy();
      const closing = server;
      if (closing) await new Promise<void>((done) => closing.close(() => done()));
      try {
        rmSync(join(folder, name), { force: true });
      } catch {
        // There never was a folder.
      }
    },
  };
}

function readLines(socket: Socket, deliver: (turnId: string) => void): void {
  let rest = '';
  socket.unref();
  socket.setEncoding('utf8');
  socket.on('data', (chunk: string) => {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    if (rest.length > MAX_LINE) socket.destroy();
    for (const turnId of lines) if (turnId) deliver(turnId);
  });
  socket.on('error', () => socket.destroy());
}

function clearHalfMade(folder: string): void {
  try {
    for (const path of readdirSync(folder)
      .filter((name) => name.endsWith('.new'))
      .map((name) => join(folder, name))) {
      if (Date.now() - statSync(path).mtimeMs > MAKING_MS) rmSync(path, { force: true });
    }
  } catch {
    // Somebody else is at it, or there is no folder.
  }
}
