// Takes secrets out of what is shown (C9.1): the values that we hold, exactly, and what looks like one.
import type { Json } from '../core/json.ts';
import { createScrubber } from '../core/redact.ts';
import { redactPatterns, redactPatternsJson } from '../core/redact-patterns.ts';

export type Renderer = { text(value: string): string; json(value: Json): Json };

/** Scrubbing twice changes nothing. */
export function scrubber(held: readonly string[]): Renderer {
  const exact = createScrubber(held);
  return {
    text: (value) => redactPatterns(exact.scrub(value)),
    json: (value) => redactPatternsJson(exact.scrubJson(value)),
  };
}
