/**
 * Finds JSON values in text without building them: where they end and where their members stand. Strict in structure,
 * lenient in spelling (raw control characters, single quotes, trailing commas), because C1.5 may repair spelling.
 * A value is given up at the first character that cannot belong to it, which keeps a whole read linear.
 */

/** Deeper values are not read. Arguments may have 64 levels; an envelope adds a few. */
const MAX_DEPTH = 128;

/** `at` is the index after the value, or where it stopped being one. */
export type JsonScan = { closed: boolean; at: number };

export type Slice = { from: number; to: number };
export type Member = Slice & { key: string };

const SCALAR = /(?:true|false|null|-?\d[\d.eE+-]*)(?![\w$])/y;
const CLOSER: Record<string, string> = { '{': '}', '[': ']' };

const BEGINS = /\{|\[\s{0,16}[{["'\]\d-]/y;

/** Whether an object or a list may begin there; a bracket of something else does not count. */
export function beginsJson(text: string, at: number): boolean {
  BEGINS.lastIndex = at;
  return BEGINS.test(text);
}

export function scanJson(text: string, start: number): JsonScan {
  const open: string[] = [];
  let wants: 'value' | 'first' | 'next' = 'value';
  let at = skipBlank(text, start);
  for (;;) {
    const char = text[at];
    const inside = open.at(-1);
    if (wants !== 'value' && inside !== undefined && char === CLOSER[inside]) {
      open.pop();
      at += 1;
      wants = 'next';
    } else if (wants === 'next') {
      if (char !== ',') return { closed: false, at };
      at += 1;
      wants = 'first';
    } else {
      if (wants === 'first' && inside === '{') {
        const colon = afterKey(text, at);
        if (colon === -1) return { closed: false, at };
        at = skipBlank(text, colon);
      }
      const opened = text[at];
      if (opened === '{' || opened === '[') {
        if (open.push(opened) > MAX_DEPTH) return { closed: false, at };
        at += 1;
        wants = 'first';
      } else {
        const end = scalarEnd(text, at);
        if (end === -1) return { closed: false, at };
        at = end;
        wants = 'next';
      }
    }
    if (open.length === 0) return { closed: true, at };
    at = skipBlank(text, at);
  }
}

/** Index after the colon of a key, or -1. */
function afterKey(text: string, at: number): number {
  const end = stringEnd(text, at);
  if (end === -1) return -1;
  const colon = skipBlank(text, end);
  return text[colon] === ':' ? colon + 1 : -1;
}

function scalarEnd(text: string, at: number): number {
  const quoted = stringEnd(text, at);
  if (quoted !== -1) return quoted;
  SCALAR.lastIndex = at;
  return SCALAR.test(text) ? SCALAR.lastIndex : -1;
}

/** Index after the string that begins at `at`, or -1 when there is none or it never ends. */
export function stringEnd(text: string, at: number): number {
  const quote = text[at];
  if (quote !== '"' && quote !== "'") return -1;
  for (let end = text.indexOf(quote, at + 1); end !== -1; end = text.indexOf(quote, end + 1)) {
    let escapes = 0;
    while (text[end - 1 - escapes] === '\\') escapes += 1;
    if (escapes % 2 === 0) return end + 1;
  }
  return -1;
}

export function skipBlank(text: string, start: number): number {
  let at = start;
  while (at < text.length && isBlank(text.charCodeAt(at))) at += 1;
  return at;
}

const isBlank = (code: number): boolean =>
  code === 32 || (code >= 9 && code <= 13) || (code > 127 && String.fromCharCode(code).trim() === '');

/** The members of an object that `scanJson` found closed, in order. */
export function membersOf(text: string, from: number): Member[] {
  const members: Member[] = [];
  for (let at = skipBlank(text, from + 1); text[at] !== '}'; ) {
    const keyEnd = stringEnd(text, at);
    const key = jsonString(text.slice(at, keyEnd)) ?? '';
    const start = skipBlank(text, afterKey(text, at));
    const end = scanJson(text, start).at;
    members.push({ key, from: start, to: end });
    at = afterComma(text, end);
  }
  return members;
}

/** The elements of an array that `scanJson` found closed, in order. */
export function elementsOf(text: string, from: number): Slice[] {
  const elements: Slice[] = [];
  for (let at = skipBlank(text, from + 1); text[at] !== ']'; ) {
    const end = scanJson(text, at).at;
    elements.push({ from: at, to: end });
    at = afterComma(text, end);
  }
  return elements;
}

function afterComma(text: string, end: number): number {
  const at = skipBlank(text, end);
  return text[at] === ',' ? skipBlank(text, at + 1) : at;
}

const ESCAPE_OR_CONTROL = /\\.|\p{Cc}/gsu;
const SPECIAL = /[\\\p{Cc}]/u;

/** What a JSON string says; raw control characters in it are taken as they are. Undefined when it is no such string. */
export function jsonString(quoted: string): string | undefined {
  if (quoted.length > 1 && quoted[0] === '"' && !SPECIAL.test(quoted)) return quoted.slice(1, -1);
  try {
    const value: unknown = JSON.parse(quoted.replace(ESCAPE_OR_CONTROL, spelt));
    return typeof value === 'string' ? value : undefined;
  } catch {
    return undefined;
  }
}

const spelt = (part: string): string =>
  part[0] === '\\' ? part : `\\u${part.charCodeAt(0).toString(16).padStart(4, '0')}`;
