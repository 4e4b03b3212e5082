/** `{tool => "name", args => { --key "value" … }}`: how some models write the body of a `TOOL_CALL` (C3.4). */
import type { Context } from './context.ts';
import type { Body } from './json-body.ts';
import { jsonString, skipBlank, stringEnd } from './json-scan.ts';
import { argumentsText, typedJson } from './typed-value.ts';

const HEAD = /\{\s{0,16}tool\s{0,4}=>\s{0,4}["']([\w.:-]{1,64})["']\s{0,16},\s{0,16}args\s{0,4}=>\s{0,4}\{/y;
const KEY = /--([\w.-]{1,64})\s{1,8}/y;
const BARE = /(?:true|false|-?\d[\w.]{0,64})(?=[\s,}])/y;
const TAIL = /\}\s{0,16}\}/y;

export function readArrowCall(context: Context, from: number): Body | undefined {
  const { text } = context;
  HEAD.lastIndex = skipBlank(text, from);
  const name = HEAD.exec(text)?.[1];
  if (name === undefined) return undefined;
  const root = context.find(name)?.parameters;
  const values = new Map<string, string>();
  let at = skipBlank(text, HEAD.lastIndex);
  for (KEY.lastIndex = at; ; KEY.lastIndex = at) {
    const key = KEY.exec(text)?.[1];
    if (key === undefined) break;
    const value = valueAt(text, KEY.lastIndex);
    if (!value || values.has(key)) return undefined;
    values.set(key, typedJson(value.said, { root, key }));
    at = skipBlank(text, value.to);
    if (text[at] === ',') at = skipBlank(text, at + 1);
  }
  TAIL.lastIndex = at;
  if (!TAIL.test(text)) return undefined;
  return { calls: [{ name, arguments: argumentsText(values) }], faults: [], to: TAIL.lastIndex };
}

function valueAt(text: string, from: number): { said: string; to: number } | undefined {
  const end = text[from] === '"' ? stringEnd(text, from) : -1;
  if (end !== -1) {
    const said = jsonString(text.slice(from, end));
    return said === undefined ? undefined : { said, to: end };
  }
  BARE.lastIndex = from;
  const bare = BARE.exec(text)?.[0];
  return bare === undefined ? undefined : { said: bare, to: from + bare.length };
}
