/** Watches one exchange: the limit that is running now, the limit on the whole, and the cancel. The first to fire ends it. */
import { abortError } from './abort.ts';
import { Alarm, type Limits, limitReached } from './limits.ts';

export class HttpWatch {
  /** Why the exchange was ended from this side. */
  why: Error | undefined;
  readonly #limits: Limits;
  readonly #signal: AbortSignal;
  readonly #destroy: (why: Error) => void;
  readonly #started = Date.now();
  readonly #connect = new Alarm(() => this.#end(limitReached('connect_timeout', this.#limits.connectTimeoutMs)));
  readonly #idle = new Alarm(() => this.#end(limitReached('idle_timeout', this.#limits.idleTimeoutMs)));
  readonly #whole = new Alarm(() => this.#end(limitReached('request_timeout', this.#limits.requestTimeoutMs)));
  readonly #onAbort = () => this.#end(abortError(this.#signal));

  constructor(limits: Limits, signal: AbortSignal, destroy: (why: Error) => void) {
    this.#limits = limits;
    this.#signal = signal;
    this.#destroy = destroy;
    signal.addEventListener('abort', this.#onAbort, { once: true });
    this.#connect.arm(limits.connectTimeoutMs);
  }

  /** The other side has been heard, or is to be heard from now on. */
  waits(): void {
    this.#connect.clear();
    this.#idle.arm(this.#limits.idleTimeoutMs);
  }

  /** It is our reader who is slow. */
  rests(): void {
    this.#idle.clear();
  }

  limitWhole(): void {
    this.#whole.arm(Math.max(1, this.#limits.requestTimeoutMs - (Date.now() - this.#started)));
  }

  over(): void {
    for (const alarm of [this.#connect, this.#idle, this.#whole]) alarm.clear();
    this.#signal.removeEventListener('abort', this.#onAbort);
  }

  #end(why: Error): void {
    this.why ??= why;
    this.over();
    this.#destroy(this.why);
  }
}
