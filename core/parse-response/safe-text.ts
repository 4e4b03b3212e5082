/**
 * Follows a text as it grows, a character at a time, and gives out what is prose for sure. It knows of quotes what the
 * scanner knows, but where only the rest can decide it waits: a marker holds back everything behind it, unless it turns
 * out to stand in inline code (known when its paragraph ends) or in a fence (known when that closes).
 */
import { FenceWatch } from './fence-watch.ts';
import { beginsMarker, MARKER_CHARS, type Place } from './markers.ts';
import { type FindTool, toolFinder } from './names.ts';
import { callFence } from './quotes.ts';
import { Scanner } from './scanner.ts';
import type { ToolShape } from './types.ts';

export class SafeText {
  readonly #find: FindTool;
  readonly #fences: boolean;
  /** Offset of the next character; up to where the text is safe; behind the last character that is no blank. */
  #at = 0;
  #safe = 0;
  #ink = 0;
  /** The text from `#base` on: what was not given out yet. */
  #unshown = '';
  #base = 0;
  /** Everything from here on waits for the end. */
  #held = false;
  /** A marker waits for the end of its paragraph or fence. */
  #marked = false;
  /** The paragraph from its first backtick on. */
  #code: string | undefined;
  #line: 'begin' | 'run' | 'info' | 'text' | 'quote' = 'begin';
  /** What may become the opening line of a fence, and what may become a marker. */
  #run = { mark: '', length: 0 };
  #info = '';
  #tail = '';
  #tailPlace: Place = 'middle';
  #fence: FenceWatch | undefined;
  /** The fence that the response begins with, which is not quoted if nothing follows it. */
  #first: 'no' | 'begins' | 'open' | 'closed' = 'no';

  constructor({ tools, dialects }: { tools: readonly ToolShape[]; dialects: readonly string[] }) {
    this.#find = toolFinder(tools);
    this.#fences = dialects.includes('fence');
  }

  /** @returns what became safe, in order; blanks at its end wait for what follows them */
  push(chunk: string): string {
    this.#unshown += chunk;
    for (let at = 0; at < chunk.length && !this.#held; at += 1) {
      this.#step(chunk[at] as string, this.#at);
      this.#at += 1;
    }
    const count = this.#safe - this.#base;
    if (count <= 0) return '';
    const given = this.#unshown.slice(0, count);
    this.#unshown = this.#unshown.slice(count);
    this.#base = this.#safe;
    return given;
  }

