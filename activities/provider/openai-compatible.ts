/** Providers that speak chat completions, through the vendor SDK's `doStream`. Its types stay in this file. */
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import type { JSONSchema7, JSONValue, LanguageModelV4, LanguageModelV4Prompt } from '@ai-sdk/provider';
import type { JsonObject } from '../../core/json.ts';
import type { Message } from '../../core/transcript.ts';
import { abortError } from './abort.ts';
import { ChatFold } from './chat-fold.ts';
import { providerFetch, type Voice } from './fetch.ts';
import { COMPATIBLE_LIMITS, type Limits } from './limits.ts';
import { extrasFor, sealedExtras } from './provider-extras.ts';
import { failureIn, pump } from './sdk-stream.ts';
import {
  type CallOptions,
  type ProviderAdapter,
  ProviderFailure,
  type ProviderReply,
  type ProviderRequest,
} from './types.ts';
import { type Price, usageOf } from './usage-of.ts';

export type CompatibleSettings = {
  /** As configured. */
  name: string;
  baseUrl: string;
  apiKey?: string;
  headers?: Record<string, string>;
  limits?: Partial<Limits>;
  /** By model. */
  prices?: Record<string, Price>;
  retries?: number;
  /** Applied to every message of a failure. */
  scrub: (text: string) => string;
  log?: (message: string) => void;
};

export function openAiCompatible(settings: CompatibleSettings): ProviderAdapter {
  const { name, scrub, retries, log = () => {} } = settings;
  return {
    name,
    label: name,
    ...(retries === undefined ? {} : { retries }),
    async call(request, options) {
      const fold = new ChatFold((message) => log(`${name}/${request.model}: ${message}`));
      try {
        const said = await stream(languageModel(settings, request, options, fold), request, options);
        return replyOf(fold, { ...said, model: modelName(request.model), price: settings.prices?.[request.model] });
      } catch (error) {
        if (options.signal.aborted) throw abortError(options.signal);
        const { failureClass, message, retryAfterMs } = failureIn(error);
        throw new ProviderFailure(failureClass, scrub(message), retryAfterMs, fold.ranOwnCall);
      }
    },
  };

  function modelName(model: string): string {
    return `${name}/${model}`;
  }

  async function stream(model: LanguageModelV4, request: ProviderRequest, { signal, onPart }: CallOptions) {
    const parts = await model.doStream({
      prompt: promptOf(request, modelName(request.model)),
      tools: request.tools.map(({ name: tool, description, parameters }) => ({
        type: 'function' as const,
        name: tool,
        description,
        inputSchema: parameters as JSONSchema7,
      })),
      toolChoice: { type: request.toolChoice },
      abortSignal: signal,
    });
    return pump(parts.stream, onPart);
  }
}

const said = (delta: object, finish: string | null) => ({ choices: [{ index: 0, delta, finish_reason: finish }] });
const VOICE: Voice = {
  text: (text) => [said({ content: text }, null)],
  thinking: (text) => [said({ reasoning_content: text }, null)],
  end: [said({}, 'stop')],
};

/** Made for one call: its `fetch` knows the call's signal and fold. */
function languageModel(
  settings: CompatibleSettings,
  request: ProviderRequest,
  options: CallOptions,
  fold: ChatFold,
): LanguageModelV4 {
  const { name, baseUrl, apiKey, headers } = settings;
  const limits = { ...COMPATIBLE_LIMITS, ...settings.limits };
  const onBytes = () => options.onPart({ type: 'activity' });
  const sdk = createOpenAICompatible({
    name,
    baseURL: baseUrl,
    ...(apiKey === undefined ? {} : { apiKey }),
    ...(headers === undefined ? {} : { headers }),
    includeUsage: true,
    fetch: providerFetch({ limits, signal: options.signal, onBytes, fold, voice: VOICE }),
    transformRequestBody: (body) => withArgumentBytes(body, request.messages),
  });
  return sdk.chatModel(request.model);
}

/** The SDK parses arguments and writes some of them anew (`__proto__` becomes a text in a text); the model's bytes go back. */
function withArgumentBytes(body: Record<string, unknown>, messages: readonly Message[]): Record<string, unknown> {
  const texts = new Map(
    messages.flatMap((each) => (each.role === 'assistant' ? each.calls : [])).map((call) => [call.id, call]),
  );
  for (const message of body.messages as { tool_calls?: { id: string; function: object }[] }[]) {
    for (const call of message.tool_calls ?? []) {
      const ours = texts.get(call.id);
      if (ours) call.function = { ...call.function, name: ours.name, arguments: ours.arguments };
    }
  }
  return body;
}

/** `openaiCompatible` options are what the SDK writes into a message or call as it is. */
const asIs = (fields: JsonObject) =>
  Object.keys(fields).length === 0
    ? {}
    : { providerOptions: { openaiCompatible: fields as Record<string, JSONValue> } };

function promptOf({ system, messages }: ProviderRequest, model: string): LanguageModelV4Prompt {
  const prompt: LanguageModelV4Prompt = system === '' ? [] : [{ role: 'system', content: system }];
  for (const message of messages) {
    if (message.role === 'user') prompt.push({ role: 'user', content: [{ type: 'text', text: message.text }] });
    else if (message.role === 'tool') {
      const content = message.results.map(({ id, name, text, success }) => ({
        type: 'tool-result' as const,
        toolCallId: id,
        toolName: name,
        output: { type: success ? ('text' as const) : ('error-text' as const), value: text },
      }));
      prompt.push({ role: 'tool', content });
    } else {
      const calls = message.calls.map(({ id, name, extras }) => ({
        type: 'tool-call' as const,
        toolCallId: id,
        toolName: name,
        input: {},
        ...asIs(extrasFor(model, extras)),
      }));
      const text = message.text === '' ? [] : [{ type: 'text' as const, text: message.text }];
      prompt.push({ role: 'assistant', content: [...text, ...calls], ...asIs(extrasFor(model, message.extras)) });
    }
  }
  return prompt;
}

type Said = { text: string; thinking: string; model: string; price: Price | undefined };

function replyOf(fold: ChatFold, { text, thinking, model, price }: Said): ProviderReply {
  const { calls, providerCalls, finish, usage, extras } = fold.end();
  const own = sealedExtras(model, calls.length > 0 ? extras : withoutThinking(extras));
  return {
    text,
    thinking,
    calls: calls.map(({ extras: sent, ...call }) => {
      const sealed = sealedExtras(model, (sent ?? {}) as JsonObject);
      return { ...call, ...(sealed === undefined ? {} : { extras: sealed }) };
    }),
    providerCalls,
    finish,
    usage: usageOf(usage, price),
    ...(own === undefined ? {} : { extras: own }),
  };
}

/** Plain thinking goes back only beside calls: some providers ask for it there, and refuse it elsewhere. */
function withoutThinking({ reasoning_content: _, reasoning: __, ...rest }: JsonObject): JsonObject {
  return rest;
}
