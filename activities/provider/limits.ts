/** The named time limits of a provider (C10.3). All in milliseconds; the error names the limit that fired. */
import { ProviderFailure } from './types.ts';

export type Limits = {
  /** DNS, TCP and TLS. */
  connectTimeoutMs: number;
  /** Without a byte from the provider, the wait for its first one included; re-armed on each piece of the body. */
  idleTimeoutMs: number;
  /** An answer that is not streamed, errors too: from the request to its last byte. */
  requestTimeoutMs: number;
};

export type LimitName = 'connect_timeout' | 'idle_timeout' | 'request_timeout';

export const COMPATIBLE_LIMITS: Limits = {
  connectTimeoutMs: 10_000,
  idleTimeoutMs: 300_000,
  requestTimeoutMs: 120_000,
};

/** After the finish reason, how long `[DONE]` (and the usage before it) may take (C10.2). */
export const DONE_WAIT_MS = 2_000;

const MEANING: Record<LimitName, string> = {
  connect_timeout: 'no connection was made within',
  idle_timeout: 'the provider sent nothing for',
  request_timeout: 'the answer was not complete within',
};

export function limitReached(name: LimitName, ms: number): ProviderFailure {
  return new ProviderFailure('retryable', `${name}: ${MEANING[name]} ${spoken(ms)}.`);
}

const spoken = (ms: number): string => (ms % 1000 === 0 ? `${ms / 1000} s` : `${ms} ms`);

/** A timer that can be wound up again; `fire` runs at most once. */
export class Alarm {
  readonly #fire: () => void;
  #timer: NodeJS.Timeout | undefined;

  constructor(fire: () => void) {
    this.#fire = fire;
  }

  arm(ms: number): void {
    this.clear();
    this.#timer = setTimeout(this.#fire, ms);
  }

  clear(): void {
    clearTimeout(this.#timer);
  }
}
