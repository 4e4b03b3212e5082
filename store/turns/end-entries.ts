/** Which of the entries that come with a turn's end the store does not have yet (its workflow may not know what was stored last). */
import type { Entry } from '../../core/transcript.ts';
import type { Tx } from '../database.ts';
import { fold } from '../transcript/folded.ts';
import { type Following, following } from '../transcript/standing.ts';
import type { Turn } from './row.ts';

/** An end brings a round, messages and a cut text; the store can be ahead by no more than that. */
const LOOK_BACK = 200;

type Given = { entry: Entry; body: string };

export function* stillLacking(turn: Turn, entries: readonly Entry[]): Tx<Entry[]> {
  const there = yield* following(turn, Math.max(0, turn.entry_count - LOOK_BACK));
  const given = entries.map((entry) => ({ entry, body: fold(entry).body }));
  return withoutOrphans(there, afterKnown(there, given)).map(({ entry }) => entry);
}

function afterKnown(there: Following[], given: Given[]): Given[] {
  const known = given.findIndex((one) => there.some((row) => sameStep(row, one)));
  if (known < 0) {
    let overlap = Math.min(there.length, given.length);
    while (overlap > 0 && !there.slice(-overlap).every((row, i) => row.body === given[i]?.body)) overlap--;
    return given.slice(overlap);
  }
  let place = there.findIndex((row) => sameStep(row, given[known] as Given)) + 1;
  for (let i = known + 1; i < given.length; i++) {
    const [row, one] = [there[place++], given[i] as Given];
    if (!row) return given.slice(i);
    // The head has moved on by itself: what the store has is the truth.
    if (row.body !== one.body && !sameStep(row, one)) return [];
  }
  return [];
}

/** A turn has one message and one round of each step. */
function sameStep(row: Following, { entry }: Given): boolean {
  return entry.kind !== 'user' && row.kind === entry.kind && row.step === entry.step;
}

/** A round goes with the message just before it, or nowhere. */
function withoutOrphans(there: Following[], given: Given[]): Given[] {
  let last: { kind: string; step: number | null } | undefined = there.at(-1);
  return given.filter(({ entry }) => {
    const step = entry.kind === 'user' ? null : entry.step;
    if (entry.kind === 'results' && !(last?.kind === 'assistant' && last.step === step)) return false;
    last = { kind: entry.kind, step };
    return true;
  });
}
