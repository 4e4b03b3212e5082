/**
 * Calls written in tags, one after the other, up to the tag that closes their envelope:
 * `<invoke name="x">`, `<function=x>`, `<x>` when x is a tool, or `<name>x</name><arguments>{…}</arguments>`.
 */
import type { Context } from './context.ts';
import { scanJson, skipBlank } from './json-scan.ts';
import { CALL_TAGS } from './markers.ts';
import { namedBy, type Tag, type TagList } from './tag-list.ts';
import type { WrittenCall } from './types.ts';
import { isSame, readValues } from './xml-values.ts';

export type XmlCalls = {
  calls: WrittenCall[];
  to: number;
  /** Why reading stopped before the end; the rest is broken. */
  fault?: string;
};

const WRAPPERS = [...CALL_TAGS, 'function_calls', 'function_call'];
export const isWrapper = (tag: Tag): boolean => WRAPPERS.some((name) => isSame(name, tag.name));

export const IN_DOUBT = 'where its values end cannot be decided';

/**
 * Reads calls from tag `start` on. What stands between two calls but is neither puts all of them in doubt.
 * @param at.from where the text before that tag must be blank from
 * @param wrapper the name of an envelope's tag that is none of the usual ones
 */
export function readXmlCalls(
  context: Context,
  list: TagList,
  at: { start: number; from: number },
  wrapper?: string,
): XmlCalls {
  const calls: WrittenCall[] = [];
  let { start: index, from } = at;
  for (;;) {
    const tag = list.all[index];
    if (!tag || !context.isBlank(from, tag.from)) {
      const ended = calls.length > 0 && context.isBlank(from, context.text.length);
      return ended ? { calls, to: from } : { calls: [], to: from, fault: IN_DOUBT };
    }
    if (tag.close) {
      if (isWrapper(tag) || isSame(tag.name, wrapper ?? 'invoke')) return { calls, to: tag.to };
      return { calls: [], to: tag.from, fault: IN_DOUBT };
    }
    const read = readXmlCall(context, list, index);
    if (!read) return brokenAt(context, list, { index, calls });
    calls.push(read.call);
    index = read.index + 1;
    from = (list.all[read.index] as Tag).to;
  }
}

/** The call whose opening tag is at `start`; `index` is the tag that ends it. */
export function readXmlCall(
  context: Context,
  list: TagList,
  start: number,
): { call: WrittenCall; index: number } | undefined {
  const tag = list.all[start] as Tag;
  if (isSame(tag.name, 'name') && tag.rest === '') return readNameAndArguments(context, list, start);
  const name = nameOf(context, tag);
  if (name === undefined) return undefined;
  if (tag.rest.endsWith('/')) return { call: { name, arguments: '{}' }, index: start };
  const values = readValues(context, list, { start, tool: context.find(name) });
  return values && { call: { name, arguments: values.arguments }, index: values.index };
}

function nameOf(context: Context, tag: Tag): string | undefined {
  if (isSame(tag.name, 'invoke') || isSame(tag.name, 'function')) return namedBy(tag);
  return (tag.rest === '' || tag.rest === '/') && context.find(tag.name) ? tag.name : undefined;
}

function readNameAndArguments(context: Context, list: TagList, start: number) {
  const [name, nameEnd, opening] = list.all.slice(start, start + 3);
  const { text } = context;
  if (!name || !nameEnd?.close || !isSame(nameEnd.name, 'name') || !opening || opening.close) return undefined;
  if (!isSame(opening.name, 'arguments') && !isSame(opening.name, 'parameters')) return undefined;
  const from = skipBlank(text, opening.to);
  const { closed, at } = scanJson(text, from);
  const index = closed && text[from] === '{' ? list.at(at) : -1;
  const end = list.all[index];
  if (!end?.close || !isSame(end.name, opening.name) || !context.isBlank(at, end.from)) return undefined;
  return { call: { name: text.slice(name.to, nameEnd.from).trim(), arguments: text.slice(from, at) }, index };
}

/** A call that cannot be read. The ones before it stand, unless more is closed from here on than was opened. */
function brokenAt(context: Context, list: TagList, at: { index: number; calls: WrittenCall[] }): XmlCalls {
  const { from } = list.all[at.index] as Tag;
  const to = context.search.brokenEnd(from);
  const fault = 'a call in it is not complete';
  return closesMore(list, at.index, to) ? { calls: [], to, fault: IN_DOUBT } : { calls: at.calls, to, fault };
}

/** Whether parameters or calls are closed before `to` that were not opened from tag `index` on. */
export function closesMore(list: TagList, index: number, to: number): boolean {
  const open = new Map<string, number>();
  for (let at = index; (list.all[at]?.from ?? to) < to; at += 1) {
    const { name, close } = list.all[at] as Tag;
    const key = name.toLowerCase();
    if (!/^(?:parameter|invoke|function|arg_value)$/.test(key)) continue;
    const count = (open.get(key) ?? 0) + (close ? -1 : 1);
    if (count < 0) return true;
    open.set(key, count);
  }
  return false;
}
