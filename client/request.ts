/** One HTTP call: bearer token, deadline, JSON both ways, refusals as `ApiError`. */
import { ApiError, errorFrom } from './errors.ts';

export type Fetch = typeof globalThis.fetch;

export type ConnectOptions = {
  /** Where the gateway is, for example `http://127.0.0.1:7410`. */
  url: string;
  token: string;
  /** Milliseconds that a call may take (default 30,000); streams have no limit. */
  timeoutMs?: number;
  /** Which face of the product this is (`cli`, `dashboard` …); default `http`. */
  surface?: string;
  fetch?: Fetch;
};

export type Call = {
  method: 'GET' | 'POST';
  path: string;
  query?: Record<string, string | string[] | undefined>;
  body?: unknown;
  headers?: Record<string, string>;
  signal?: AbortSignal;
  /** Refusals whose body is an answer. */
  alsoGood?: number[];
};

export type Request = <T>(call: Call) => Promise<T>;

export function urlOf(base: string, path: string, query: Call['query'] = {}): URL {
  const url = new URL(`${base.replace(/\/+$/, '')}/api/v1${path}`);
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined) continue;
    url.searchParams.set(name, Array.isArray(value) ? value.join(',') : value);
  }
  return url;
}

export function headersOf(options: ConnectOptions): Record<string, string> {
  const headers: Record<string, string> = { authorization: `Bearer ${options.token}` };
  if (options.surface !== undefined) headers['x-everturn-surface'] = options.surface;
  return headers;
}

export function createRequest(options: ConnectOptions): Request {
  const send = options.fetch ?? globalThis.fetch;
  return async <T>(call: Call): Promise<T> => {
    const response = await reach(options, () =>
      send(urlOf(options.url, call.path, call.query), {
        method: call.method,
        headers: {
          ...headersOf(options),
          accept: 'application/json',
          ...(call.body === undefined ? {} : { 'content-type': 'application/json' }),
          ...call.headers,
        },
        ...(call.body === undefined ? {} : { body: JSON.stringify(call.body) }),
        signal: within(options.timeoutMs ?? 30_000, call.signal),
      }),
    );
    const body = await reach(options, () => readJson(response));
    if (!response.ok && !call.alsoGood?.includes(response.status)) throw errorFrom(response.status, body);
    return body as T;
  };
}

function within(timeoutMs: number, signal: AbortSignal | undefined): AbortSignal {
  const timeout = AbortSignal.timeout(timeoutMs);
  return signal ? AbortSignal.any([signal, timeout]) : timeout;
}

async function readJson(response: Response): Promise<unknown> {
  const text = await response.text();
  try {
    return text === '' ? null : JSON.parse(text);
  } catch {
    return null;
  }
}

/** Turns a broken connection into an error that says where and what to do; aborts by the caller stay as they are. */
export async function reach<T>(options: ConnectOptions, attempt: () => Promise<T>): Promise<T> {
  try {
    return await attempt();
  } catch (error) {
    if (error instanceof Error && error.name === 'AbortError') throw error;
    const late = error instanceof Error && error.name === 'TimeoutError';
    throw new ApiError(0, {
      code: late ? 'timeout' : 'unreachable',
      message: `${late ? 'No answer in time from' : 'Cannot reach'} Everturn at ${options.url}.`,
      hint: 'Check that `everturn dev` or `everturn gateway` is running there, and the port.',
    });
  }
}
