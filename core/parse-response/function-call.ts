/** `<FunctionCall> name <code>k>v</code></FunctionCall>` (C3.4), a parameter a line. */
import type { Context } from './context.ts';
import { skipBlank } from './json-scan.ts';
import type { Tag } from './tag-list.ts';
import { argumentsText, typedJson } from './typed-value.ts';
import type { Envelope, ToolShape } from './types.ts';
import { IN_DOUBT } from './xml-calls.ts';
import { lastCloseBefore } from './xml-values.ts';

const NAME = /^[\w.:-]{1,64}$/;
const PARAMETER = /^[ \t]*([\w.-]{1,64})>(.*)$/s;

/** @param start index of the opening tag among the plain ones */
export function readFunctionCall(context: Context, start: number): Envelope {
  const list = context.tags('plain');
  const opening = list.all[start] as Tag;
  const { from } = opening;
  const read = readInside(context, start);
  if (read) return { from, to: read.to, form: 'function_call', calls: [read.call], faults: [], byTags: true };
  const faults = [list.next('/functioncall', start + 1) === -1 ? 'it is not complete' : IN_DOUBT];
  return { from, to: context.search.brokenEnd(from + 1), form: 'function_call', calls: [], faults, byTags: true };
}

function readInside(context: Context, start: number) {
  const list = context.tags('plain');
  const { text } = context;
  const opening = list.all[start] as Tag;
  let tag = list.all[start + 1];
  if (!tag || tag.from - opening.to > 200) return undefined;
  const name = text.slice(opening.to, tag.from).trim();
  if (!NAME.test(name)) return undefined;
  const tool = context.find(name);
  const values = new Map<string, string>();
  for (let index = start + 1; ; ) {
    if (!tag) return undefined;
    if (tag.close) break;
    if (tag.name !== 'code') return undefined;
    const last = lastCloseBefore(context, list, { index, close: '/code', next: 'code', ends: ['/functioncall'] });
    const close = list.all[last];
    if (!close || !addLines(values, text.slice(tag.to, close.from), tool)) return undefined;
    index = last + 1;
    tag = list.all[index];
    if (tag?.from !== skipBlank(text, close.to)) return undefined;
  }
  if (tag.name.toLowerCase() !== 'functioncall') return undefined;
  return { call: { name, arguments: argumentsText(values) }, to: tag.to };
}

/** A line that names no parameter goes on with the one before it. */
function addLines(values: Map<string, string>, code: string, tool: ToolShape | undefined): boolean {
  const properties = tool?.parameters.properties;
  const known = typeof properties === 'object' && properties !== null ? Object.keys(properties) : [];
  const read: { key: string; lines: string[] }[] = [];
  for (const line of code
    .replace(/^\s*\n/, '')
    .trimEnd()
    .split('\n')) {
    const [, key, value] = PARAMETER.exec(line) ?? [];
    if (key !== undefined && value !== undefined && (known.length === 0 || known.includes(key))) {
      read.push({ key, lines: [value] });
    } else if (read.length > 0) read.at(-1)?.lines.push(line);
    else if (line.trim() !== '') return false;
  }
  for (const { key, lines } of read) {
    if (values.has(key)) return false;
    values.set(key, typedJson(lines.join('\n'), { root: tool?.parameters, key }));
  }
  return true;
}
