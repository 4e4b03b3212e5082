/** When to look again after the store refused what the turn took for possible: another store, or a flag it knows nothing of. */

/** `until`: not before this moment, ms. `count`: how often it was in vain. */
export type Retry = { until: number; count: number };

const WAITS_MS = [2_000, 10_000, 30_000, 60_000] as const;

export const NO_RETRY: Retry = { until: 0, count: 0 };

/** Waits longer each time; several calls of one moment wait together. */
export function later(retry: Retry, now: number): Retry {
  if (retry.until > now) return retry;
  const wait = WAITS_MS[Math.min(retry.count, WAITS_MS.length - 1)] as number;
  return { until: now + wait, count: retry.count + 1 };
}
