/** Progress lines of a running tool as events: scrubbed, bounded, at most one every 200 ms. */
import type { KeyedEvent } from '../../store/api.ts';
import type { EngineDeps } from '../deps.ts';
import type { Begun } from './begun.ts';

const EVERY_MS = 200;
const TEXT_MAX = 4096;
const LINES_MAX = 500;

export class Progress {
  private waiting = '';
  private timer: NodeJS.Timeout | undefined;
  private serial = 0;
  private writing: Promise<unknown> = Promise.resolve();
  private readonly deps: EngineDeps;
  private readonly begun: Begun;
  private readonly onSign: () => void;

  constructor(deps: EngineDeps, begun: Begun, onSign: () => void) {
    this.deps = deps;
    this.begun = begun;
    this.onSign = onSign;
  }

  report(text: string): void {
    this.onSign();
    this.waiting = `${this.waiting}${text}`.slice(-TEXT_MAX);
    this.timer ??= setTimeout(() => this.flush(), EVERY_MS);
  }

  async end(): Promise<void> {
    this.flush();
    await this.writing.catch(() => {});
  }

  private flush(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    if (this.waiting === '' || this.serial >= LINES_MAX) return;
    const { call, key } = this.begun;
    const text = this.deps.render(this.waiting).slice(0, TEXT_MAX);
    this.waiting = '';
    const event: KeyedEvent = {
      key: `g:${call.callId}:${key.attempt}:${this.serial++}`,
      body: { type: 'tool_progress', callId: call.callId, slot: call.slot, text },
    };
    this.writing = this.writing.then(() => this.deps.store.events.append(key.turnId, [event])).catch(() => {});
  }
}
