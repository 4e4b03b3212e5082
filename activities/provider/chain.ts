/**
 * Walks the model chain (C3.7): retries with backoff, then the next entry; entries that rest after a 429 come last.
 * What a model thinks aloud in its text comes out as thinking, in parts and in the reply alike (C3.3).
 */
import type { ModelRef } from '../../core/execution.ts';
import { type SplitText, splitThink, thinkSplitter } from '../../core/think-split.ts';
import { abortError, pause, throwIfAborted } from './abort.ts';
import { RETRIES, RETRY_AFTER_CAP_MS, waitMs } from './backoff.ts';
import type { Cooldowns } from './cooldowns.ts';
import type { CallOptions, ProviderAdapter, ProviderReply, ProviderRequest, StreamPart } from './types.ts';
import { ProviderFailure } from './types.ts';

/** Where the walk is: `entry` from 0, `attempt` of that entry from 1. Kept in the heartbeat. */
export type ChainPosition = { entry: number; attempt: number };

export type ChainRequest = {
  /** Not empty. */
  chain: readonly ModelRef[];
  /** By `ModelRef.provider`. */
  adapters: ReadonlyMap<string, ProviderAdapter>;
  /** Everything but the model; a function when the entry decides (native tools or not). */
  request: Omit<ProviderRequest, 'model'> | ((entry: ModelRef) => Omit<ProviderRequest, 'model'>);
  signal: AbortSignal;
  onPart: CallOptions['onPart'];
  /** Awaited before a further attempt iff text or thinking of a failed one was handed out. */
  onReset: () => void | Promise<void>;
  /** Called before each attempt. */
  onPosition?: (position: ChainPosition) => void;
  /** A lost worker's attempt is made again, at the place where it was. */
  startAt?: ChainPosition;
  cooldowns: Cooldowns;
  sleep?: (ms: number, signal: AbortSignal) => Promise<void>;
  now?: () => number;
  random?: () => number;
};

export type ChainAnswer = {
  reply: ProviderReply;
  answeredBy: ModelRef;
  /** Calls made in all, this one included. */
  attempts: number;
  /** Name of the entry that answered, when it was not the first of the chain. */
  fallback?: string;
};

export type ChainFailure = {
  failure: {
    /** Class of the first entry's last failure, unless a later entry said `overflow`. */
    failureClass: ProviderFailure['failureClass'];
    /** Scrubbed; one sentence per entry. */
    message: string;
    attempts: number;
  };
};

type EntryEnd = { reply: ProviderReply } | { failed: ProviderFailure };

/** @throws only the AbortError of `signal`, and faults that are not the provider's */
export async function callChain(input: ChainRequest): Promise<ChainAnswer | ChainFailure> {
  const walk = new Walk(input);
  const failures: { entry: ModelRef; failure: ProviderFailure }[] = [];
  let index = walk.first();
  while (index !== undefined) {
    const entry = input.chain[index] as ModelRef;
    const end = await walk.ask(entry, index);
    if ('reply' in end) {
      const { attempts } = walk;
      const fallback = index === 0 ? {} : { fallback: entry.name };
      return { reply: end.reply, answeredBy: entry, attempts, ...fallback };
    }
    failures.push({ entry, failure: end.failed });
    index = end.failed.ranOwnCall ? undefined : walk.next();
  }
  return { failure: { ...summary(failures), attempts: walk.attempts } };
}

function summary(failures: { entry: ModelRef; failure: ProviderFailure }[]) {
  const deciding = failures.find(({ failure }) => failure.failureClass === 'overflow') ?? failures[0];
  const message = failures.map(({ entry, failure }) => `${entry.name}: ${failure.message}`).join(' ');
  return { failureClass: deciding?.failure.failureClass ?? 'fatal', message };
}

class Walk {
  attempts = 0;
  readonly #input: ChainRequest;
  readonly #waiting: number[];
  #firstAttempt: number;
  #shown = false;

  constructor(input: ChainRequest) {
    this.#input = input;
    const start = Math.min(input.startAt?.entry ?? 0, input.chain.length - 1);
    this.#firstAttempt = input.startAt?.attempt ?? 1;
    this.#waiting = input.chain.map((_, index) => index).slice(start);
  }

