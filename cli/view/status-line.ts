// The one line below the text that is drawn again: what runs now, and for how long. Terminals only.
import { elapsed } from '../durations.ts';
import { visibleLine } from '../printable.ts';
import { fitColumns } from '../text-width.ts';
import type { ViewState } from './render.ts';

/** '' when there is nothing to wait for. Never wider than `columns`. */
export function statusLine(state: ViewState, now: number, columns: number): string {
  if (state.phase.word === 'ended') return '';
  return fitColumns(visibleLine(wordsFor(state, now)), columns);
}

function wordsFor(state: ViewState, now: number): string {
  const tools = [...state.running.values()];
  const waits = state.asked.size;
  const parts: string[] = [];
  if (waits > 0) parts.push(`⏸ ${waits} waiting for a decision`);
  for (const { tool, since, progress } of tools.slice(0, 3)) {
    const last = progress.trimEnd().split('\n').at(-1) ?? '';
    parts.push(`⏳ ${tool} ${elapsed(now - since)}${last === '' ? '' : ` · ${last}`}`);
  }
  if (tools.length > 3) parts.push(`and ${tools.length - 3} more`);
  if (parts.length > 0) return parts.join('  ');
  const { word, since } = state.phase;
  return since === 0 ? `… ${word}` : `… ${word} ${elapsed(now - since)}`;
}
