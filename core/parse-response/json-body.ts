/** Calls written as JSON values behind an opening marker; where they end is told by their braces (C3.4). */
import { type CallValue, callValues } from './call-value.ts';
import type { Context } from './context.ts';
import { beginsJson, scanJson, skipBlank } from './json-scan.ts';
import type { WrittenCall } from './types.ts';

export type Body = {
  calls: WrittenCall[];
  faults: string[];
  /** Behind the last thing that was read. */
  to: number;
};

/** One or more JSON values, apart by blanks, commas or semicolons; undefined when one of them is broken. */
export function readJsonValues({ text }: Context, from: number): Body | undefined {
  const body: Body = { calls: [], faults: [], to: from };
  for (let at = skipBlank(text, from); beginsJson(text, at); ) {
    const scan = scanJson(text, at);
    if (!scan.closed) return undefined;
    for (const value of callValues(text, { from: at, to: scan.at }).values) addValue(body, value);
    body.to = scan.at;
    at = skipBlank(text, scan.at);
    if (text[at] === ',' || text[at] === ';') at = skipBlank(text, at + 1);
  }
  return body.to === from ? undefined : body;
}

function addValue(body: Body, value: CallValue): void {
  if (value.kind === 'call') body.calls.push(value.call);
  else if (value.kind === 'declaration') body.faults.push('a description of a tool is not a call');
  else body.faults.push('it is not an object with "name" and "arguments"');
}

/** A closing tag, of whatever name; or the opening one once more, with nothing behind it. */
const ANY_CLOSE = /<\/[\w:.-]{1,40}\s{0,8}>|\[\/TOOL_CALL\]|<tool_?call>\s*$/iy;
const FENCE_OPEN = /```[a-z]{0,12}[ \t\r]*\n/iy;
const FENCE_CLOSE = /\s*```/y;

/** The values in a fence inside the tag: what the fence quotes is the call itself. */
function readFenced(context: Context, from: number): Body | undefined {
  FENCE_OPEN.lastIndex = from;
  if (!FENCE_OPEN.test(context.text)) return undefined;
  const body = readJsonValues(context, FENCE_OPEN.lastIndex);
  FENCE_CLOSE.lastIndex = body?.to ?? 0;
  return body && FENCE_CLOSE.test(context.text) ? { ...body, to: FENCE_CLOSE.lastIndex } : undefined;
}

/**
 * The JSON body of a tag with its closing tag, which may be missing or foreign. Something else between the values and
 * the closing tag is a fault of the whole.
 */
export function readJsonBody(context: Context, from: number): Body | undefined {
  const body = readFenced(context, from) ?? readJsonValues(context, from);
  if (!body) return undefined;
  ANY_CLOSE.lastIndex = skipBlank(context.text, body.to);
  if (ANY_CLOSE.test(context.text)) return { ...body, to: ANY_CLOSE.lastIndex };
  const close = context.search.closing(body.to);
  const next = context.search.opening(body.to);
  return close && (!next || close.from < next.from) ? undefined : body;
}
