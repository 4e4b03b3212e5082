/** Scrubs the values that the deployment holds, exactly, everywhere (C9.1). Patterns are in `redact-patterns.ts`. */
import { type HeldValues, heldValues } from './held-values.ts';
import type { Json, JsonObject } from './json.ts';

const PLACEHOLDER = /\[REDACTED:k\d+\]/;

/** Scrubs a text that comes in pieces: what it gives out, joined, equals `scrub` of the whole, in any cut. */
export type StreamScrubber = {
  /** What is safe by now; holds back only what may be the start of a held value. */
  push(chunk: string): string;
  /** The rest; the scrubber is as new afterwards. */
  end(): string;
};

export type Scrubber = {
  scrub(text: string): string;
  /** Keys and values at any depth; the same object when nothing was found. */
  scrubJson<T extends Json>(value: T): T;
  stream(): StreamScrubber;
  /** True for a text that no call may carry as an argument (C9.1). */
  containsHeldOrPlaceholder(text: string): boolean;
};

/** @param values all held values, in a lasting order; those under 8 characters are left alone */
export function createScrubber(values: readonly string[]): Scrubber {
  const held = heldValues(values);
  const scrub = (text: string): string => (held.pattern ? text.replace(held.pattern, held.placeholderOf) : text);
  return {
    scrub,
    scrubJson: <T extends Json>(value: T): T => (held.pattern ? (mapStrings(value, scrub) as T) : value),
    stream: () => streamScrubber(held),
    containsHeldOrPlaceholder: (text) =>
      PLACEHOLDER.test(text) || (held.pattern ? text.search(held.pattern) >= 0 : false),
  };
}

function streamScrubber(held: HeldValues): StreamScrubber {
  const { pattern, placeholderOf } = held;
  if (!pattern) return { push: (chunk) => chunk, end: () => '' };
  let kept = '';
  const take = (text: string): string => {
    kept = '';
    return text.replace(pattern, placeholderOf);
  };
  return {
    push(chunk) {
      const text = kept + chunk;
      let done = 0;
      let open = held.openFrom(text, 0);
      let out = '';
      // A match is final only before the open tail: at the tail a longer value may still be coming.
      for (const match of text.matchAll(pattern)) {
        if (match.index >= open) break;
        out += text.slice(done, match.index) + placeholderOf(match[0]);
        done = match.index + match[0].length;
        if (done > open) open = held.openFrom(text, done);
      }
      kept = text.slice(open);
      return out + text.slice(done, open);
    },
    end: () => take(kept),
  };
}

/** Applies a function to every string, keys included; unchanged parts keep their identity. */
export function mapStrings(value: Json, change: (text: string) => string): Json {
  if (typeof value === 'string') return change(value);
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) {
    const items = value.map((item) => mapStrings(item, change));
    return items.some((item, at) => item !== value[at]) ? items : value;
  }
  const entries = Object.entries(value).map(([key, item]) => [change(key), mapStrings(item, change)] as const);
  const same = entries.every(([key, item]) => Object.hasOwn(value, key) && value[key] === item);
  return same ? value : (Object.fromEntries(entries) as JsonObject);
}
