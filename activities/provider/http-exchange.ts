/**
 * One POST over a socket of our own, so that each limit can be told apart (C10.3): connecting, waiting, reading.
 * Node's global fetch hides when a connection was made and has limits of its own.
 */
import http from 'node:http';
import https from 'node:https';
import type { Socket } from 'node:net';
import { abortError, throwIfAborted } from './abort.ts';
import { Alarm, type LimitName, type Limits, limitReached } from './limits.ts';
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

const agents = {
  'http:': new http.Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY }),
  'https:': new https.Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY }),
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

async function begin(input: ExchangeRequest): Promise<Exchange> {
  const { url, signal, limits, onBytes } = input;
  throwIfAborted(signal);
  const started = Date.now();
  const request = send(input);
  let why: Error | undefined;
  const stop = (error: Error) => {
    why ??= error;
    request.destroy(error);
  };
  let limit: LimitName = 'connect_timeout';
  const alarm = new Alarm(() => stop(limitReached(limit, wholeMs(limit, limits))));
  const whole = new Alarm(() => stop(limitReached('request_timeout', limits.requestTimeoutMs)));
  const onAbort = () => stop(abortError(signal));
  signal.addEventListener('abort', onAbort, { once: true });
  const end = () => {
    alarm.clear();
    whole.clear();
    signal.removeEventListener('abort', onAbort);
  };
  const idle = () => {
    limit = 'idle_timeout';
    alarm.arm(limits.idleTimeoutMs);
  };
  alarm.arm(limits.connectTimeoutMs);
  request.once('socket', (socket: Socket) => onceConnected(socket, url, idle));
  request.end(input.body);

  const response = await new Promise<http.IncomingMessage>((resolve, reject) => {
    request.once('response', resolve);
    request.on('error', (error: NodeJS.ErrnoException) => {
      end();
      const stale = request.reusedSocket && error.code === 'ECONNRESET';
      reject(why ?? (stale ? new StaleConnection() : networkFailure(error, url)));
    });
  });
  onBytes();

  async function* body(): AsyncGenerator<Uint8Array> {
    try {
      idle();
      for await (const chunk of response as AsyncIterable<Buffer>) {
        alarm.clear();
        onBytes();
        yield chunk;
        idle();
      }
    } catch (error) {
      throw why ?? networkFailure(error, url);
    } finally {
      end();
    }
  }

  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    body: body(),
    limitWhole: () => whole.arm(Math.max(1, limits.requestTimeoutMs - (Date.now() - started))),
    leave: () => {
      end();
      response.on('error', () => {}).resume();
      if (!response.complete) setTimeout(() => response.complete || request.destroy(), LEAVE_MS).unref();
    },
  };
}

function send({ url, headers, body }: ExchangeRequest): http.ClientRequest {
  const { request } = url.protocol === 'https:' ? https : http;
  const agent = agents[url.protocol as 'http:' | 'https:'];
  if (!agent) throw new ProviderFailure('fatal', `base_url must begin with http:// or https://, not ${url.protocol}`);
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

const wholeMs = (limit: LimitName, limits: Limits): number =>
  limit === 'connect_timeout' ? limits.connectTimeoutMs : limits.idleTimeoutMs;

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
