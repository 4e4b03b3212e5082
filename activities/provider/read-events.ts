/**
 * Drives a stream of events to its protocol's terminal event (C10.2). Where the usage comes after the finish reason it
 * is waited for, at most 2 s. A stream that ends before is an error; what comes after is ignored.
 */
import type { Json, JsonObject } from '../../core/json.ts';
import type { EventFold, Shown } from './event-fold.ts';
import { isObject, plainText, shown } from './failure-of.ts';
import { DONE_WAIT_MS } from './limits.ts';
import { type SseEvent, SseReader, SseTooLarge } from './sse.ts';
import { ProviderFailure } from './types.ts';

export type EventBytes = {
  body: AsyncIterable<Uint8Array>;
  /** Called once, when nothing more will be read. */
  leave: () => void;
};

/** Yields what may be shown as it comes; afterwards `fold` holds the rest. @throws ProviderFailure */
export async function* readEvents({ body, leave }: EventBytes, fold: EventFold): AsyncGenerator<Shown> {
  const reader = new SseReader();
  const bytes = body[Symbol.asyncIterator]();
  const wait = new FinishWait();
  try {
    for (;;) {
      const next = await nextBytes(bytes, fold, wait);
      const events = next === undefined ? reader.end() : reader.push(next);
      for (const event of events) {
        for (const data of parsed(event, fold)) {
          if (data === DONE) {
            if (fold.doneEnds) return;
            continue;
          }
          const part = fold.push(data);
          if (part.text !== '' || part.thinking !== '') yield part;
          if (fold.ended) return;
        }
      }
      if (next !== undefined) continue;
      if (fold.finished) return;
      const whole = wholeBody(reader.stray, fold);
      if (whole === undefined) throw endedEarly(reader.stray, fold);
      yield fold.push(whole);
      if (!fold.finished) throw endedEarly('', fold);
      return;
    }
  } catch (error) {
    throw error instanceof SseTooLarge
      ? new ProviderFailure('retryable', 'the stream is not one of events: a line of it is too long.')
      : error;
  } finally {
    wait.end();
    leave();
  }
}

/** undefined at the end of the stream. After the finish, a broken or slow end is an end like any other. */
async function nextBytes(bytes: AsyncIterator<Uint8Array>, fold: EventFold, wait: FinishWait) {
  try {
    const next = bytes.next();
    const result = fold.finished ? await Promise.race([next, wait.over(next)]) : await next;
    return result === undefined || result.done ? undefined : result.value;
  } catch (error) {
    if (fold.finished) return undefined;
    throw error;
  }
}

class FinishWait {
  #timer: NodeJS.Timeout | undefined;
  #over: Promise<undefined> | undefined;

  /** Resolves 2 s after the first call; `pending` may then fail unheard. */
  over(pending: Promise<unknown>): Promise<undefined> {
    pending.catch(() => {});
    this.#over ??= new Promise((resolve) => {
      this.#timer = setTimeout(() => resolve(undefined), DONE_WAIT_MS);
    });
    return this.#over;
  }

  end(): void {
    clearTimeout(this.#timer);
  }
}

const DONE = Symbol('done');

/** An event holds one object; some servers leave out the blank line between two. What is no JSON object is passed over. */
function* parsed({ event, data }: SseEvent, fold: EventFold): Generator<JsonObject | typeof DONE> {
  const whole = json(data, fold);
  for (const text of whole === undefined ? data.split('\n') : [data]) {
    if (text.trim() === '[DONE]') yield DONE;
    const value = whole ?? json(text, fold);
    if (isObject(value)) yield event === 'error' && value.error === undefined ? { error: value } : value;
  }
}

function json(text: string, fold: EventFold): Json | undefined {
  try {
    return fold.parse ? fold.parse(text) : (JSON.parse(text) as Json);
  } catch {
    return undefined;
  }
}

/** A server that does not stream answers with the whole completion, or with an error object. */
function wholeBody(stray: string, fold: EventFold): JsonObject | undefined {
  const value = json(stray, fold);
  const first = Array.isArray(value) ? value[0] : value;
  return isObject(first) && (first.error !== undefined || fold.isWhole(first)) ? first : undefined;
}

function endedEarly(stray: string, fold: EventFold): ProviderFailure {
  const instead = shown(plainText(stray));
  const message =
    instead === ''
      ? 'the stream ended before the finish of the completion.'
      : `the answer is not a stream of events (is base_url right?): ${instead}`;
  return new ProviderFailure('retryable', message, undefined, fold.ranOwnCall);
}
