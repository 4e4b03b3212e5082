/** Later turns see the rounds of the last turns of a session; of older ones the words remain (C12.5). */
import type { Entry } from './transcript.ts';

/** Turns before the current one whose calls and results are still sent. */
export const KEEP_TOOL_CONTEXT_TURNS = 2;

export function olderTurnsAsText(entries: readonly Entry[], keep = KEEP_TOOL_CONTEXT_TURNS): readonly Entry[] {
  const from = startOfKept(entries, keep);
  if (from <= 0) return entries;
  const older = entries.slice(0, from).flatMap((entry): Entry[] => {
    if (entry.kind === 'results') return [];
    if (entry.kind === 'user') return [entry];
    const { step, text, model, cut } = entry;
    return [{ kind: 'assistant', step, text, calls: [], model, ...(cut ? { cut } : {}) }];
  });
  return [...older, ...entries.slice(from)];
}

/** Where the oldest turn begins that is kept whole: the current one and `keep` before it. */
function startOfKept(entries: readonly Entry[], keep: number): number {
  let turns = 0;
  for (let at = entries.length - 1; at >= 0; at--) {
    const entry = entries[at];
    if (entry?.kind === 'user' && entry.via === 'start' && ++turns > keep) return at;
  }
  return 0;
}
