/** Tags of a text, looked up by name, so that no search is made twice. */
export type Tag = {
  from: number;
  to: number;
  close: boolean;
  /** As written. */
  name: string;
  /** What stands behind the name: attributes, or `=value`. */
  rest: string;
};

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

const NAME_ATTRIBUTE = /(?:^|\s)name\s{0,8}=\s{0,8}(?:"([^"]*)"|'([^']*)'|([^\s"'/>]+))/i;

/** `<invoke name="x">` or `<function=x>`: x. */
export function namedBy({ rest }: Tag): string | undefined {
  if (rest === '') return undefined;
  const found = NAME_ATTRIBUTE.exec(rest);
  const name = rest[0] === '=' ? rest.slice(1).replace(/^["']|["']$/g, '') : (found?.[1] ?? found?.[2] ?? found?.[3]);
  return name?.trim() || undefined;
}
