/** The entries of one turn in memory, on those of the turns before it. */
import type { Entry } from '../../core/transcript.ts';
import type { Link } from './link.ts';

/** `places` tells how many of the turn's own entries lead up to a head. */
export type Chain = { base: Entry[]; own: Entry[]; places: Map<string, number>; last: string; bytes: number };

export function chainOn(baseHead: string, base: Entry[]): Chain {
  return { base, own: [], places: new Map([[baseHead, 0]]), last: baseHead, bytes: base.length * 8 };
}

export function grow(chain: Chain, links: readonly Link[]): void {
  for (const { head, entry } of links) {
    chain.own.push(entry);
    chain.places.set(head, chain.own.length);
    chain.last = head;
    chain.bytes += sizeOf(entry);
  }
}

/** A copy of all entries up to a head of this turn; undefined when it has no such head. */
export function cut(chain: Chain, head: string): Entry[] | undefined {
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
