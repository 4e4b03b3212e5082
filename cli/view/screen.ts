// Writes the view: text is appended; on a terminal one status line is drawn below it, and only there.

export type Output = { write: (text: string) => void; columns: () => number };

export type Screen = {
  /** @param status the status line from now on; left out: as it was */
  append: (text: string, status?: string) => void;
  /** Replaces the status line; '' takes it away. Without a terminal nothing is drawn. */
  status: (line: string) => void;
  /** Keeps what is appended until `release`, while a person types a line. */
  hold: () => void;
  release: () => void;
};

const CLEAR_LINE = '\r\u001b[2K';

/** @param live whether a status line can be drawn; false for pipes, `--accessible` and dumb terminals */
export const openScreen = (output: Output, live: boolean): Screen => new OpenScreen(output, live);

class OpenScreen implements Screen {
  readonly #output: Output;
  readonly #live: boolean;
  #line = '';
  #drawn = false;
  #atStart = true;
  #held: string[] | undefined;

  constructor(output: Output, live: boolean) {
    this.#output = output;
    this.#live = live;
  }

  append(text: string, status = this.#line): void {
    if (text === '') {
      this.status(status);
      return;
    }
    this.#line = status;
    if (this.#held) {
      this.#held.push(text);
      return;
    }
    this.#clear();
    this.#output.write(text);
    this.#atStart = text.endsWith('\n');
    this.#draw();
  }

  status(line: string): void {
    if (line === this.#line && this.#drawn) return;
    this.#line = line;
    if (this.#held) return;
    this.#clear();
    this.#draw();
  }

  hold(): void {
    if (this.#held) return;
    this.#clear();
    this.#held = [];
  }

  release(): void {
    const kept = this.#held ?? [];
    this.#held = undefined;
    this.append(kept.join(''));
    this.#draw();
  }

  #clear(): void {
    if (this.#drawn) this.#output.write(CLEAR_LINE);
    this.#drawn = false;
  }

  /** In the middle of a line of text there is no place for it; the text itself shows that something happens. */
  #draw(): void {
    if (!this.#live || this.#drawn || this.#line === '' || !this.#atStart || this.#held) return;
    this.#output.write(this.#line);
    this.#drawn = true;
  }
}
