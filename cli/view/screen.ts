// Writes the view: text is appended; on a terminal one status line is drawn below it, and only there.

export type Output = { write: (text: string) => void; columns: () => number };

export type Screen = {
  append: (text: string) => void;
  /** Replaces the status line; '' takes it away. Without a terminal nothing is drawn. */
  status: (line: string) => void;
  /** Keeps what is appended until `release`, while a person types a line. */
  hold: () => void;
  release: () => void;
};

const CLEAR_LINE = '\r\u001b[2K';

/** @param live whether a status line can be drawn; false for pipes, `--accessible` and dumb terminals */
export function openScreen(output: Output, live: boolean): Screen {
  let line = '';
  let drawn = false;
  let atStart = true;
  let held: string[] | undefined;

  const clear = () => {
    if (drawn) output.write(CLEAR_LINE);
    drawn = false;
  };
  // In the middle of a line of text there is no place for it; the text itself shows that something happens.
  const draw = () => {
    if (!live || drawn || line === '' || !atStart || held) return;
    output.write(line);
    drawn = true;
  };
  const append = (text: string) => {
    if (text === '') return;
    if (held) {
      held.push(text);
      return;
    }
    clear();
    output.write(text);
    atStart = text.endsWith('\n');
    draw();
  };
  return {
    append,
    status: (next) => {
      if (next === line && drawn) return;
      line = next;
      if (held) return;
      clear();
      draw();
    },
    hold: () => {
      if (held) return;
      clear();
      held = [];
    },
    release: () => {
      const kept = held ?? [];
      held = undefined;
      append(kept.join(''));
      draw();
    },
  };
}
