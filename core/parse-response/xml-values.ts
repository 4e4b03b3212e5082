/**
 * The parameters of a call written in tags. A value is text and may hold tags itself: it ends at the last closing tag
 * before the next parameter or the end of the call (C3.4). Where that leaves a doubt, nothing is read.
 */
import type { Context } from './context.ts';
import { scanJson, skipBlank } from './json-scan.ts';
import { namedBy, type Tag, type TagList } from './tag-list.ts';
import { argumentsText, typedJson, valueText } from './typed-value.ts';
import type { ToolShape } from './types.ts';

/** Up to and including tag `index`, which closes the call. */
export type ReadValues = { arguments: string; index: number };

/** @param start index of the call's opening tag */
export function readValues(
  context: Context,
  list: TagList,
  call: { start: number; tool: ToolShape | undefined },
): ReadValues | undefined {
  const opening = list.all[call.start] as Tag;
  const json = jsonValues(context, list, call.start);
  if (json) return json;
  const values = new Map<string, string>();
  let before = opening;
  for (let index = call.start + 1; ; ) {
    const tag = list.all[index];
    if (!tag || !context.isBlank(before.to, tag.from)) return undefined;
    if (tag.close) {
      return isSame(tag.name, opening.name) ? { arguments: argumentsText(values), index } : undefined;
    }
    const key = keyOf(tag);
    const end = key === undefined ? -1 : valueEnd(context, list, { index, callName: opening.name });
    if (key === undefined || end === -1 || values.has(key)) return undefined;
    const close = list.all[end] as Tag;
    const raw = valueText(context.text.slice(tag.to, close.from));
    const unsaid = /\bstring\s{0,4}=\s{0,4}["']?false/i.test(tag.rest) ? 'json' : 'text';
    values.set(key, typedJson(raw, { root: call.tool?.parameters, key }, unsaid));
    before = close;
    index = end + 1;
  }
}

/** `<invoke name="x">{…}</invoke>`: the arguments as one object. */
function jsonValues({ text }: Context, list: TagList, start: number): ReadValues | undefined {
  const opening = list.all[start] as Tag;
  const from = skipBlank(text, opening.to);
  if (text[from] !== '{') return undefined;
  const { closed, at } = scanJson(text, from);
  const index = closed ? list.at(at) : -1;
  const close = list.all[index];
  if (!close?.close || close.from !== skipBlank(text, at) || !isSame(close.name, opening.name)) return undefined;
  return { arguments: text.slice(from, at), index };
}

const isNamed = (tag: Tag): boolean => isSame(tag.name, 'parameter') && namedBy(tag) !== undefined;

function keyOf(tag: Tag): string | undefined {
  if (isNamed(tag)) return namedBy(tag);
  return tag.rest === '' ? tag.name : undefined;
}

function valueEnd(context: Context, list: TagList, at: { index: number; callName: string }): number {
  const tag = list.all[at.index] as Tag;
  if (isNamed(tag)) {
    return lastCloseBefore(context, list, {
      ...at,
      close: '/parameter',
      next: 'parameter=',
      ends: [`/${at.callName}`],
    });
  }
  // Any tag may be the next parameter, so the first closing tag that another tag follows decides.
  const index = list.next(`/${tag.name}!`, at.index + 1);
  const behind = list.all[index + 1];
  return index !== -1 && behind && (!behind.close || isSame(behind.name, at.callName)) ? index : -1;
}

type Ends = { index: number; close: string; next: string; ends: readonly string[] };

/** The last `close` before the next parameter or, behind a first `close`, the end of the call; -1 when in doubt. */
export function lastCloseBefore(context: Context, list: TagList, { index, close, next, ends }: Ends): number {
  const first = list.next(close, index + 1);
  if (first === -1) return -1;
  const limits = [list.next(next, index + 1), ...ends.map((end) => list.next(end, first + 1))];
  const limit = Math.min(...limits.filter((each) => each !== -1));
  if (!Number.isFinite(limit) || limit < first) return -1;
  const last = list.last(close, limit);
  const [end, behind] = [list.all[last] as Tag, list.all[limit] as Tag];
  return context.isBlank(end.to, behind.from) ? last : -1;
}

export const isSame = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();
