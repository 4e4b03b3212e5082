/** Which stored texts a turn may read on (C7.3): those that a result of its own conversation named, no others of the store. */
import { readOnHint } from './bound-result.ts';
import type { Entry } from './transcript.ts';

/** @param entries the turn's transcript, its session's earlier turns included */
export function wasTold(entries: readonly Entry[], ref: string): boolean {
  const hint = readOnHint(ref);
  return entries.some((entry) => entry.kind === 'results' && entry.results.some(({ text }) => text.includes(hint)));
}
