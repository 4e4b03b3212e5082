// Text from outside, made harmless for a terminal: control and bidirectional characters become visible.

/** Kept as they are: line feed and tab. Everything else that moves, hides or reorders text is named. */
const HARMFUL =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters this file is about
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\u{e0000}-\u{e007f}]/gu;

/**
 * C0 controls and DEL as control pictures (`␛`), all others as `<U+202E>`.
 * A carriage return before a line feed is dropped: it is only a line end of another system.
 */
export function visible(text: string): string {
  return text.replaceAll('\r\n', '\n').replace(HARMFUL, (char) => {
    const code = char.codePointAt(0) ?? 0;
    if (code < 0x20) return String.fromCharCode(0x2400 + code);
    if (code === 0x7f) return '\u2421';
    return `<U+${code.toString(16).toUpperCase().padStart(4, '0')}>`;
  });
}

/** {@link visible} on one line: line feeds and tabs are shown too. */
export function visibleLine(text: string): string {
  return visible(text).replaceAll('\n', '\u240a').replaceAll('\t', ' ');
}
