/** A bounded memory of chains: the turn that was used longest ago goes first. */
import type { Chain } from './chain.ts';

export interface ChainMemory {
  get(turnId: string): Chain | undefined;
  /** Makes it the newest one; the newest is kept even when it is too large by itself. */
  keep(turnId: string, chain: Chain): void;
  drop(turnId: string): void;
}

export function createChainMemory(maxBytes: number): ChainMemory {
  const chains = new Map<string, Chain>();
  /** What of each chain is in the sum: chains grow while they are kept. */
  const counted = new Map<string, number>();
  let sum = 0;

  function drop(turnId: string): void {
    sum -= counted.get(turnId) ?? 0;
    counted.delete(turnId);
    chains.delete(turnId);
  }

  return {
    get: (turnId) => chains.get(turnId),
    drop,
    keep(turnId, chain) {
      drop(turnId);
      chains.set(turnId, chain);
      counted.set(turnId, chain.bytes);
      sum += chain.bytes;
      for (const oldest of chains.keys()) {
        if (sum <= maxBytes || oldest === turnId) break;
        drop(oldest);
      }
    },
  };
}
