/** Cutting text where a reader would: between graphemes, never inside a media marker. Looks only near the cut, so size does not matter. */

/** How far around a cut is looked for a safe place to start; longer runs of combining marks may be cut. */
const NEAR = 256;
const MARKER_LENGTH = 2048;
const MARKER = /\[(?:image|audio|video|voice|document|file|media)\s*:[^\]\n]*\]/iy;

/** Made when it is first needed: few texts are ever cut. */
let segmenter: Intl.Segmenter | undefined;

/** The nearest good end of a head at or before `at` (UTF-16 units). */
export function cutBefore(text: string, at: number): number {
  return goodCut(text, at)[0];
}

/** The nearest good start of a tail at or after `at` (UTF-16 units). */
export function cutAfter(text: string, at: number): number {
  return goodCut(text, at)[1];
}

/** The good cuts on both sides of a place; both are the place itself when it is one. */
function goodCut(text: string, at: number): [number, number] {
  if (at <= 0) return [0, 0];
  if (at >= text.length) return [text.length, text.length];
  const marker = markerAround(text, at);
  return marker ?? graphemeAround(text, at);
}

function markerAround(text: string, at: number): [number, number] | undefined {
  const start = text.lastIndexOf('[', at - 1);
  if (start === -1 || at - start > MARKER_LENGTH) return undefined;
  MARKER.lastIndex = start;
  const found = MARKER.exec(text.length > start + 2 * MARKER_LENGTH ? text.slice(0, start + 2 * MARKER_LENGTH) : text);
  if (!found) return undefined;
  const end = start + found[0].length;
  return at < end ? [start, end] : undefined;
}

function graphemeAround(text: string, at: number): [number, number] {
  const from = safeStart(text, at);
  const near = text.slice(from, Math.min(text.length, at + NEAR));
  let before = from;
  segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' });
  for (const { index } of segmenter.segment(near)) {
    const boundary = from + index;
    if (boundary === at) return [at, at];
    if (boundary > at) return [before, boundary];
    before = boundary;
  }
  return [before, Math.min(text.length, at + NEAR)];
}

/** A boundary for certain: two plain ASCII characters in a row. Segmenting from the middle of a cluster would lie. */
function safeStart(text: string, at: number): number {
  const lowest = Math.max(0, at - NEAR);
  for (let start = at - 1; start > lowest; start -= 1) {
    if (isPlain(text.charCodeAt(start)) && isPlain(text.charCodeAt(start - 1))) return start;
  }
  if (isFlagPart(text, at - 1)) return flagsStart(text, at - 1);
  const unit = text.charCodeAt(lowest);
  return lowest > 0 && unit >= 0xdc00 && unit <= 0xdfff ? lowest + 1 : lowest;
}

/** Flags are pairs of letters, so only the beginning of their row tells which belong together. */
function flagsStart(text: string, at: number): number {
  let start = at;
  while (start > 0 && isFlagPart(text, start - 1)) start -= 1;
  return start;
}

function isFlagPart(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  return unit === 0xd83c
    ? isFlagPart(text, at + 1)
    : unit >= 0xdde6 && unit <= 0xddff && text.charCodeAt(at - 1) === 0xd83c;
}

const isPlain = (unit: number): boolean => unit >= 0x20 && unit < 0x7f;

/** `text` cut to at most `limit` UTF-16 units at a grapheme boundary, with `…` when something was left out. */
export function shorten(text: string, limit: number): string {
  return text.length <= limit ? text : `${text.slice(0, cutBefore(text, limit - 1))}…`;
}
