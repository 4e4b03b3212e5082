/** Searches that are asked again and again from growing places, and never look at a stretch of text twice. */
import { CLOSING_SOURCE, OPENING_SOURCE } from './markers.ts';

export type Hit = { from: number; to: number };

const OPENING = new RegExp(OPENING_SOURCE, 'gi');
const LINE_OPENING = new RegExp(`\\n[ \\t]*(?:${OPENING_SOURCE})`, 'gi');
const CLOSING = new RegExp(CLOSING_SOURCE, 'gi');

class NextHit {
  readonly #text: string;
  readonly #pattern: RegExp;
  #asked = 0;
  #known: Hit | undefined | 'unasked' = 'unasked';

  constructor(text: string, pattern: RegExp) {
    this.#text = text;
    this.#pattern = pattern;
  }

  /** The first hit at or behind `from`. */
  from(from: number): Hit | undefined {
    const known = this.#known;
    if (known !== 'unasked' && from >= this.#asked && (known === undefined || from <= known.from)) return known;
    this.#pattern.lastIndex = from;
    const found = this.#pattern.exec(this.#text);
    this.#asked = from;
    this.#known = found ? { from: found.index, to: found.index + found[0].length } : undefined;
    return this.#known;
  }
}

export class Search {
  readonly #text: string;
  readonly #opening: NextHit;
  readonly #lineOpening: NextHit;
  readonly #closing: NextHit;

  constructor(text: string) {
    this.#text = text;
    this.#opening = new NextHit(text, OPENING);
    this.#lineOpening = new NextHit(text, LINE_OPENING);
    this.#closing = new NextHit(text, CLOSING);
  }

  opening(from: number): Hit | undefined {
    return this.#opening.from(from);
  }

  closing(from: number): Hit | undefined {
    return this.#closing.from(from);
  }

  /**
   * Where a call ends that cannot be read: behind the last closing marker before a line that begins with an opening
   * one (C3.4); without any closing marker it takes everything up to there.
   */
  brokenEnd(from: number): number {
    const limit = this.#lineOpening.from(from)?.from ?? this.#text.length;
    let end = limit;
    for (let close = this.closing(from); close && close.to <= limit; close = this.closing(close.to)) end = close.to;
    return end;
  }
}
