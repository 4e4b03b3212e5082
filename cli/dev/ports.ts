// Ports for local servers: finding a free one, and waiting until somebody listens.
import { connect, createServer } from 'node:net';

/** A port that was free a moment ago. Another process may take it first: be ready to ask again. */
export function freePort(host = '127.0.0.1'): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, host, () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}

/**
 * Waits until a TCP connection is taken. A plain connect, not gRPC: after one refused connect a gRPC client
 * backs off for a second, which is most of a dev server's start.
 * @param stop ends the wait early, for example when the server has exited
 * @throws Error after `timeoutMs`, or the signal's reason
 */
export async function waitForPort(
  target: { host: string; port: number },
  timeoutMs: number,
  stop?: AbortSignal,
): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  while (!(await listens(target))) {
    stop?.throwIfAborted();
    if (Date.now() > deadline) {
      throw new Error(`Nothing listens on ${target.host}:${target.port} after ${timeoutMs} ms`);
    }
    await new Promise((resume) => setTimeout(resume, 10));
  }
}

function listens({ host, port }: { host: string; port: number }): Promise<boolean> {
  return new Promise((answer) => {
    const socket = connect({ host, port });
    const done = (open: boolean) => {
      socket.destroy();
      answer(open);
    };
    socket.once('connect', () => done(true));
    socket.once('error', () => done(false));
  });
}
