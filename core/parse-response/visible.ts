/** What a person sees of a text from which protocol was cut. */
import type { Slice } from './json-scan.ts';

/**
 * The text without the stretches given, in order. Blanks around a cut become one break, so that two pieces of prose
 * never make a new word, or a new marker. What stands before the first cut is kept as it is, but for blanks at its end.
 */
export function withoutSlices(text: string, slices: readonly Slice[]): string {
  let shown = '';
  let from = 0;
  let broken = false;
  const add = (piece: string, gap: string) => {
    const said = from === 0 ? piece.trimEnd() : piece.trim();
    if (said === '') return void (broken ||= gap.includes('\n'));
    shown += shown === '' ? said : `${broken || gap.includes('\n') ? '\n\n' : ' '}${said}`;
    broken = false;
  };
  let gap = '';
  for (const slice of slices) {
    const piece = text.slice(from, slice.from);
    add(piece, gap + leading(piece));
    gap = trailing(piece);
    from = Math.max(slice.to, from);
  }
  const rest = text.slice(from);
  add(rest, gap + leading(rest));
  return shown;
}

const leading = (piece: string): string => piece.slice(0, piece.length - piece.trimStart().length);
const trailing = (piece: string): string => piece.slice(piece.trimEnd().length);