  /** A resumed entry is asked first even if it rests: its attempt had begun. */
  first(): number | undefined {
    return this.#firstAttempt > 1 ? this.#waiting.shift() : this.next();
  }

  /** The next entry that does not rest; when all rest, the one that is ready first. */
  next(): number | undefined {
    const rests = this.#waiting.map((index) => this.#restMs(this.#input.chain[index] as ModelRef));
    const ready = Math.max(rests.indexOf(Math.min(...rests)), 0);
    return this.#waiting.splice(ready, 1)[0];
  }

  async ask(entry: ModelRef, index: number): Promise<EntryEnd> {
    const { sleep = pause, signal, random = Math.random } = this.#input;
    const retries = this.#input.adapters.get(entry.provider)?.retries ?? RETRIES;
    const rest = this.#restMs(entry);
    if (rest > 0) await sleep(Math.min(rest, RETRY_AFTER_CAP_MS), signal);
    let attempt = Math.min(this.#firstAttempt, retries + 1);
    this.#firstAttempt = 1;
    for (; ; attempt++) {
      const end = await this.#attempt(entry, { entry: index, attempt });
      if ('reply' in end) return end;
      const { failureClass, retryAfterMs, ranOwnCall } = end.failed;
      const wait = waitMs(retryAfterMs, attempt, random());
      if (failureClass === 'rate_limited') this.#input.cooldowns.cool(entry.name, this.#now() + wait);
      const again = failureClass === 'retryable' || failureClass === 'rate_limited';
      if (!again || ranOwnCall || attempt > retries) return end;
      await sleep(wait, signal);
    }
  }

  async #attempt(entry: ModelRef, position: ChainPosition): Promise<EntryEnd> {
    const { signal, onPosition, onReset } = this.#input;
    throwIfAborted(signal);
    if (this.#shown) await onReset();
    this.#shown = false;
    onPosition?.(position);
    this.attempts++;
    try {
      const reply = await this.#call(entry);
      const empty = emptiness(reply, entry);
      return empty ? { failed: empty } : { reply };
    } catch (error) {
      if (signal.aborted) throw abortError(signal);
      if (error instanceof ProviderFailure) return { failed: error };
      throw error;
    }
  }

  async #call(entry: ModelRef): Promise<ProviderReply> {
    const { adapters, request, signal, onPart } = this.#input;
    const adapter = adapters.get(entry.provider);
    if (!adapter) {
      throw new ProviderFailure('fatal', `no provider named "${entry.provider}" is configured on this worker.`);
    }
    const show = (part: StreamPart) => {
      if (part.type !== 'activity') this.#shown = true;
      onPart(part);
    };
    const think = thinkSplitter();
    const showSplit = ({ text, thinking }: SplitText) => {
      if (thinking !== '') show({ type: 'thinking', text: thinking });
      if (text !== '') show({ type: 'text', text });
    };
    const onRaw = (part: StreamPart) => (part.type === 'text' ? showSplit(think.push(part.text)) : show(part));
    const parts = typeof request === 'function' ? request(entry) : request;
    const reply = await adapter.call({ ...parts, model: entry.model }, { signal, onPart: onRaw });
    showSplit(think.end());
    const { text, thinking } = splitThink(reply.text);
    return { ...reply, text, thinking: reply.thinking + thinking };
  }

  #restMs(entry: ModelRef): number {
    return this.#input.cooldowns.restMs(entry.name, this.#now());
  }

  #now(): number {
    return (this.#input.now ?? Date.now)();
  }
}

/** A completion with no text and no call is asked for again, unless the provider ran calls of its own (C3.7, C3.9). */
function emptiness(reply: ProviderReply, entry: ModelRef): ProviderFailure | undefined {
  if (reply.text.trim() !== '' || reply.calls.length > 0 || reply.providerCalls.length > 0) return undefined;
  const how = reply.finish === 'stop' || reply.finish === 'other' ? '' : ` (it ended with "${reply.finish}")`;
  return new ProviderFailure('retryable', `the model ${entry.model} returned neither text nor a tool call${how}.`);
}
