/** Follows a fence, a character at a time, until the line that closes it is complete. */
export class FenceWatch {
  /** Nothing but blanks has come since the opening line. */
  isAtBody = true;
  readonly #mark: string;
  readonly #length: number;
  #line: 'begin' | 'run' | 'end' | 'text' = 'begin';
  #run = 0;

  /** @param run of what, and how much of it, opened it */
  constructor({ mark, length }: { mark: string; length: number }) {
    this.#mark = mark;
    this.#length = length;
  }

  /** @returns whether the fence ends with this character, a line break */
  take(char: string): boolean {
    if (char === '\n') {
      const closes = this.#line === 'end' || (this.#line === 'run' && this.#run >= this.#length);
      this.#line = 'begin';
      return closes;
    }
    const blank = char === ' ' || char === '\t' || char === '\r';
    if (char.trim() !== '') this.isAtBody = false;
    if (this.#line === 'begin' && char === this.#mark) {
      this.#line = 'run';
      this.#run = 1;
    } else if (this.#line === 'run' && char === this.#mark) this.#run += 1;
    else if (this.#line === 'run') this.#line = blank && this.#run >= this.#length ? 'end' : 'text';
    else if (!blank) this.#line = 'text';
    return false;
  }
}
