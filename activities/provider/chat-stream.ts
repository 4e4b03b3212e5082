/**
 * Drives a chat-completions stream to its terminal event (C10.2): the finish reason, then on to `[DONE]` for at most
 * 2 s, since the usage comes last. A stream that ends before is an error; what comes after is ignored.
 */
import type { Json, JsonObject } from '../../core/json.ts';
import type { ChatFold, Shown } from './chat-fold.ts';
import { isObject, plainText, shown } from './failure-of.ts';
import { DONE_WAIT_MS } from './limits.ts';
import { type SseEvent, SseReader, SseTooLarge } from './sse.ts';
import { ProviderFailure } from './types.ts';

export type ChatBytes = {
  body: AsyncIterable<Uint8Array>;
  /** Called once, when nothing more will be read. */
  leave: () => void;
};

/** Yields what may be shown as it comes; afterwards `fold` holds the rest. @throws ProviderFailure */
export async function* readChat({ body, leave }: ChatBytes, fold: ChatFold): AsyncGenerator<Shown> {
  const reader = new SseReader();
  const bytes = body[Symbol.asyncIterator]();
  const wait = new FinishWait();
  try {
    for (;;) {
      const next = await nextBytes(bytes, fold, wait);
      const events = next === undefined ? reader.end() : reader.push(next);
      for (const event of events) {
        for (const data of parsed(event)) {
          if (data === DONE) return;
          const part = fold.push(data);
          if (part.text !== '' || part.thinking !== '') yield part;
        }
      }
      if (next !== undefined) continue;
      if (fold.finished) return;
      const whole = wholeBody(reader.stray);
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
async function nextBytes(bytes: AsyncIterator<Uint8Array>, fold: ChatFold, wait: FinishWait) {
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
function* parsed({ event, data }: SseEvent): Generator<JsonObject | typeof DONE> {
  for (const text of isJson(data) ? [data] : data.split('\n')) {
    if (text.trim() === '[DONE]') yield DONE;
    const value = json(text);
    if (isObject(value)) yield event === 'error' && value.error === undefined ? { error: value } : value;
  }
}

const isJson = (text: string): boolean => json(text) !== undefined;

function json(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

/** A server that does not stream answers with the whole completion, or with an error object. */
function wholeBody(stray: string): JsonObject | undefined {
  const value = json(stray);
  return isObject(value) && (value.error !== undefined || value.choices !== undefined) ? value : undefined;
}

function endedEarly(stray: string, fold: ChatFold): ProviderFailure {
  const instead = shown(plainText(stray));
  const message =
    instead === ''
      ? 'the stream ended before the finish of the completion.'
      : `the answer is not a stream of events (is base_url right?): ${instead}`;
  return new ProviderFailure('retryable', message, undefined, fold.ranOwnCall);
}
