// A real HTTP server that answers as told, piece by piece: the provider of the provider tests. What it sends is made
// in wire-format.ts; here are sockets only.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** What is written next, or what is waited for before going on. */
export type Piece = string | Uint8Array | { waitMs: number } | { until: Promise<unknown> };

export type WireAnswer = {
  /** Default 200. */
  status?: number;
  headers?: Record<string, string>;
  pieces?: readonly Piece[];
  /** `eof`: an orderly end (default); `open`: nothing more, for ever; `reset`: the socket is torn down; `silent`: not even headers. */
  end?: 'eof' | 'open' | 'reset' | 'silent';
};

export type WireRequest = {
  path: string;
  headers: IncomingMessage['headers'];
  // biome-ignore lint/suspicious/noExplicitAny: the body of a vendor's API, looked at by path in tests
  body: any;
  /** The body as it came. */
  bytes: string;
  /** Which connection it came on, from 1. */
  connection: number;
};

export type WireScript = WireAnswer | ((request: WireRequest, count: number) => WireAnswer);

export type WireServer = {
  /** Ends in `/v1`. */
  url: string;
  requests: WireRequest[];
  /** The answers to the next requests, in order; the last one stays. Forgets what was asked before. */
  answer(...scripts: WireScript[]): void;
  /** Resolves when so many requests have come. */
  asked(count: number): Promise<void>;
  /** Resolves when the client has gone away from an answer that was still open. */
  left(): Promise<void>;
  /** Closes every connection, as a provider does with kept ones. Resolves when it is done on this side. */
  dropConnections(): Promise<void>;
  close(): Promise<void>;
};

export async function startWireServer(): Promise<WireServer> {
  const requests: WireRequest[] = [];
  let scripts: WireScript[] = [];
  let connections = 0;
  const waiting = new Set<() => void>();
  const wake = () => {
    for (const look of waiting) look();
  };
  let gone = 0;

  const answerTo = async (request: IncomingMessage, response: ServerResponse) => {
    const text = await bodyOf(request);
    const socket = request.socket as typeof request.socket & { number?: number };
    socket.number ??= ++connections;
    const seen = {
      path: request.url ?? '',
      headers: request.headers,
      body: json(text),
      bytes: text,
      connection: socket.number,
    };
    requests.push(seen);
    response.on('close', () => {
      if (!response.writableFinished) gone++;
      wake();
    });
    wake();
    const script = scripts[Math.min(requests.length, scripts.length) - 1] ?? { status: 500 };
    await send(response, typeof script === 'function' ? script(seen, requests.length) : script);
  };
  const server = createServer((request, response) => void answerTo(request, response).catch(() => response.destroy()));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

  const when = (is: () => boolean): Promise<void> =>
    new Promise((resolve) => {
      const look = () => {
        if (!is()) return;
        waiting.delete(look);
        resolve();
      };
      waiting.add(look);
      look();
    });

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    answer(...next) {
      scripts = next;
      requests.length = 0;
      gone = 0;
    },
    asked: (count) => when(() => requests.length >= count),
    left: () => when(() => gone > 0),
    dropConnections: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        setImmediate(resolve);
      }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function send(response: ServerResponse, { status = 200, headers, pieces = [], end = 'eof' }: WireAnswer) {
  if (end === 'silent') return;
  response.on('error', () => {});
  response.writeHead(status, { 'content-type': status === 200 ? 'text/event-stream' : 'application/json', ...headers });
  response.flushHeaders();
  for (const piece of pieces) {
    if (response.destroyed) return;
    if (typeof piece === 'string' || piece instanceof Uint8Array) {
      // Flushed one by one, so that the client meets the same borders.
      await new Promise((resolve) => response.write(piece, resolve));
      await new Promise((resolve) => setImmediate(resolve));
    } else if ('waitMs' in piece) await sleep(piece.waitMs);
    else await piece.until;
  }
  if (end === 'eof') response.end();
  if (end === 'reset') response.socket?.resetAndDestroy();
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request.setEncoding('utf8')) text += chunk;
  return text;
}

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
