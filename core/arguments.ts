/**
 * Reading the arguments of a call (C1.5): the pure checks. They come as an object or as JSON text; what is absent is `{}`.
 * Broken text may be respelled once by a repairer that is handed in; `spellingOnly` then decides whether it
 * did no more than that.
 */
import type { Json, JsonObject } from './json.ts';

export type ReadArguments =
  | { kind: 'object'; value: JsonObject; repaired: boolean }
  /** An open string, object or array: cut off by somebody, never to be closed by guessing. */
  | { kind: 'incomplete'; why: string }
  | { kind: 'unreadable'; why: string };

/** Gives respelled JSON text, or undefined when it cannot. */
export type Repairer = (text: string) => string | undefined;

/** Deeper arguments are refused: canonical texts and schema checks recurse. */
const MAX_DEPTH = 64;

export function readArguments(raw: unknown, repair: Repairer): ReadArguments {
  if (raw === undefined || raw === null) return object({}, false);
  if (typeof raw !== 'string') return fromValue(raw, false);
  if (raw.trim() === '') return object({}, false);
  const parsed = parseJson(raw);
  if (parsed !== undefined) return fromValue(parsed.value, false, raw);
  return respelled(raw, repair);
}

function respelled(raw: string, repair: Repairer): ReadArguments {
  const text = withoutFence(raw);
  const ends = openEnd(text);
  if (ends !== undefined) return ends;
  const unfenced = parseJson(text);
  if (unfenced !== undefined) return fromValue(unfenced.value, true, text);
  const repaired = repair(text);
  if (repaired === undefined || !spellingOnly(text, repaired)) {
    return { kind: 'unreadable', why: 'the arguments are not valid JSON' };
  }
  const parsed = parseJson(repaired);
  if (parsed === undefined) return { kind: 'unreadable', why: 'the arguments are not valid JSON' };
  return fromValue(parsed.value, true, repaired);
}

function fromValue(value: unknown, repaired: boolean, text = ''): ReadArguments {
  if (value === null) return object({}, repaired);
  if (typeof value !== 'object' || Array.isArray(value)) {
    const found = Array.isArray(value) ? 'an array' : `a ${typeof value}`;
    return { kind: 'unreadable', why: `the arguments must be a JSON object, not ${found}` };
  }
  const fault = tooDeep(value as Json, 0) ? `nested deeper than ${MAX_DEPTH}` : inexactNumber(text);
  if (fault !== undefined) return { kind: 'unreadable', why: fault };
  return object(value as JsonObject, repaired);
}

function object(value: JsonObject, repaired: boolean): ReadArguments {
  return { kind: 'object', value, repaired };
}

function parseJson(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

function tooDeep(value: Json, depth: number): boolean {
  if (value === null || typeof value !== 'object') return false;
  return depth > MAX_DEPTH || Object.values(value).some((member) => tooDeep(member as Json, depth + 1));
}

const STRINGS = /"(?:[^"\\]|\\.)*"/gs;
const LONG_NUMBER = /-?\d{16,}(?:\.\d+)?(?:[eE][+-]?\d+)?|-?\d+(?:\.\d+)?[eE]\+?\d{3,}/g;

/** A number that JavaScript would change silently (an id beyond 2^53, 1e999) must not reach a tool changed. */
function inexactNumber(text: string): string | undefined {
  for (const [digits] of text.replace(STRINGS, '""').matchAll(LONG_NUMBER)) {
    const value = Number(digits);
    if (!Number.isFinite(value) || (Number.isInteger(value) && !Number.isSafeInteger(value))) {
      return `the number ${digits.slice(0, 40)} cannot be kept exactly; send it as a string if the tool takes one`;
    }
  }
  return undefined;
}

const FENCE = /^\s*```[a-zA-Z0-9_-]*[ \t]*\r?\n([\s\S]*?)\r?\n?[ \t]*```\s*$/;

function withoutFence(text: string): string {
  return FENCE.exec(text)?.[1] ?? text;
}

const CLOSER: Record<string, string> = { '{': '}', '[': ']' };
const WORDS = { '{': 'object', '[': 'array' } as const;

/**
 * Whether something was begun and never ended. A quote opens a string only where a value or key may stand, except
 * `"`, which always does: what is doubtful counts as open, because running half a call is worse than refusing one.
 */
function openEnd(text: string): ReadArguments | undefined {
  const open: ('{' | '[')[] = [];
  let before = '';
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at] as string;
    if (char === '"' || (char === "'" && '{[,:'.includes(before))) {
      at = endOfString(text, at);
      if (at === -1) return { kind: 'incomplete', why: 'a string is not closed' };
    } else if (char === '{' || char === '[') {
      open.push(char);
      if (open.length > MAX_DEPTH) return { kind: 'unreadable', why: `nested deeper than ${MAX_DEPTH}` };
    } else if (char === '}' || char === ']') {
      if (CLOSER[open.pop() ?? ''] !== char) return { kind: 'unreadable', why: 'the brackets do not match' };
    }
    if (char.trim() !== '') before = char;
  }
  const last = open.at(-1);
  return last === undefined ? undefined : { kind: 'incomplete', why: `an ${WORDS[last]} is not closed` };
}

function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1;
    else if (text[at] === text[start]) return at;
  }
  return -1;
}

/** All that a repair may change: quotes, commas, escapes and raw control characters, white space. */
const SPELLING = /\\u00[01][0-9a-fA-F]|\\[nrtbf]|[\s\p{Cc}\\,"'`\u2018\u2019\u201a\u201b\u201c\u201d\u201e\u00b4]/gu;
const QUOTE = /["'`\u2018\u2019\u201a\u201b\u201c\u201d\u201e\u00b4]/;

/** True when `repaired` says the same as `text` but for spelling: nothing was added, closed or dropped. */
export function spellingOnly(text: string, repaired: string): boolean {
  return text.replace(SPELLING, '') === repaired.replace(SPELLING, '') && quotesKept(text, repaired);
}

/** A quote that is part of a value must have been that very quote: `'don't'` must not become `don"t`. */
function quotesKept(text: string, repaired: string): boolean {
  const written = gapsOf(text);
  return gapsOf(repaired).every((gap, index) => {
    const content = gap.replace(/(?<!\\)"/g, '').replaceAll('\\"', '"');
    let from = 0;
    for (const char of content) {
      if (!QUOTE.test(char)) continue;
      from = (written[index] ?? '').indexOf(char, from) + 1;
      if (from === 0) return false;
    }
    return true;
  });
}

/** What stands between the characters that a repair must not touch. */
function gapsOf(text: string): string[] {
  const gaps: string[] = [];
  let end = 0;
  let gap = '';
  for (const { 0: piece, index } of text.matchAll(SPELLING)) {
    for (let at = end; at < index; at += 1) {
      gaps.push(gap);
      gap = '';
    }
    gap += piece;
    end = index + piece.length;
  }
  for (let at = end; at < text.length; at += 1) {
    gaps.push(gap);
    gap = '';
  }
  return [...gaps, gap];
}
