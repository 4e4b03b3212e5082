/** The socket on which this process hears of other processes' commits. Made when somebody first watches. */
import { randomBytes } from 'node:crypto';
import { renameSync, rmSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';

/** More than one id can have without an end of line: not one of ours. */
const MAX_LINE = 4096;

export function createListener(folder: string, deliver: (turnId: string) => void) {
  const name = `${process.pid}-${randomBytes(4).toString('hex')}.sock`;
  const sockets = new Set<Socket>();
  let server: Server | undefined;

  function receive(socket: Socket): void {
    let rest = '';
    sockets.add(socket);
    socket.unref();
    socket.setEncoding('utf8');
    socket.on('data', (chunk: string) => {
      const lines = (rest + chunk).split('\n');
      rest = lines.pop() ?? '';
      if (rest.length > MAX_LINE) socket.destroy();
      for (const turnId of lines) if (turnId) deliver(turnId);
    });
    socket.on('error', () => socket.destroy());
    socket.on('close', () => sockets.delete(socket));
  }

  return {
    name,
    start(): void {
      if (server) return;
      server = createServer(receive);
      server.unref();
      server.on('error', () => {
        // Without a socket the poll finds what is new.
      });
      const hidden = join(folder, `.${name}`);
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
