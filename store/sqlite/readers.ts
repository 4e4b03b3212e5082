/** Who watches which turn in this process. */
export interface Readers {
  of(turnId: string, wake: () => void): () => void;
  ofAll(wake: (turnId: string) => void): () => void;
  deliver(turnId: string): void;
}

/** @param changed told whether anybody watches, each time that somebody comes or goes */
export function createReaders(changed: (anybody: boolean) => void): Readers {
  const ones = new Map<string, Set<() => void>>();
  const all = new Set<(turnId: string) => void>();
  const told = () => changed(ones.size + all.size > 0);

  return {
    of(turnId, wake) {
      const own = () => wake();
      const set = ones.get(turnId) ?? new Set();
      ones.set(turnId, set.add(own));
      told();
      return () => {
        set.delete(own);
        if (set.size === 0 && ones.get(turnId) === set) ones.delete(turnId);
        told();
      };
    },
    ofAll(wake) {
      const own = (turnId: string) => wake(turnId);
      all.add(own);
      told();
      return () => {
        all.delete(own);
        told();
      };
    },
    deliver(turnId) {
      // Copies: a reader may leave while it is woken.
      for (const wake of [...(ones.get(turnId) ?? [])]) wake();
      for (const wake of [...all]) wake(turnId);
    },
  };
}
