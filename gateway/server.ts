/** Listens: on loopback unless told otherwise, with a clear word when it cannot, and closes without cutting answers. */

import type { Server } from 'node:http';
import { createAdaptorServer } from '@hono/node-server';
import { createApp } from './app.ts';
import type { GatewayDeps } from './deps.ts';

export type Listen = {
  host: string;
  /** 0: any free one. */
  port: number;
  /** Off loopback the token would travel in the clear; only whoever puts TLS in front may say that this is fine. */
  allowInsecureOffLoopback?: boolean;
};

export type GatewayServer = {
  /** For example `http://127.0.0.1:7410`. */
  url: string;
  host: string;
  port: number;
  /** Stops taking calls, ends streams, gives answers under way a moment. */
  close(): Promise<void>;
};

/** The gateway could not start. `message` says what, `hint` what to do. */
export class CannotListen extends Error {
  override readonly name = 'CannotListen';
  readonly hint: string;
  constructor(message: string, hint: string) {
    super(`${message} ${hint}`);
    this.hint = hint;
  }
}

const LAST_ANSWERS_MS = 2_000;

/** @throws CannotListen */
export async function listen(deps: GatewayDeps, where: Listen): Promise<GatewayServer> {
  refuseOffLoopback(where);
  const closing = new AbortController();
  const app = createApp(deps, closing.signal);
  const server = createAdaptorServer({ fetch: app.fetch }) as Server;
  await bind(server, where);
  const address = server.address();
  const port = address !== null && typeof address === 'object' ? address.port : where.port;
  return {
    url: urlOf(where.host, port),
    host: where.host,
    port,
    close: () => {
      closing.abort();
      return closeServer(server);
    },
  };
}

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|::1)$/;

function refuseOffLoopback({ host, allowInsecureOffLoopback }: Listen): void {
  if (LOOPBACK.test(host) || allowInsecureOffLoopback) return;
  throw new CannotListen(
    `gateway.host is ${host}: off loopback the interface needs TLS, which the gateway does not do itself.`,
    'Keep gateway.host at 127.0.0.1 and put a proxy with TLS in front of it.',
  );
}

function bind(server: Server, { host, port }: Listen): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => void explain(error, host, port).then(reject));
    server.listen(port, host, () => resolve());
  });
}

async function explain(error: NodeJS.ErrnoException, host: string, port: number): Promise<CannotListen> {
  if (error.code === 'EADDRINUSE') {
    const who = (await isEverturn(urlOf(host, port))) ? 'another Everturn' : 'another program';
    return new CannotListen(
      `Port ${port} on ${host} is in use by ${who}.`,
      'Stop that one, or take another port: gateway.port in everturn.yaml, `--port`, or 0 for any free one.',
    );
  }
  if (error.code === 'EACCES') {
    return new CannotListen(
      `This user may not listen on port ${port}.`,
      'Take a port above 1023: gateway.port, or `--port`.',
    );
  }
  if (error.code === 'EADDRNOTAVAIL' || error.code === 'ENOTFOUND') {
    return new CannotListen(
      `This machine has no address ${host}.`,
      'Set gateway.host to one that it has, such as 127.0.0.1.',
    );
  }
  return new CannotListen(
    `Cannot listen on ${host}:${port}: ${error.message}.`,
    'Check gateway.host and gateway.port.',
  );
}

async function isEverturn(url: string): Promise<boolean> {
  try {
    const response = await fetch(`${url}/api/v1/health`, { signal: AbortSignal.timeout(1_000) });
    const body = (await response.json()) as { service?: unknown; error?: unknown };
    return body.service === 'everturn';
  } catch {
    return false;
  }
}

const urlOf = (host: string, port: number) => `http://${host.includes(':') ? `[${host}]` : host}:${port}`;

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => server.closeAllConnections(), LAST_ANSWERS_MS);
    server.close(() => {
      clearTimeout(timer);
      resolve();
    });
    server.closeIdleConnections();
  });
}
