/** The events of a turn as they happen: reconnects by itself and goes on from the last number, nothing missed or doubled. */
import type { TurnEvent } from '../core/events.ts';
import { ApiError, errorFrom } from './errors.ts';
import { type ConnectOptions, headersOf, reach, urlOf } from './request.ts';
import { readSse } from './sse.ts';

export type EventsOptions = {
  /** Begin after this number; 0 (the default) is the whole turn. */
  after?: number;
  /** Ends the iteration without an error. */
  signal?: AbortSignal;
};

const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 3_000;
/** Three heartbeats of the server. */
const IDLE_MS = 45_000;

/**
 * Ends after `turn_ended`, or when the signal fires.
 * @throws ApiError when the server refuses (unknown turn, bad token); a lost connection is tried again without limit
 */
export async function* turnEvents(
  options: ConnectOptions,
  turnId: string,
  { after = 0, signal }: EventsOptions = {},
): AsyncGenerator<TurnEvent> {
  let last = after;
  let pause = FIRST_PAUSE_MS;
  while (!signal?.aborted) {
    try {
      for await (const event of connectOnce(options, turnId, last, signal)) {
        if (event.number <= last) continue;
        last = event.number;
        pause = FIRST_PAUSE_MS;
        yield event;
        if (event.type === 'turn_ended') return;
      }
    } catch (error) {
      if (signal?.aborted) return;
      if (isFinal(error)) throw error;
    }
    await sleep(pause, signal);
    pause = Math.min(pause * 2, LONGEST_PAUSE_MS);
  }
}

async function* connectOnce(
  options: ConnectOptions,
  turnId: string,
  after: number,
  signal: AbortSignal | undefined,
): AsyncGenerator<TurnEvent> {
  const send = options.fetch ?? globalThis.fetch;
  const response = await reach(options, () =>
    send(urlOf(options.url, `/turns/${encodeURIComponent(turnId)}/events`, { after: String(after) }), {
      headers: { ...headersOf(options), accept: 'text/event-stream' },
      ...(signal ? { signal } : {}),
    }),
  );
  if (!response.ok || response.body === null) {
    throw errorFrom(response.status, await response.json().catch(() => null));
  }
  for await (const message of readSse(response.body, IDLE_MS)) yield JSON.parse(message.data) as TurnEvent;
}

/** What trying again cannot change: the server said no. Overload (429) and faults of its own (5xx) pass. */
function isFinal(error: unknown): boolean {
  return error instanceof ApiError && error.status >= 400 && error.status < 500 && error.status !== 429;
}

function sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal?.addEventListener('abort', done);
  });
}
