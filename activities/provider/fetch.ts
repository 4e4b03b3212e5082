/**
 * The `fetch` that an SDK is given for one call: limits by name, failures by class, and, in place of what the
 * provider sent, a clean stream of events that holds only what is known to be well formed.
 */
import type { JsonObject } from '../../core/json.ts';
import type { EventFold } from './event-fold.ts';
import { failureOfStatus, plainText, shown } from './failure-of.ts';
import { type Exchange, exchange } from './http-exchange.ts';
import type { Limits } from './limits.ts';
import { readEvents } from './read-events.ts';
import { ProviderFailure } from './types.ts';

/** How the SDK wants to be told, in its vendor's own events: text, thinking, a plain end. Each is the data of events. */
export type Voice = {
  text: (text: string) => object[];
  thinking: (text: string) => object[];
  end: object[];
};

export type FetchOptions = {
  limits: Limits;
  signal: AbortSignal;
  onBytes: () => void;
  fold: EventFold;
  voice: Voice;
  /** The body that is sent, from the one that the SDK made. */
  rewrite?: (body: JsonObject) => string;
};

const LARGEST_ERROR = 64 * 1024;

/** Only POST with a text body. Rejects with a ProviderFailure or an AbortError, never answers other than 200. */
export function providerFetch(options: FetchOptions): typeof globalThis.fetch {
  const { limits, signal, onBytes, fold, voice, rewrite } = options;
  return async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input);
    const headers = Object.fromEntries(new Headers(init?.headers as Record<string, string>));
    const made = String(init?.body ?? '');
    const body = rewrite ? rewrite(JSON.parse(made) as JsonObject) : made;
    const answer = await exchange({ url, headers, body, signal, limits, onBytes });
    const type = answer.headers['content-type'] ?? '';
    if (!/event-stream/i.test(type)) answer.limitWhole();
    if (answer.status < 200 || answer.status >= 300) throw await failureOf(answer);
    if (/text\/html/i.test(type)) throw await notAStream(answer);
    return new Response(bytesOf(cleanEvents(answer, fold, voice)), {
      headers: { 'content-type': 'text/event-stream' },
    });
  };
}

/** Pulled, so that a slow reader slows the provider down. */
function bytesOf(texts: AsyncGenerator<string>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream({
    async pull(controller) {
      try {
        const next = await texts.next();
        if (next.done) controller.close();
        else controller.enqueue(encoder.encode(next.value));
      } catch (error) {
        controller.error(error);
      }
    },
  });
}

/** Text and thinking as they come, then one end; calls and usage are taken from the fold, not from here. */
async function* cleanEvents(answer: Exchange, fold: EventFold, voice: Voice): AsyncGenerator<string> {
  for await (const { text, thinking } of readEvents(answer, fold)) {
    const said = [...(thinking ? voice.thinking(thinking) : []), ...(text ? voice.text(text) : [])];
    yield said.map(event).join('');
  }
  yield voice.end.map(event).join('');
}

const event = (data: object): string => `data: ${JSON.stringify(data)}\n\n`;

async function failureOf(answer: Exchange): Promise<ProviderFailure> {
  const { status, headers } = answer;
  const { text, limit } = await textOf(answer);
  if (status < 400) {
    const to = headers.location ? ` to ${headers.location}` : '';
    return new ProviderFailure('fatal', `HTTP ${status}: the provider redirects${to}; set base_url to where it is.`);
  }
  const failure = failureOfStatus(status, text, retryAfter(headers));
  if (limit === undefined) return failure;
  return new ProviderFailure(failure.failureClass, `${failure.message} (${limit})`, failure.retryAfterMs);
}

/** Some vendors add milliseconds to the standard header. */
function retryAfter(headers: Exchange['headers']): string | undefined {
  const ms = Number(headers['retry-after-ms'] ?? Number.NaN);
  return Number.isFinite(ms) ? String(ms / 1000) : headers['retry-after'];
}

async function notAStream(answer: Exchange): Promise<ProviderFailure> {
  const page = shown(plainText((await textOf(answer)).text));
  return new ProviderFailure('retryable', `the answer is not a stream of events (is base_url right?): ${page}`);
}

/** The status is known by now, so a body that breaks off is no failure of its own; only a limit is told. */
async function textOf(answer: Exchange): Promise<{ text: string; limit?: string }> {
  const decoder = new TextDecoder();
  let text = '';
  try {
    for await (const chunk of answer.body) {
      text += decoder.decode(chunk, { stream: true });
      if (text.length > LARGEST_ERROR) break;
    }
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error;
    if (error.message.includes('_timeout:')) return { text, limit: error.message };
  }
  return { text };
}
