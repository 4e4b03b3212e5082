/** Usage of a generation: what was thought is counted apart from what was said. */
import type { Json } from '../../../core/json.ts';
import { isObject } from '../failure-of.ts';
import { count } from '../usage-of.ts';

export function googleTokens(usage: Json | undefined) {
  const said = isObject(usage) ? usage : {};
  const inputTokens = count(said.promptTokenCount) + count(said.toolUsePromptTokenCount);
  const reasoningTokens = count(said.thoughtsTokenCount);
  return {
    inputTokens,
    outputTokens: count(said.candidatesTokenCount) + reasoningTokens,
    cachedInputTokens: Math.min(inputTokens, count(said.cachedContentTokenCount)),
    reasoningTokens,
  };
}
