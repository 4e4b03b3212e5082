/**
 * Walks a text and stops where protocol may begin, past everything that is quoted. Whoever reads the protocol then
 * tells the scanner where to go on.
 */
import { beginsMarker, isGlmTool, LINE_MARKERS, MARKER_SOURCE, VALUE_END_SOURCE } from './markers.ts';
import type { FindTool } from './names.ts';
import { CodeSpans, callFence, type Fence, fenceAt, nextLine } from './quotes.ts';

export type Candidate =
  /** `ticked`: a backtick that is never closed stands before it in its line. */
  | { kind: 'marker'; from: number; marker: string; ticked: boolean }
  /** The end of a value in tags. Prose, unless a call in tags stands before it. */
  | { kind: 'value-end'; from: number; to: number }
  | { kind: 'json' | 'word' | 'glm'; from: number }
  /** A fence whose info string says that it is a call, of an enabled dialect, and that no prose calls an example. */
  | { kind: 'fence'; from: number; fence: Fence }
  /** A marker in a fence that never closes: neither quoted nor to be read. */
  | { kind: 'unclosed'; from: number };

export type ScanOptions = { find: FindTool; fences: boolean };

const EVENT = new RegExp(`(\`+)|(\\n)|(${VALUE_END_SOURCE})|${MARKER_SOURCE}`, 'gi');
const MARKER = new RegExp(MARKER_SOURCE, 'gi');
const LINE = {
  json: new RegExp(LINE_MARKERS.json, 'iy'),
  word: new RegExp(LINE_MARKERS.word, 'iy'),
  glm: new RegExp(LINE_MARKERS.glm, 'y'),
};

const LINE_CHARS = /[\w.:{[-]/;

export class Scanner {
  readonly #text: string;
  readonly #options: ScanOptions;
  readonly #spans: CodeSpans;
  #at = 0;
  /** What begins here: a line of the text, or only what stands behind an envelope. */
  #begins: 'line' | 'rest' | 'nothing' = 'line';
  #ticked = false;

  constructor(text: string, options: ScanOptions) {
    this.#text = text;
    this.#options = options;
    this.#spans = new CodeSpans(text);
  }

  /** Goes on behind an envelope. */
  resume(at: number): void {
    this.#at = at;
    this.#begins = at === 0 || this.#text[at - 1] === '\n' ? 'line' : 'rest';
  }

  /** Goes on behind text that turned out to be prose. */
  skip(at: number): void {
    this.#at = at;
    this.#begins = 'nothing';
  }

  next(): Candidate | undefined {
    while (this.#at < this.#text.length) {
      const found = this.#begins === 'nothing' ? this.#inLine() : this.#atBeginning();
      if (found) return found;
    }
    return undefined;
  }

  #atBeginning(): Candidate | undefined {
    const line = this.#begins === 'line';
    this.#begins = 'nothing';
    let from = this.#at;
    while (' \t\r'.includes(this.#text[from] ?? '.')) from += 1;
    const first = this.#text[from] ?? '';
    if (first === '\n' || (line && first === '>')) return this.#toLine(nextLine(this.#text, from));
    const fence = line && (first === '`' || first === '~') ? fenceAt(this.#text, this.#at) : undefined;
    if (fence) return this.#atFence(fence);
    if (!LINE_CHARS.test(first)) return undefined;
    for (const kind of ['json', 'word', 'glm'] as const) {
      LINE[kind].lastIndex = from;
      const found = LINE[kind].exec(this.#text)?.[0];
      if (found !== undefined && (kind !== 'glm' || isGlmTool(found, this.#options.find))) return { kind, from };
    }
    return undefined;
  }

  #atFence(fence: Fence): Candidate | undefined {
    if (this.#options.fences && callFence(fence.info) && !isExample(this.#text, fence)) {
      return { kind: 'fence', from: fence.from, fence };
    }
    this.#toLine(fence.to);
    if (fence.closed) return undefined;
    MARKER.lastIndex = fence.body.from;
    const marker = MARKER.exec(this.#text);
    return marker ? { kind: 'unclosed', from: marker.index } : undefined;
  }

  #toLine(at: number): undefined {
    this.#ticked = false;
    this.#at = at;
    this.#begins = 'line';
  }

  #inLine(): Candidate | undefined {
    EVENT.lastIndex = this.#at;
    const event = EVENT.exec(this.#text);
    if (!event) {
      this.#at = this.#text.length;
      return undefined;
    }
    const [whole, ticks, newline, valueEnd] = event;
    const end = event.index + whole.length;
    if (newline !== undefined) return this.#toLine(end);
    if (ticks === undefined) {
      this.#at = end;
      if (valueEnd !== undefined) return { kind: 'value-end', from: event.index, to: end };
      return { kind: 'marker', from: event.index, marker: whole, ticked: this.#ticked };
    }
    const closer = this.#spans.closer(event.index, ticks.length);
    this.#at = closer === -1 ? end : closer;
    this.#ticked ||= closer === -1;
    return undefined;
  }
}

const EXAMPLE =
  /\b(?:examples?|e\.g|for instance|such as|samples?|syntax|formats?|would|could|might|looks? like|like this|illustrat\w*)\b/i;
const MAX_LINE = 160;

/** Prose next to a fence that calls it an example. */
function isExample(text: string, fence: Fence): boolean {
  const behind = text.slice(fence.to, fence.to + MAX_LINE).trimStart();
  return isExampleBefore(text, fence.from) || EXAMPLE.test(behind.slice(0, nextLine(behind, 0)));
}

/** Whether the line of prose before a place calls what follows an example. */
export function isExampleBefore(text: string, from: number): boolean {
  const before = text.slice(Math.max(0, from - MAX_LINE), from).trimEnd();
  return EXAMPLE.test(before.slice(before.lastIndexOf('\n') + 1));
}

/** Whether a whole text (the body of a fence) begins with protocol. */
export function beginsWithProtocol(text: string, find: FindTool): boolean {
  const head = text.slice(0, 200);
  return head[0] === '{' || head[0] === '[' || beginsMarker(head, 'start', find) === 'yes';
}
