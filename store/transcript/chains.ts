/**
 * Transcripts in memory. Entries never change once they are written, so that a long turn reads each of them once; what
 * is kept is bounded by bytes, and the turn that was used longest ago goes first.
 */
import type { Entry } from '../../core/transcript.ts';
import { first, type Tx } from '../database.ts';
import { query } from '../query.ts';
import { type Link, linksAfter } from './entries.ts';

/** The entries before the turn, then its own; `places` tells how many of its own lead up to a head. */
type Chain = {
  base: Entry[];
  own: Entry[];
  places: Map<string, number>;
  last: string;
  bytes: number;
  /** What of `bytes` is in the sum. */
  counted: number;
};

type Base = { base_turn: string | null; base_head: string };

const selectBase = query((db, p: { turnId: string }) =>
  db.selectFrom('turns').select(['base_turn', 'base_head']).where('turn_id', '=', p.turnId),
);

export interface Chains {
  /** All entries up to a head. undefined: the turn or the head is not there. */
  upTo(turnId: string, head: string): Tx<Entry[] | undefined>;
  /** After a commit: what was appended need not be read again. */
  extend(turnId: string, links: readonly Link[]): void;
}

export function createChains(maxBytes: number): Chains {
  const chains = new Map<string, Chain>();
  let sum = 0;

  function drop(turnId: string): void {
    sum -= chains.get(turnId)?.counted ?? 0;
    chains.delete(turnId);
  }

  /** Makes it the newest, and lets go of the oldest ones. */
  function keep(turnId: string, chain: Chain): void {
    drop(turnId);
    chains.set(turnId, chain);
    chain.counted = chain.bytes;
    sum += chain.counted;
    for (const oldest of chains.keys()) {
      if (sum <= maxBytes || oldest === turnId) break;
      drop(oldest);
    }
  }

  /** The turn's chain, on those of the session's earlier turns as far as they are not in memory. */
  function* build(turnId: string): Tx<Chain | undefined> {
    const path: { turnId: string; base: Base }[] = [];
    for (let at: string | null = turnId; at !== null && !(at !== turnId && chains.has(at)); ) {
      const base: Base | undefined = yield* first(selectBase, { turnId: at });
      if (!base) return undefined;
      path.unshift({ turnId: at, base });
      at = base.base_turn;
    }
    let chain: Chain | undefined;
    for (const { turnId: at, base } of path) {
      const before: Chain | undefined = chain ?? chains.get(base.base_turn ?? '');
      const entries = base.base_turn === null ? [] : before && cut(before, base.base_head);
      if (!entries) return undefined;
      chain = chainOn(base.base_head, entries);
      grow(chain, yield* linksAfter(at, 0));
    }
    return chain;
  }

  return {
    *upTo(turnId, head) {
      const known = chains.get(turnId);
      if (known && !known.places.has(head)) {
        const links = yield* linksAfter(turnId, known.own.length);
        // Anything else than a continuation: the file is another one than before.
        if (links[0]?.parentHead === known.last) grow(known, links);
        else drop(turnId);
      }
      const chain = chains.get(turnId) ?? (yield* build(turnId));
      if (!chain) return undefined;
      keep(turnId, chain);
      return cut(chain, head);
    },
    extend(turnId, links) {
      const chain = chains.get(turnId);
      if (!chain || links[0]?.parentHead !== chain.last) return;
      grow(chain, links);
      keep(turnId, chain);
    },
  };
}

function chainOn(baseHead: string, base: Entry[]): Chain {
  return { base, own: [], places: new Map([[baseHead, 0]]), last: baseHead, bytes: base.length * 8, counted: 0 };
}

function grow(chain: Chain, links: readonly Link[]): void {
  for (const { head, entry } of links) {
    chain.own.push(entry);
    chain.places.set(head, chain.own.length);
    chain.last = head;
    chain.bytes += sizeOf(entry);
  }
}

function cut(chain: Chain, head: string): Entry[] | undefined {
  const place = chain.places.get(head);
  return place === undefined ? undefined : [...chain.base, ...chain.own.slice(0, place)];
}

/** About what an entry takes in memory. */
function sizeOf(entry: Entry): number {
  const around = 200;
  if (entry.kind === 'user') return around + entry.text.length;
  if (entry.kind === 'results') return entry.results.reduce((sum, result) => sum + around + result.text.length, around);
  const extras = entry.extras === undefined ? 0 : JSON.stringify(entry.extras).length;
  const calls = entry.calls.reduce((sum, call) => sum + around + call.arguments.length, 0);
  return around + entry.text.length + (entry.thinking?.length ?? 0) + extras + calls;
}
