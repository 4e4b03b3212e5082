/** What is quoted, and so is never protocol (C3.3): fences, inline code, lines that begin with `>`. */

export type Fence = {
  /** Where its opening line begins, and where the line behind its closing line does. */
  from: number;
  to: number;
  info: string;
  body: { from: number; to: number };
  closed: boolean;
};

/** The opening line of a fence. One of backticks has none in its info, else the line is inline code. */
const FENCE_OPEN = /[ \t\r]*(`{3,}(?=[^`\n]*(?:\n|$))|~{3,})([^\n]*)/y;
const FENCE_CLOSE = /[ \t\r]*(`{3,}|~{3,})[ \t\r]*(?=\n|$)/y;

/** The fence that begins with the line at `from`; one that never closes takes the rest. */
export function fenceAt(text: string, from: number): Fence | undefined {
  FENCE_OPEN.lastIndex = from;
  const open = FENCE_OPEN.exec(text);
  if (!open) return undefined;
  const run = open[1] as string;
  const info = (open[2] as string).trim();
  const start = Math.min(FENCE_OPEN.lastIndex + 1, text.length);
  for (let line = start; line < text.length; line = nextLine(text, line)) {
    FENCE_CLOSE.lastIndex = line;
    const close = FENCE_CLOSE.exec(text)?.[1];
    if (close === undefined || close[0] !== run[0] || close.length < run.length) continue;
    const body = { from: start, to: Math.max(start, line - 1) };
    return { from, to: nextLine(text, line), info, body, closed: true };
  }
  return { from, to: text.length, info, body: { from: start, to: text.length }, closed: false };
}

/** Index behind a line and its line break. */
export function nextLine(text: string, from: number): number {
  const end = text.indexOf('\n', from);
  return end === -1 ? text.length : end + 1;
}

const CALL_FENCE = /^(?:tool_calls?|tool-call|toolcall|invoke|tool[ \t]+([^\s`]{1,128}))$/i;

/** Whether a fence's info string says that a call is in it, and of which tool if it says so. */
export function callFence(info: string): { tool?: string } | undefined {
  const found = CALL_FENCE.exec(info);
  if (!found) return undefined;
  return found[1] === undefined ? {} : { tool: found[1] };
}

/** Where a paragraph ends: before a blank line, a line that begins with `>`, or a fence. */
const PARAGRAPH_END = /\n(?=[ \t\r]*(?:\n|$|>|~{3}|`{3,}[^`\n]*(?:\n|$)))/g;
const TICKS = /`+/g;

/** Pairs the backticks of a text, a paragraph at a time. Asked in order of place, it is linear in the text. */
export class CodeSpans {
  readonly #text: string;
  #end = -1;
  /** Of the paragraph that ends at `#end`: where runs of each length begin, and how many have been passed. */
  #runs = new Map<number, { at: number[]; passed: number }>();

  constructor(text: string) {
    this.#text = text;
  }

  /** Index behind the run that closes the one of `length` at `from`, or -1 when it is no code. */
  closer(from: number, length: number): number {
    if (from >= this.#end) this.#measure(from);
    const runs = this.#runs.get(length);
    if (!runs) return -1;
    while ((runs.at[runs.passed] ?? Number.POSITIVE_INFINITY) <= from) runs.passed += 1;
    const close = runs.at[runs.passed];
    return close === undefined ? -1 : close + length;
  }

  #measure(from: number): void {
    PARAGRAPH_END.lastIndex = from;
    this.#end = PARAGRAPH_END.exec(this.#text)?.index ?? this.#text.length;
    this.#runs = new Map();
    TICKS.lastIndex = from;
    for (let run = TICKS.exec(this.#text); run && run.index < this.#end; run = TICKS.exec(this.#text)) {
      const { length } = run[0];
      const known = this.#runs.get(length);
      if (known) known.at.push(run.index);
      else this.#runs.set(length, { at: [run.index], passed: 0 });
    }
  }
}
