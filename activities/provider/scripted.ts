/** The provider `scripted`: answers from a file, for tests, demos and replay of recorded sessions. It says so in its label. */
import { readFile, stat } from 'node:fs/promises';
import { NO_USAGE, type Usage } from '../../core/usage.ts';
import { pause, throwIfAborted } from './abort.ts';
import { failureOfStatus } from './failure-of.ts';
import { limitReached } from './limits.ts';
import { type Choice, conversationOf, ScriptIndex } from './script-choose.ts';
import { parseScript, type ScriptAnswer } from './script-format.ts';
import { filled, filledJson, templateValues, type Values } from './script-template.ts';
import { type CallOptions, type ProviderAdapter, ProviderFailure, type ProviderReply } from './types.ts';
import { type Price, priced } from './usage-of.ts';

export type ScriptedSettings = {
  name: string;
  /** Path of the YAML file; read again when it changes. */
  file: string;
  prices?: Record<string, Price>;
  retries?: number;
};

export function scripted({ name, file, prices = {}, retries }: ScriptedSettings): ProviderAdapter {
  const script = scriptFile(file);
  const faults = new FaultCounts();
  return {
    name,
    label: `${name} (scripted)`,
    ...(retries === undefined ? {} : { retries }),
    async call(request, options) {
      throwIfAborted(options.signal);
      const index = await script();
      const conversation = conversationOf(request);
      const choice = index.choose(conversation);
      if (!choice) throw nothingToSay(file, conversation.assistants);
      const values = templateValues(conversation, choice.iteration);
      const meets = faults.meets(choice, `${choice.key}:${conversation.assistants}:${conversation.lastUser}`);
      const { text, thinking } = await play(choice.answer, values, { ...options, meets });
      return replyOf({ choice, values, text, thinking, price: prices[request.model] });
    },
  };
}

type Playing = CallOptions & { meets: boolean };

async function play(answer: ScriptAnswer, values: Values, { signal, onPart, meets }: Playing) {
  const fault = meets ? answer.fault : undefined;
  const pieces = [
    ...answer.think.map((piece) => ({ type: 'thinking' as const, piece })),
    ...answer.say.map((piece) => ({ type: 'text' as const, piece })),
  ];
  const early = fault && (fault.kind === 'error' || fault.kind === 'status');
  const faultAt = fault ? (fault.after ?? (early ? 0 : pieces.length)) : Number.POSITIVE_INFINITY;
  const said = { text: '', thinking: '' };
  if (pieces.length === 0 && answer.delay_ms > 0) await pause(answer.delay_ms, signal);
  for (const [at, { type, piece }] of pieces.entries()) {
    if (fault && at === faultAt) await fail(fault, signal);
    if (typeof piece !== 'string') {
      await pause(piece.wait_ms, signal);
      continue;
    }
    if (answer.delay_ms > 0) await pause(answer.delay_ms, signal);
    throwIfAborted(signal);
    const text = filled(piece, values);
    said[type] += text;
    onPart({ type, text });
  }
  if (fault) await fail(fault, signal);
  throwIfAborted(signal);
  return said;
}

async function fail(fault: NonNullable<ScriptAnswer['fault']>, signal: AbortSignal): Promise<never> {
  switch (fault.kind) {
    case 'status':
      throw failureOfStatus(fault.status, fault.message, fault.retry_after?.toString());
    case 'error':
      throw new ProviderFailure('retryable', `the provider reported: ${fault.message}`);
    case 'cut':
      throw new ProviderFailure('retryable', 'the stream ended before the finish of the completion.');
    case 'stall':
      await pause(fault.idle_ms, signal);
      throw limitReached('idle_timeout', fault.idle_ms);
  }
}

type Said = { choice: Choice; values: Values; text: string; thinking: string; price: Price | undefined };

function replyOf({ choice: { answer }, values, text, thinking, price }: Said): ProviderReply {
  const calls = answer.calls.map(({ id, name, arguments: args }, slot) => ({
    id: id ?? `call_${Number(values.assistants) + 1}_${slot + 1}`,
    name: filled(name, values),
    arguments: typeof args === 'string' ? filled(args, values) : JSON.stringify(filledJson(args, values)),
  }));
  return {
    text,
    thinking,
    calls,
    providerCalls: answer.provider_calls,
    finish: answer.finish ?? (calls.length > 0 ? 'calls' : 'stop'),
    usage: usageOf(answer, price),
  };
}

function usageOf({ usage }: ScriptAnswer, price: Price | undefined): Usage {
  if (!usage) return NO_USAGE;
  const tokens = {
    inputTokens: usage.input,
    outputTokens: usage.output,
    cachedInputTokens: usage.cached,
    reasoningTokens: usage.reasoning,
  };
  const made = priced(tokens, price);
  return usage.cost === undefined ? made : { ...made, costUsd: usage.cost };
}

/** Reads the file once, and again when its time or size has changed. */
function scriptFile(file: string): () => Promise<ScriptIndex> {
  let known: { stamp: string; index: ScriptIndex } | undefined;
  return async () => {
    try {
      const { mtimeMs, size } = await stat(file);
      const stamp = `${mtimeMs}:${size}`;
      if (known?.stamp !== stamp)
        known = { stamp, index: new ScriptIndex(parseScript(await readFile(file, 'utf8'), file)) };
      return known.index;
    } catch (error) {
      if (error instanceof ProviderFailure) throw error;
      throw new ProviderFailure('fatal', `the script ${file} cannot be read: ${(error as Error).message}`);
    }
  };
}

/** Counts how often a fault with `times` was met, in this process alone. */
class FaultCounts {
  readonly #met = new Map<string, number>();

  meets({ answer: { fault } }: Choice, key: string): boolean {
    if (!fault) return false;
    if (fault.times === undefined) return true;
    const met = this.#met.get(key) ?? 0;
    this.#met.delete(key);
    if (met >= fault.times) return false;
    this.#met.set(key, met + 1);
    return true;
  }
}

function nothingToSay(file: string, answers: number): ProviderFailure {
  const message = `the script ${file} has no response for this conversation (${answers} answers so far): add one, or \`otherwise\`.`;
  return new ProviderFailure('fatal', message);
}
