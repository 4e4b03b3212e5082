/**
 * Takes `<think>…</think>` and terminal markers out of a model's text (C3.3): thinking is shown as thinking only. A
 * block that never closes takes the rest with it. Works on a stream; any cut gives the same.
 */
export type SplitText = { text: string; thinking: string };

export type ThinkSplitter = { push(chunk: string): SplitText; end(): SplitText };

const OPEN = '<think>';
const CLOSE = '</think>';
const TERMINAL = ['<|eom|>', '<eom>'];
const IN_TEXT = [OPEN, ...TERMINAL];
const IN_THINK = [CLOSE];

export function thinkSplitter(): ThinkSplitter {
  let thinks = false;
  let kept = '';
  /** Blanks between a block and the answer that follows it belong to neither. */
  let atStart = false;
  const out: SplitText = { text: '', thinking: '' };

  const give = (piece: string): void => {
    if (thinks) {
      out.thinking += piece;
      return;
    }
    const said = atStart ? piece.trimStart() : piece;
    if (said !== '') atStart = false;
    out.text += said;
  };
  const meet = (marker: string): void => {
    if (marker === OPEN) thinks = true;
    if (marker === CLOSE) {
      thinks = false;
      atStart = true;
    }
  };
  const taken = (): SplitText => {
    const result = { ...out };
    out.text = '';
    out.thinking = '';
    return result;
  };
  return {
    push(chunk) {
      const all = kept + chunk;
      let done = 0;
      for (let at = all.indexOf('<', done); at >= 0; at = all.indexOf('<', Math.max(at + 1, done))) {
        const markers = thinks ? IN_THINK : IN_TEXT;
        const found = markers.find((marker) => all.startsWith(marker, at));
        if (found) {
          give(all.slice(done, at));
          meet(found);
          done = at + found.length;
        } else if (markers.some((marker) => isStart(marker, all, at))) {
          give(all.slice(done, at));
          kept = all.slice(at);
          return taken();
        }
      }
      give(all.slice(done));
      kept = '';
      return taken();
    },
    end() {
      give(kept);
      kept = '';
      return taken();
    },
  };
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
