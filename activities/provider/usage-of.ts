/** Usage as an OpenAI-compatible provider reports it, in our words; the price comes from configuration. */
import type { JsonObject } from '../../core/json.ts';
import type { Usage } from '../../core/usage.ts';
import { isObject } from './failure-of.ts';

/** USD per million tokens. */
export type Price = { input: number; output: number; cachedInput?: number };

/** Missing or odd figures count as 0. Reasoning tokens are part of the output, cached ones of the input. */
export function usageOf(raw: JsonObject | undefined, price: Price | undefined): Usage {
  const inputTokens = count(raw?.prompt_tokens ?? raw?.input_tokens);
  const outputTokens = count(raw?.completion_tokens ?? raw?.output_tokens);
  const input = isObject(raw?.prompt_tokens_details) ? raw.prompt_tokens_details : {};
  const output = isObject(raw?.completion_tokens_details) ? raw.completion_tokens_details : {};
  const cachedInputTokens = Math.min(inputTokens, count(input.cached_tokens ?? raw?.prompt_cache_hit_tokens));
  const reasoningTokens = count(output.reasoning_tokens ?? raw?.reasoning_tokens);
  const usage = { inputTokens, outputTokens, cachedInputTokens, reasoningTokens };
  return { ...usage, costUsd: price ? costUsd(usage, price) : 0 };
}

export function costUsd(usage: Omit<Usage, 'costUsd'>, price: Price): number {
  const cached = usage.cachedInputTokens * (price.cachedInput ?? price.input);
  const fresh = (usage.inputTokens - usage.cachedInputTokens) * price.input;
  return (cached + fresh + usage.outputTokens * price.output) / 1_000_000;
}

const count = (value: unknown): number => (typeof value === 'number' && value > 0 ? Math.round(value) : 0);
