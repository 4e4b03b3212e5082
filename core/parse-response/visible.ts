/** What a person sees of a text from which protocol was cut. */
import type { Slice } from './json-scan.ts';

/**
 * The text without the stretches given, in order. Blanks around a cut become one break, so that two pieces of prose
 * never make a new word, or a new marker. What stands before the first cut is kept as it is, but for blanks at its end.
 */
export function withoutSlices(text: string, slices: readonly Slice[]): string {
  const shown: string[] = [];
  let from = 0;
  /** Blanks since the last piece that says something. */
  let gap = '';
  for (const { from: cut, to } of [...slices, { from: text.length, to: text.length }]) {
    const piece = text.slice(from, cut);
    const said = from === 0 ? piece.trimEnd() : piece.trim();
    gap += leading(piece);
    if (said !== '') {
      if (shown.length > 0) shown.push(gap.includes('\n') ? '\n\n' : ' ');
      shown.push(said);
      gap = trailing(piece);
    }
    from = Math.max(from, to);
  }
  return shown.join('');
}

const leading = (piece: string): string => piece.slice(0, piece.length - piece.trimStart().length);
const trailing = (piece: string): string => piece.slice(piece.trimEnd().length);
