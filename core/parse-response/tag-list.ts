/**
 * The tags of a text, found once and looked up by name, so that no search is made twice. No XML: any name goes, and
 * `<` and `&` are data unless they make a tag. Two vendors mark their own tags; those are lists of their own.
 */
import { MINIMAX } from './markers.ts';

export type TagKind = 'plain' | 'minimax' | 'dsml';

export type Tag = {
  from: number;
  to: number;
  close: boolean;
  /** As written. */
  name: string;
  /** What stands behind the name: attributes, or `=value`. */
  rest: string;
};

/** Longer than any tag of a call; text between `<` and a far `>` is data. */
const MAX_TAG = 400;
const DSML = /^(\/?)(?:｜{1,2}|‖|\|{1,2})DSML(?:｜{1,2}|‖|\|{1,2})/i;
const PARTS = /^([^\s/=<>]{1,64})(.*)$/s;

export class TagList {
  readonly all: readonly Tag[];
  /**
   * Indexes of tags by `name`, closing ones by `/name`, opening ones that name something by `name=`; closing ones with
   * nothing but blanks before the next tag, which does not close the same name, also by `/name!`.
   */
  readonly #places = new Map<string, number[]>();

  constructor(all: readonly Tag[], text: string) {
    this.all = all;
    all.forEach((tag, index) => {
      const key = tag.name.toLowerCase();
      if (!tag.close) {
        this.#put(namedBy(tag) === undefined ? key : `${key}=`, index);
        return;
      }
      this.#put(`/${key}`, index);
      const next = all[index + 1];
      if (!next || (next.close && next.name.toLowerCase() === key)) return;
      if (text.slice(tag.to, next.from).trim() === '') this.#put(`/${key}!`, index);
    });
  }

  /** Index of the first tag at or behind a place in the text. */
  at(place: number): number {
    return firstWhere(this.all.length, (index) => (this.all[index] as Tag).from >= place);
  }

  /** Index of the first such tag at or behind tag `index`, or -1. @param key see above */
  next(key: string, index: number): number {
    const places = this.#of(key);
    return places[firstWhere(places.length, (nth) => (places[nth] as number) >= index)] ?? -1;
  }

  /** Index of the last such tag before tag `index`, or -1. */
  last(key: string, index: number): number {
    const places = this.#of(key);
    return places[firstWhere(places.length, (nth) => (places[nth] as number) >= index) - 1] ?? -1;
  }

  #of(key: string): readonly number[] {
    return this.#places.get(key.toLowerCase()) ?? [];
  }

  #put(key: string, index: number): void {
    const known = this.#places.get(key);
    if (known) known.push(index);
    else this.#places.set(key, [index]);
  }
}

/** The smallest index for which `test` holds, when it holds for all larger ones. */
export function firstWhere(length: number, test: (index: number) => boolean): number {
  let low = 0;
  let high = length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (test(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

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
  const inner = text.slice(from + 1, to - 1);
  const dsml = DSML.exec(inner);
  const close = dsml ? dsml[1] === '/' : inner[0] === '/';
  const parts = PARTS.exec(dsml ? inner.slice(dsml[0].length) : inner.slice(close ? 1 : 0));
  if (!parts) return;
  const tag = { from, to, close, name: parts[1] as string, rest: (parts[2] as string).trim() };
  if (dsml) found.dsml.push(tag);
  else if (text.endsWith(MINIMAX, from)) found.minimax.push({ ...tag, from: from - MINIMAX.length });
  else found.plain.push(tag);
}

const NAME_ATTRIBUTE = /(?:^|\s)name\s{0,8}=\s{0,8}(?:"([^"]*)"|'([^']*)'|([^\s"'/>]+))/i;

/** `<invoke name="x">` or `<function=x>`: x. */
export function namedBy({ rest }: Tag): string | undefined {
  if (rest === '') return undefined;
  if (rest.startsWith('='))
    return (
      rest
        .slice(1)
        .replace(/^["']|["']$/g, '')
        .trim() || undefined
    );
  const found = NAME_ATTRIBUTE.exec(rest);
  return (found?.[1] ?? found?.[2] ?? found?.[3])?.trim() || undefined;
}
