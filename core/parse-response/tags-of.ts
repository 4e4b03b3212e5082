/**
 * Finds the tags of a text, in one pass. No XML: any name goes, and `<` and `&` are data unless they make a tag. Two
 * vendors mark their own tags; those are lists of their own.
 */
import { MINIMAX } from './markers.ts';
import { type Tag, TagList } from './tag-list.ts';

export type TagKind = 'plain' | 'minimax' | 'dsml';

/** Longer than any tag of a call; text between `<` and a far `>` is data. */
const MAX_TAG = 400;
const MAX_NAME = 64;
const DSML = /^(?:｜{1,2}|‖|\|{1,2})DSML(?:｜{1,2}|‖|\|{1,2})/i;
const BARS = '｜‖|';
const ENDS_NAME = /[\s/=]/;

export function tagsOf(text: string): Record<TagKind, TagList> {
  const found: Record<TagKind, Tag[]> = { plain: [], minimax: [], dsml: [] };
  let end = -1;
  for (let from = text.indexOf('<'); from !== -1; ) {
    const next = text.indexOf('<', from + 1);
    if (end !== text.length && end <= from) end = indexOrEnd(text, '>', from + 1);
    const whole = end < text.length && (next === -1 || end < next) && end - from <= MAX_TAG;
    if (whole && text[from + 1] !== ']') addTag(found, text, { from, to: end + 1 });
    from = next;
  }
  return {
    plain: new TagList(found.plain, text),
    minimax: new TagList(found.minimax, text),
    dsml: new TagList(found.dsml, text),
  };
}

function indexOrEnd(text: string, wanted: string, from: number): number {
  const at = text.indexOf(wanted, from);
  return at === -1 ? text.length : at;
}

function addTag(found: Record<TagKind, Tag[]>, text: string, { from, to }: { from: number; to: number }): void {
  const close = text[from + 1] === '/';
  let start = from + (close ? 2 : 1);
  const dsml = BARS.includes(text[start] as string) ? DSML.exec(text.slice(start, to))?.[0] : undefined;
  start += dsml?.length ?? 0;
  let end = start;
  while (end < to - 1 && !ENDS_NAME.test(text[end] as string)) end += 1;
  if (end === start || end - start > MAX_NAME) return;
  const rest = end === to - 1 ? '' : text.slice(end, to - 1).trim();
  const tag: Tag = { from, to, close, name: text.slice(start, end), rest };
  if (dsml !== undefined) found.dsml.push(tag);
  else if (text.endsWith(MINIMAX, from)) found.minimax.push({ ...tag, from: from - MINIMAX.length });
  else found.plain.push(tag);
}
