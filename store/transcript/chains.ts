/**
 * Transcripts, read through memory. Entries never change once they are written, so that a long turn reads each of them
 * once; what is kept is bounded by bytes.
 */
import { first, type Tx } from '../database.ts';
import { query } from '../query.ts';
import { type Chain, chainOn, cut, grow } from './chain.ts';
import { type ChainMemory, createChainMemory } from './chain-memory.ts';
import { linksAfter } from './entries.ts';
import type { Chains } from './link.ts';

type Base = { base_turn: string | null; base_head: string };

const selectBase = query((db, p: { turnId: string }) =>
  db.selectFrom('turns').select(['base_turn', 'base_head']).where('turn_id', '=', p.turnId),
);

export function createChains(maxBytes: number): Chains {
  const memory = createChainMemory(maxBytes);
  return {
    *upTo(turnId, head) {
      const known = memory.get(turnId);
      if (known && !known.places.has(head)) {
        const links = yield* linksAfter(turnId, known.own.length);
        // Anything else than a continuation: the file is another one than before.
        if (links[0]?.parentHead === known.last) grow(known, links);
        else memory.drop(turnId);
      }
      const chain = memory.get(turnId) ?? (yield* build(memory, turnId));
      if (!chain) return undefined;
      memory.keep(turnId, chain);
      return cut(chain, head);
    },
    extend(turnId, links) {
      const chain = memory.get(turnId);
      if (!chain || links[0]?.parentHead !== chain.last) return;
      grow(chain, links);
      memory.keep(turnId, chain);
    },
  };
}

/** The turn's chain, on those of the session's earlier turns, which are read as far as they are not in memory. */
function* build(memory: ChainMemory, turnId: string): Tx<Chain | undefined> {
  const path: { turnId: string; base: Base }[] = [];
  for (let at: string | null = turnId; at !== null && (at === turnId || !memory.get(at)); ) {
    const base: Base | undefined = yield* first(selectBase, { turnId: at });
    if (!base) return undefined;
    path.unshift({ turnId: at, base });
    at = base.base_turn;
  }
  let chain: Chain | undefined;
  for (const { turnId: at, base } of path) {
    const before: Chain | undefined = chain ?? memory.get(base.base_turn ?? '');
    const entries = base.base_turn === null ? [] : before && cut(before, base.base_head);
    if (!entries) return undefined;
    chain = chainOn(base.base_head, entries);
    grow(chain, yield* linksAfter(at, 0));
  }
  return chain;
}
