/**
 * `<tools>` (C3.4): models use the tag that declares tools to them for a call as well. It is a call only if exactly one
 * call object with nothing of a declaration is in it; else it is inert, and no rule looks into it.
 */
import { callValue } from './call-value.ts';
import type { Context } from './context.ts';
import { elementsOf, membersOf, scanJson, skipBlank } from './json-scan.ts';
import type { Tag } from './tag-list.ts';
import type { Envelope, Inert, WrittenCall } from './types.ts';

const DECLARING = ['parameters', 'type', 'function'];

export function readTools(context: Context, tag: Tag): Envelope | Inert {
  const { text } = context;
  const list = context.tags('plain');
  const close = list.all[list.next('/tools', list.at(tag.to))];
  const from = skipBlank(text, tag.to);
  const { closed, at } = scanJson(text, from);
  const alone = closed && close !== undefined && skipBlank(text, at) === close.from;
  const call = alone ? onlyCall(text, from) : undefined;
  if (call && close) return { from: tag.from, to: close.to, form: 'tools', calls: [call], faults: [] };
  return { inertTo: close?.to ?? valuesEnd(text, tag.to) };
}

function onlyCall(text: string, from: number): WrittenCall | undefined {
  if (text[from] === '[') {
    const [only, ...more] = elementsOf(text, from);
    return only && more.length === 0 && text[only.from] === '{' ? onlyCall(text, only.from) : undefined;
  }
  if (text[from] !== '{' || membersOf(text, from).some(({ key }) => DECLARING.includes(key))) return undefined;
  const value = callValue(text, { from, to: from });
  return value.kind === 'call' && value.given ? value.call : undefined;
}

/** Behind the JSON values that stand there: a block that was never closed. */
function valuesEnd(text: string, from: number): number {
  let end = from;
  for (let at = skipBlank(text, from); text[at] === '{' || text[at] === '['; at = skipBlank(text, end)) {
    const scan = scanJson(text, at);
    if (!scan.closed) break;
    end = scan.at;
  }
  return end;
}
