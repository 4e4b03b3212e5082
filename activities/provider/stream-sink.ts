/** Turns stream parts into numbered events, in small batches (25 ms or 1 KiB), scrubbed also across chunk borders (C9.1, C10.5). */
import type { EventBody } from '../../core/events.ts';
import type { Scrubber, StreamScrubber } from '../../core/redact.ts';
import type { Events, KeyedEvent } from '../../store/api.ts';
import type { StreamPart } from './types.ts';

const BATCH_MS = 25;
const BATCH_CHARS = 1024;

type Kind = 'text_delta' | 'thinking_delta';

export class StreamSink {
  /** Set when a newer attempt has taken over: nothing more is written, and the call is pointless. */
  lost = false;
  private pending: { kind: Kind; text: string }[] = [];
  private chars = 0;
  private serial = 0;
  private timer: NodeJS.Timeout | undefined;
  private writing: Promise<void> = Promise.resolve();
  private readonly scrubbers: Record<Kind, StreamScrubber>;
  private readonly events: Events;
  private readonly at: { turnId: string; step: number; epoch: number };
  private readonly onLost: () => void;

  constructor(input: {
    events: Events;
    scrubber: Scrubber;
    at: { turnId: string; step: number; epoch: number };
    onLost: () => void;
  }) {
    this.events = input.events;
    this.at = input.at;
    this.onLost = input.onLost;
    this.scrubbers = { text_delta: input.scrubber.stream(), thinking_delta: input.scrubber.stream() };
  }

  push(part: StreamPart): void {
    if (part.type === 'activity') return;
    const kind = part.type === 'text' ? 'text_delta' : 'thinking_delta';
    this.add(kind, this.scrubbers[kind].push(part.text));
  }

  /** Takes back what was shown of this step: the attempt failed and is made again. */
  async reset(): Promise<void> {
    for (const scrubber of Object.values(this.scrubbers)) scrubber.end();
    this.pending = [];
    this.chars = 0;
    this.write([
      {
        key: `r:${this.at.step}:${this.at.epoch}:${this.serial++}`,
        body: { type: 'stream_reset', step: this.at.step, epoch: this.at.epoch },
      },
    ]);
    await this.writing;
  }

  /** Everything that was pushed, as events that are not written yet: they go with the reply in one transaction. */
  async rest(): Promise<KeyedEvent[]> {
    this.add('thinking_delta', this.scrubbers.thinking_delta.end());
    this.add('text_delta', this.scrubbers.text_delta.end());
    clearTimeout(this.timer);
    await this.writing;
    return this.take();
  }

  /** Writes what is left: the call was cut, and what came is to be kept. */
  async flushAll(): Promise<void> {
    this.write(await this.rest());
    await this.writing;
  }

  private add(kind: Kind, text: string): void {
    if (text === '' || this.lost) return;
    const last = this.pending.at(-1);
    if (last?.kind === kind) last.text += text;
    else this.pending.push({ kind, text });
    this.chars += text.length;
    if (this.chars >= BATCH_CHARS) this.flush();
    else this.timer ??= setTimeout(() => this.flush(), BATCH_MS);
  }

  private flush(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.write(this.take());
  }

  private take(): KeyedEvent[] {
    const { step, epoch } = this.at;
    const events = this.pending.map(({ kind, text }): KeyedEvent => {
      const body: EventBody = { type: kind, text, step, epoch };
      return { key: `d:${step}:${epoch}:${this.serial++}`, body };
    });
    this.pending = [];
    this.chars = 0;
    return events;
  }

  private write(events: KeyedEvent[]): void {
    if (events.length === 0) return;
    const { turnId, epoch } = this.at;
    this.writing = this.writing.then(async () => {
      if (this.lost) return;
      const { kind } = await this.events.append(turnId, events, { epoch });
      if (kind === 'appended') return;
      this.lost = true;
      this.onLost();
    });
    // A fault of the store surfaces where the writes are awaited, not as an unhandled rejection in between.
    this.writing.catch(() => {});
  }
}
