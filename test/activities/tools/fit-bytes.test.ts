import { describe, expect, it } from 'vitest';
import { fitBytes } from '../../../activities/tools/fit-bytes.ts';

describe('C9.6 a text fits the store by bytes', () => {
  it.each([
    ['short', 'abc', 100],
    ['one byte a character', 'x'.repeat(5000), 1000],
    ['three bytes a character', '€'.repeat(5000), 1000],
    ['pairs of units', '🙂'.repeat(5000), 1000],
  ])('%s', (_, text, max) => {
    const fit = fitBytes(text, max);
    expect(Buffer.byteLength(fit)).toBeLessThanOrEqual(max);
    expect(fit).not.toMatch(/\p{Surrogate}/u);
    if (Buffer.byteLength(text) <= max) expect(fit).toBe(text);
    else expect(fit).toContain('characters left out');
  });
});
