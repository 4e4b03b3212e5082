/** Counts failed attempts to authenticate, by address: guessing gets slow, a good token is never held up. */

const WINDOW_MS = 60_000;
const MOST_ADDRESSES = 10_000;

export type FailedAttempts = {
  /** Counts one; true when that address has had too many in the last minute. */
  add(address: string): boolean;
};

export function createFailedAttempts(most: number, now: () => number): FailedAttempts {
  const seen = new Map<string, { since: number; count: number }>();
  return {
    add: (address) => {
      const known = seen.get(address);
      const current = known && now() - known.since < WINDOW_MS ? known : { since: now(), count: 0 };
      current.count += 1;
      // Set anew, so that the oldest address is the first to be forgotten.
      seen.delete(address);
      seen.set(address, current);
      const oldest = seen.keys().next().value;
      if (seen.size > MOST_ADDRESSES && oldest !== undefined) seen.delete(oldest);
      return current.count > most;
    },
  };
}
