/**
 * Bodies of a call tag that begin with the tool's name: alone, with `<arg_key>`/`<arg_value>` pairs, with a JSON
 * object, with `key="value"` pairs (in round brackets or not), or as `tool/param>value` lines.
 */
import type { Context } from './context.ts';
import { onlyGlmLines } from './glm-lines.ts';
import type { Body } from './json-body.ts';
import { jsonString, scanJson, skipBlank, stringEnd } from './json-scan.ts';
import { CALL_TAGS } from './markers.ts';
import { argumentsText, typedJson, valueText } from './typed-value.ts';
import type { ToolShape, WrittenCall } from './types.ts';
import { lastCloseBefore } from './xml-values.ts';

const NAME = /[\w.:-]{1,64}/y;
const CLOSE = /<\/[\w:.-]{1,40}\s{0,8}>/y;

/** Undefined when it cannot be read, or is not closed: nothing but the closing tag says that it is complete. */
export function readShorthand(context: Context, from: number): Body | undefined {
  const { text } = context;
  NAME.lastIndex = from;
  const name = NAME.exec(text)?.[0];
  if (name === undefined) return undefined;
  const behind = from + name.length;
  if (text[behind] === '/') return readLines(context, from);
  const at = skipBlank(text, behind);
  const tool = context.find(name);
  if (context.startsWith(at, '<arg_key>')) return readPairs(context, { name, at, tool });
  const args = text[at] === '{' ? readObject(text, at) : readAttributes(text, { at, tool });
  return args && closed(text, args.to, { name, arguments: args.text });
}

function closed(text: string, at: number, call: WrittenCall): Body | undefined {
  CLOSE.lastIndex = skipBlank(text, at);
  return CLOSE.test(text) ? { calls: [call], faults: [], to: CLOSE.lastIndex } : undefined;
}

function readObject(text: string, from: number): { text: string; to: number } | undefined {
  const { closed: whole, at } = scanJson(text, from);
  return whole ? { text: text.slice(from, at), to: at } : undefined;
}

function readLines(context: Context, from: number): Body | undefined {
  const close = context.search.closing(from);
  const next = context.search.opening(from);
  if (!close || (next && next.from < close.from)) return undefined;
  const calls = onlyGlmLines(context.text.slice(from, close.from), context.find);
  return calls && { calls, faults: [], to: close.to };
}

type Pairs = { name: string; at: number; tool: ToolShape | undefined };

function readPairs(context: Context, { name, at, tool }: Pairs): Body | undefined {
  const list = context.tags('plain');
  const values = new Map<string, string>();
  let from = at;
  for (let index = list.at(at); ; ) {
    const [key, keyEnd, value] = list.all.slice(index, index + 3);
    if (!key || !context.isBlank(from, key.from)) return undefined;
    if (key.close) return { calls: [{ name, arguments: argumentsText(values) }], faults: [], to: key.to };
    if (
      key.name !== 'arg_key' ||
      !keyEnd?.close ||
      keyEnd.name !== 'arg_key' ||
      value?.name !== 'arg_value' ||
      value.close
    ) {
      return undefined;
    }
    const ends = CALL_TAGS.map((tag) => `/${tag}`);
    const end = lastCloseBefore(context, list, { index: index + 2, close: '/arg_value', next: 'arg_key', ends });
    const close = list.all[end];
    const word = context.text.slice(key.to, keyEnd.from).trim();
    if (!close || values.has(word) || !context.isBlank(keyEnd.to, value.from)) return undefined;
    values.set(
      word,
      typedJson(valueText(context.text.slice(value.to, close.from)), { root: tool?.parameters, key: word }),
    );
    from = close.to;
    index = end + 1;
  }
}

const ATTRIBUTE = /([\w.-]{1,64})\s{0,8}[=:]\s{0,8}/y;
const BARE = /(?:true|false|null|-?\d[\w.+-]{0,64})(?=[\s,)<]|$)/iy;

/** `a="x", b=2` in round brackets or not; nothing at all is no argument. */
function readAttributes(
  text: string,
  { at: start, tool }: { at: number; tool: ToolShape | undefined },
): { text: string; to: number } | undefined {
  const bracket = text[start] === '(';
  const values = new Map<string, string>();
  let at = skipBlank(text, bracket ? start + 1 : start);
  for (;;) {
    ATTRIBUTE.lastIndex = at;
    const key = ATTRIBUTE.exec(text)?.[1];
    if (key === undefined) break;
    const value = readValue(text, ATTRIBUTE.lastIndex);
    if (!value || values.has(key)) return undefined;
    values.set(key, typedJson(value.text, { root: tool?.parameters, key }));
    at = skipBlank(text, value.to);
    if (text[at] === ',') at = skipBlank(text, at + 1);
  }
  if (bracket && text[at] !== ')') return undefined;
  return { text: argumentsText(values), to: bracket ? at + 1 : at };
}

function readValue(text: string, from: number): { text: string; to: number } | undefined {
  const end = stringEnd(text, from);
  if (end !== -1) {
    const inner = text.slice(from + 1, end - 1);
    const said = text[from] === '"' ? jsonString(text.slice(from, end)) : inner.includes('\\') ? undefined : inner;
    return said === undefined ? undefined : { text: said, to: end };
  }
  BARE.lastIndex = from;
  const bare = BARE.exec(text)?.[0];
  return bare === undefined ? undefined : { text: bare, to: from + bare.length };
}
