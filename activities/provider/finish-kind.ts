/** Any provider's word for why a completion ended (C10.7). Only `length`, `filter` and `refusal` decide anything. */
import type { FinishKind } from './types.ts';

const WORDS: Record<Exclude<FinishKind, 'other'>, readonly string[]> = {
  stop: ['stop', 'end_turn', 'stop_sequence', 'eos', 'eos_token', 'end', 'complete', 'completed', 'done', 'finish'],
  calls: ['tool_calls', 'tool_call', 'function_call', 'tool_use'],
  length: [
    'length',
    'max_tokens',
    'max_output_tokens',
    'max_completion_tokens',
    'max_length',
    'model_length',
    'token_limit',
    'output_limit',
    'incomplete',
    'model_context_window_exceeded',
    'continuation',
  ],
  filter: [
    'content_filter',
    'content_filtered',
    'filter',
    'filtered',
    'safety',
    'image_safety',
    'recitation',
    'blocklist',
    'blocked',
    'prohibited_content',
    'spii',
    'language',
    'image_prohibited_content',
    'image_recitation',
    'model_armor',
    'sensitive',
    'moderation',
    'guardrail_intervened',
  ],
  refusal: ['refusal', 'refused'],
};

const KINDS = new Map(
  Object.entries(WORDS).flatMap(([kind, words]) => words.map((word) => [word, kind as FinishKind] as const)),
);

export function finishKind(word: string): FinishKind {
  return (
    KINDS.get(
      word
        .trim()
        .toLowerCase()
        .replace(/[\s-]+/g, '_'),
    ) ?? 'other'
  );
}
