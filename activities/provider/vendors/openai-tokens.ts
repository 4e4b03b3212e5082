/** Usage of a response. */
import type { Json } from '../../../core/json.ts';
import { isObject } from '../failure-of.ts';
import { count } from '../usage-of.ts';

export function openAiTokens(usage: Json | undefined) {
  const said = isObject(usage) ? usage : {};
  const input = isObject(said.input_tokens_details) ? said.input_tokens_details : {};
  const output = isObject(said.output_tokens_details) ? said.output_tokens_details : {};
  const inputTokens = count(said.input_tokens);
  return {
    inputTokens,
    outputTokens: count(said.output_tokens),
    cachedInputTokens: Math.min(inputTokens, count(input.cached_tokens)),
    reasoningTokens: count(output.reasoning_tokens),
  };
}
