/**
 * The `fetch` that an SDK is given for one call: limits by name, failures by class, and, in place of what the
 * provider sent, a clean stream of events that holds only what is known to be well formed.
 */
import type { ChatFold } from './chat-fold.ts';
import { readChat } from './chat-stream.ts';
import { failureOfStatus, plainText, shown } from './failure-of.ts';
import { type Exchange, exchange } from './http-exchange.ts';
import type { Limits } from './limits.ts';
import { ProviderFailure } from './types.ts';

export type FetchOptions = { limits: Limits; signal: AbortSignal; onBytes: () => void; fold: ChatFold };

const LARGEST_ERROR = 64 * 1024;

/** Only POST with a text body. Rejects with a ProviderFailure or an AbortError, never answers other than 200. */
export function chatFetch({ limits, signal, onBytes, fold }: FetchOptions): typeof globalThis.fetch {
  return async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input);
    const headers = Object.fromEntries(new Headers(init?.headers as Record<string, string>));
    const answer = await exchange({ url, headers, body: String(init?.body ?? ''), signal, limits, onBytes });
    const type = answer.headers['content-type'] ?? '';
    if (!/event-stream/i.test(type)) answer.limitWhole();
    if (answer.status < 200 || answer.status >= 300) throw await failureOf(answer);
    if (/text\/html/i.test(type)) throw await notAStream(answer);
    return new Response(bytesOf(cleanEvents(answer, fold)), { headers: { 'content-type': 'text/event-stream' } });
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

/** Text and thinking as they come, then one finish; calls and usage are taken from the fold, not from here. */
async function* cleanEvents(answer: Exchange, fold: ChatFold): AsyncGenerator<string> {
  for await (const { text, thinking } of readChat(answer, fold)) {
    yield event({ ...(thinking ? { reasoning_content: thinking } : {}), ...(text ? { content: text } : {}) }, null);
  }
  yield event({}, 'stop');
  yield 'data: [DONE]\n\n';
}

function event(delta: object, finish: string | null): string {
  return `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
}

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
