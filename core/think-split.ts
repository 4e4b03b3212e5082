/**
 * Takes `<think>…</think>` and terminal markers out of a model's text (C3.3): thinking is shown as thinking only. A
 * block that never closes takes the rest with it. Works on a stream; any cut gives the same.
 */
export type SplitText = { text: string; thinking: string };

export type ThinkSplitter = {
  push(chunk: string): SplitText;
  end(): SplitText;
  /** Where something was taken out, as offsets into all the text given so far. */
  readonly cuts: readonly number[];
};

const OPEN = '<think>';
const CLOSE = '</think>';
const TERMINAL = ['<|eom|>', '<eom>'];
const IN_TEXT = [OPEN, ...TERMINAL];
const IN_THINK = [CLOSE];

export function thinkSplitter(): ThinkSplitter {
  const out = new SplitOutput();
  let kept = '';
  return {
    cuts: out.cuts,
    push(chunk) {
      const all = kept + chunk;
      let done = 0;
      kept = '';
      for (let at = all.indexOf('<'); at >= 0; at = all.indexOf('<', Math.max(at + 1, done))) {
        const markers = out.thinks ? IN_THINK : IN_TEXT;
        const found = markers.find((marker) => all.startsWith(marker, at));
        if (!found && !markers.some((marker) => isStart(marker, all, at))) continue;
        out.give(all.slice(done, at));
        if (!found) {
          kept = all.slice(at);
          return out.take();
        }
        out.meet(found);
        done = at + found.length;
      }
      out.give(all.slice(done));
      return out.take();
    },
    end() {
      out.give(kept);
      kept = '';
      return out.take();
    },
  };
}

class SplitOutput {
  thinks = false;
  readonly cuts: number[] = [];
  #given = 0;
  /** Blanks between a block and the answer that follows it belong to neither. */
  #afterBlock = false;
  #text = '';
  #thinking = '';

  give(piece: string): void {
    if (this.thinks) {
      this.#thinking += piece;
      return;
    }
    const said = this.#afterBlock ? piece.trimStart() : piece;
    if (said !== '') this.#afterBlock = false;
    this.#text += said;
    this.#given += said.length;
  }

  meet(marker: string): void {
    if (this.cuts.at(-1) !== this.#given) this.cuts.push(this.#given);
    if (marker === OPEN) this.thinks = true;
    if (marker !== CLOSE) return;
    this.thinks = false;
    this.#afterBlock = true;
  }

  take(): SplitText {
    const taken = { text: this.#text, thinking: this.#thinking };
    this.#text = '';
    this.#thinking = '';
    return taken;
  }
}

export function splitThink(text: string): SplitText {
  const splitter = thinkSplitter();
  const { text: said, thinking } = splitter.push(text);
  const rest = splitter.end();
  return { text: said + rest.text, thinking: thinking + rest.thinking };
}

/** The text ends in the middle of the marker. */
function isStart(marker: string, all: string, at: number): boolean {
  const left = all.length - at;
  return left < marker.length && all.slice(at) === marker.slice(0, left);
}
