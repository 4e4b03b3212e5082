/** Server-sent events out of bytes (C10.8): UTF-8 over borders of chunks, any line end, comments, events without a last blank line. */

export type SseEvent = { event: string; data: string };

/** A line or event larger than this is not a stream of ours. Characters. */
export const LARGEST_EVENT = 8 * 1024 * 1024;

export class SseTooLarge extends Error {}

export class SseReader {
  readonly #decoder = new TextDecoder('utf-8');
  #line = '';
  #afterCr = false;
  #event = '';
  #data: string[] = [];
  #size = 0;
  #stray = '';

  /** The beginning of what was no event line: an error page, a JSON body. */
  get stray(): string {
    return this.#stray;
  }

  push(bytes: Uint8Array): SseEvent[] {
    return this.#take(this.#decoder.decode(bytes, { stream: true }));
  }

  /** The events still open at the end of the stream. */
  end(): SseEvent[] {
    const events = this.#take(this.#decoder.decode());
    if (this.#line !== '') this.#read(this.#line);
    this.#line = '';
    return [...events, ...this.#flush()];
  }

  #take(text: string): SseEvent[] {
    const events: SseEvent[] = [];
    let from = 0;
    for (let at = this.#lineEnd(text, 0); at >= 0; at = this.#lineEnd(text, from)) {
      const isSecondHalf = at === 0 && this.#afterCr && text[0] === '\n';
      this.#afterCr = text[at] === '\r';
      if (!isSecondHalf) {
        const line = this.#line + text.slice(from, at);
        this.#line = '';
        if (line === '') events.push(...this.#flush());
        else this.#read(line);
      }
      from = at + 1;
      if (this.#afterCr && text[from] === '\n') {
        from++;
        this.#afterCr = false;
      }
    }
    if (from < text.length) {
      this.#line += text.slice(from);
      this.#afterCr = false;
    }
    if (this.#line.length > LARGEST_EVENT) throw new SseTooLarge();
    return events;
  }

  #lineEnd(text: string, from: number): number {
    for (let at = from; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (code === 10 || code === 13) return at;
    }
    return -1;
  }

  #read(line: string): void {
    if (line.startsWith(':')) return;
    const colon = line.indexOf(':');
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(line[colon + 1] === ' ' ? colon + 2 : colon + 1);
    if (field === 'data') {
      this.#data.push(value);
      this.#size += value.length;
      if (this.#size > LARGEST_EVENT) throw new SseTooLarge();
    } else if (field === 'event') this.#event = value;
    else if (field !== 'id' && field !== 'retry' && this.#stray.length < 4096) this.#stray += `${line}\n`;
  }

  #flush(): SseEvent[] {
    const events = this.#data.length > 0 ? [{ event: this.#event, data: this.#data.join('\n') }] : [];
    this.#event = '';
    this.#data = [];
    this.#size = 0;
    return events;
  }
}
