/**
 * One POST over a socket of our own, so that each limit can be told apart (C10.3): connecting, waiting, reading.
 * Node's global fetch hides when a connection was made and has limits of its own.
 */
import http from 'node:http';
import https from 'node:https';
import type { Socket } from 'node:net';
import { throwIfAborted } from './abort.ts';
import { HttpBody } from './http-body.ts';
import { HttpWatch } from './http-watch.ts';
import type { Limits } from './limits.ts';
import { ProviderFailure } from './types.ts';

export type Exchange = {
  status: number;
  headers: http.IncomingHttpHeaders;
  /** Read once. Throws a ProviderFailure when the connection breaks or a limit fires. */
  body: AsyncIterable<Uint8Array>;
  /** The whole must have been read by then; for answers that are not streamed. */
  limitWhole(): void;
  /** Nothing more is of interest: lets a short rest arrive, so that the connection can be used again. */
  leave(): void;
};

export type ExchangeRequest = {
  url: URL;
  headers: Record<string, string>;
  body: string;
  signal: AbortSignal;
  limits: Limits;
  /** Any sign of life. */
  onBytes: () => void;
};

const LEAVE_MS = 500;

/** @throws ProviderFailure (retryable) on network faults and limits; AbortError */
export async function exchange(input: ExchangeRequest): Promise<Exchange> {
  try {
    return await begin(input);
  } catch (error) {
    // A kept connection that the other side had closed by then says nothing about the provider.
    if (error instanceof StaleConnection) return await begin(input);
    throw error;
  }
}

class StaleConnection extends Error {}

async function begin({ url, headers, body, signal, limits, onBytes }: ExchangeRequest): Promise<Exchange> {
  throwIfAborted(signal);
  const request = open(url, headers, body);
  const watch = new HttpWatch(limits, signal, (why) => request.destroy(why));
  request.once('socket', (socket: Socket) => onceConnected(socket, url, () => watch.waits()));
  request.end(body);
  const response = await new Promise<http.IncomingMessage>((resolve, reject) => {
    request.once('response', resolve);
    request.on('error', (error: NodeJS.ErrnoException) => {
      watch.over();
      const stale = request.reusedSocket && error.code === 'ECONNRESET';
      reject(watch.why ?? (stale ? new StaleConnection() : networkFailure(error, url)));
    });
  });
  const waits = () => {
    onBytes();
    watch.waits();
  };
  waits();
  const content = new HttpBody(response, { waits, rests: () => watch.rests() });
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    body: watched(content, watch, url),
    limitWhole: () => watch.limitWhole(),
    leave: () => {
      watch.over();
      content.leave();
      if (!response.complete) setTimeout(() => response.complete || request.destroy(), LEAVE_MS).unref();
    },
  };
}

async function* watched(content: HttpBody, watch: HttpWatch, url: URL): AsyncGenerator<Uint8Array> {
  try {
    yield* content.chunks();
  } catch (error) {
    throw watch.why ?? networkFailure(error, url);
  } finally {
    watch.over();
  }
}

const agents = {
  'http:': new http.Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY }),
  'https:': new https.Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY }),
};

function open(url: URL, headers: Record<string, string>, body: string): http.ClientRequest {
  const agent = agents[url.protocol as 'http:' | 'https:'];
  if (!agent) throw new ProviderFailure('fatal', `base_url must begin with http:// or https://, not ${url.protocol}`);
  const { request } = url.protocol === 'https:' ? https : http;
  const length = String(Buffer.byteLength(body));
  return request(url, {
    method: 'POST',
    agent,
    headers: { ...headers, 'accept-encoding': 'identity', 'content-length': length },
  });
}

function onceConnected(socket: Socket, url: URL, then: () => void): void {
  if (socket.connecting) socket.once(url.protocol === 'https:' ? 'secureConnect' : 'connect', then);
  else then();
}

function networkFailure(error: unknown, url: URL): ProviderFailure {
  const { code, message } = error as { code?: string; message?: string };
  const words: Record<string, string> = {
    ECONNREFUSED: `nothing listens at ${url.host}: is the provider running?`,
    ENOTFOUND: `the host ${url.hostname} is not known: check base_url.`,
    EAI_AGAIN: `the host ${url.hostname} could not be looked up.`,
    ECONNRESET: 'the connection was closed in the middle of the answer.',
  };
  return new ProviderFailure('retryable', words[code ?? ''] ?? `the connection failed: ${message || code || error}`);
}