  #step(char: string, at: number): void {
    if (this.#held) return;
    if (this.#fence || this.#line === 'text' || this.#line === 'quote') this.#inText(char, at);
    else if (this.#line === 'begin') this.#atBeginning(char, at);
    else if (this.#line === 'run') this.#inRun(char, at);
    else this.#inInfo(char, at);
  }

  #atBeginning(char: string, at: number): void {
    if (char === ' ' || char === '\t' || char === '\r') return;
    if (this.#first === 'closed' && char.trim() !== '') this.#isQuoted();
    if (char === '\n' || char === '>') this.#endParagraph();
    if (char === '\n') return;
    if (char === '`' || char === '~') {
      this.#line = 'run';
      this.#run = { mark: char, length: 1 };
      return;
    }
    this.#line = char === '>' ? 'quote' : 'text';
    this.#inText(char, at, 'line');
  }

  #inRun(char: string, at: number): void {
    if (char === this.#run.mark) this.#run.length += 1;
    else if (this.#run.length < 3) this.#noFence(char, at);
    else {
      this.#line = 'info';
      this.#info = '';
      this.#inInfo(char, at);
    }
  }

  #inInfo(char: string, at: number): void {
    if (char === '`' && this.#run.mark === '`') this.#noFence(char, at);
    else if (char === '\n') this.#openFence(at);
    else this.#info += char;
  }

  /** @param at where the opening line ends */
  #openFence(at: number): void {
    this.#endParagraph();
    this.#line = 'begin';
    const info = this.#info.trim();
    const call = callFence(info) !== undefined;
    this.#held ||= call && this.#fences;
    if (this.#held) return;
    this.#fence = new FenceWatch(this.#run);
    this.#first = this.#ink > 0 ? 'no' : call ? 'open' : 'begins';
    this.#ink = at - (this.#info.length - this.#info.trimEnd().length);
    this.#release();
  }

  /** The line begins with backticks or tildes, but opens no fence: it is read again as text. */
  #noFence(char: string, at: number): void {
    const line = this.#run.mark.repeat(this.#run.length) + (this.#line === 'info' ? this.#info : '') + char;
    this.#line = 'text';
    this.#again(line, at);
  }

  #inText(char: string, at: number, place: Place = 'middle'): void {
    const body = this.#first === 'begins' && this.#fence?.isAtBody;
    const where = this.#ink === 0 || body ? 'start' : place;
    const begins = this.#tail === '' && this.#mayBegin(char, where);
    if (begins) this.#tailPlace = where;
    if (begins || this.#tail !== '') this.#growTail(char, at);
    else this.#take(char, at);
  }

  #mayBegin(char: string, place: Place): boolean {
    if (this.#marked || this.#line === 'quote' || (this.#fence && this.#first === 'open')) return false;
    if (MARKER_CHARS.includes(char)) return true;
    const line = place === 'line' || place === 'start';
    return line && /[\w.:{-]/.test(char) && (!this.#fence || this.#first === 'begins');
  }

  #growTail(char: string, at: number): void {
    const tail = this.#tail + char;
    const begins = beginsMarker(tail, this.#tailPlace, this.#find);
    if (begins === 'maybe') {
      this.#tail = tail;
      return;
    }
    this.#tail = '';
    if (begins === 'yes') this.#meetMarker();
    if (this.#held) return;
    // What was waited for is taken now: its first character is no beginning of a marker, the others are read again.
    this.#take(tail[0] as string, at - tail.length + 1);
    this.#again(tail.slice(1), at);
  }

  #meetMarker(): void {
    if (this.#fence && this.#first === 'begins' && this.#fence.isAtBody) this.#first = 'open';
    else if (this.#fence || this.#code !== undefined) this.#marked = true;
    else this.#held = true;
  }

  /** Reads characters again, the last of which stands at `at`. */
  #again(text: string, at: number): void {
    for (let index = 0; index < text.length; index += 1)
      this.#step(text[index] as string, at - text.length + 1 + index);
  }

  #take(char: string, at: number): void {
    if (this.#fence) this.#takeInFence(char, at);
    else this.#takeInParagraph(char, at);
  }

  #takeInParagraph(char: string, at: number): void {
    if (char === '`' && this.#line !== 'quote') this.#code ??= '';
    if (this.#code !== undefined) this.#code += char;
    if (char === '\n') {
      this.#line = 'begin';
      return;
    }
    if (char.trim() === '') return;
    if (this.#first === 'closed') this.#isQuoted();
    this.#ink = at + 1;
    if (!this.#marked) this.#release();
  }

  #takeInFence(char: string, at: number): void {
    const ink = char.trim() !== '';
    if (this.#first === 'begins' && ink && this.#fence?.isAtBody) {
      this.#first = char === '{' || char === '[' ? 'open' : 'no';
    }
    const closes = this.#fence?.take(char);
    if (ink) this.#ink = at + 1;
    if (closes) {
      this.#fence = undefined;
      this.#marked = false;
      this.#line = 'begin';
      this.#first = this.#first === 'open' ? 'closed' : 'no';
    }
    if (!this.#marked) this.#release();
  }

  /** Something follows the fence that the response began with. */
  #isQuoted(): void {
    this.#first = 'no';
    this.#release();
  }

  #release(): void {
    if (this.#first === 'no' && !this.#held) this.#safe = this.#ink;
  }

  #endParagraph(): void {
    if (this.#marked && this.#code !== undefined) {
      const scanner = new Scanner(this.#code, { find: this.#find, fences: false });
      scanner.skip(0);
      this.#held = scanner.next() !== undefined;
      this.#marked = false;
      if (!this.#held) this.#release();
    }
    this.#code = undefined;
  }
}
