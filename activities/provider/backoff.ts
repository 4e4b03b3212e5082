/** How long to wait before a provider is asked again (C3.7). */
export const RETRIES = 2;
export const RETRY_AFTER_CAP_MS = 60_000;

const FIRST_MS = 500;
const LARGEST_MS = 10_000;

/** 500 ms doubling to 10 s, of which up to half is taken off by chance. `random` in [0, 1); `tries` made so far, from 1. */
export function backoffMs(tries: number, random: number): number {
  const full = Math.min(FIRST_MS * 2 ** (tries - 1), LARGEST_MS);
  return Math.round(full * (1 - random / 2));
}

/** What the provider asked for, capped; never shorter than the backoff. */
export function waitMs(retryAfterMs: number | undefined, tries: number, random: number): number {
  return Math.max(Math.min(retryAfterMs ?? 0, RETRY_AFTER_CAP_MS), backoffMs(tries, random));
}
