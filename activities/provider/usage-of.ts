/** Usage as providers report it, in our words; the price comes from configuration. */
import type { JsonObject } from '../../core/json.ts';
import type { Usage } from '../../core/usage.ts';
import { isObject } from './failure-of.ts';

/** USD per million tokens. */
export type Price = { input: number; output: number; cachedInput?: number; cacheWrite?: number };

/** `cacheWriteTokens`: the part of the input that was written to a cache, where that has a price of its own. */
export type Tokens = Omit<Usage, 'costUsd'> & { cacheWriteTokens?: number };

/** Chat completions. Missing or odd figures count as 0. Reasoning tokens are part of the output, cached ones of the input. */
export function usageOf(raw: JsonObject | undefined, price: Price | undefined): Usage {
  const inputTokens = count(raw?.prompt_tokens ?? raw?.input_tokens);
  const outputTokens = count(raw?.completion_tokens ?? raw?.output_tokens);
  const input = isObject(raw?.prompt_tokens_details) ? raw.prompt_tokens_details : {};
  const output = isObject(raw?.completion_tokens_details) ? raw.completion_tokens_details : {};
  const cachedInputTokens = Math.min(inputTokens, count(input.cached_tokens ?? raw?.prompt_cache_hit_tokens));
  const reasoningTokens = count(output.reasoning_tokens ?? raw?.reasoning_tokens);
  return priced({ inputTokens, outputTokens, cachedInputTokens, reasoningTokens }, price);
}

export function priced({ cacheWriteTokens = 0, ...tokens }: Tokens, price: Price | undefined): Usage {
  return { ...tokens, costUsd: price ? costUsd({ ...tokens, cacheWriteTokens }, price) : 0 };
}

/** What has no price of its own costs what fresh input costs. */
export function costUsd(tokens: Tokens, price: Price): number {
  const { inputTokens, outputTokens, cachedInputTokens, cacheWriteTokens = 0 } = tokens;
  const fresh = Math.max(0, inputTokens - cachedInputTokens - cacheWriteTokens);
  const cached = cachedInputTokens * (price.cachedInput ?? price.input);
  const written = cacheWriteTokens * (price.cacheWrite ?? price.input);
  return (fresh * price.input + cached + written + outputTokens * price.output) / 1_000_000;
}

/** A figure of a provider; an odd one is none. */
export const count = (value: unknown): number => (typeof value === 'number' && value > 0 ? Math.round(value) : 0);
