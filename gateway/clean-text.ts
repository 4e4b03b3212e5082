/** Text that a person gives to the model in place of a result (C5.3): no control characters, a bounded number of bytes. */

export const TEXT_BYTES = 65_536;
export const NOTE_BYTES = 4_096;

/** Without control characters other than newline, CR and tab; cut at `most` bytes of UTF-8 on a character boundary. */
export function cleanText(text: string, most = TEXT_BYTES): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
  const clean = text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g, '');
  // Half a surrogate pair has no UTF-8; it becomes U+FFFD here.
  const bytes = Buffer.from(clean, 'utf8');
  let end = Math.min(most, bytes.length);
  // 10xxxxxx continues a character that began earlier.
  while (end > 0 && end < bytes.length && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return bytes.subarray(0, end).toString('utf8');
}

export const byteLength = (text: string) => Buffer.byteLength(text, 'utf8');
