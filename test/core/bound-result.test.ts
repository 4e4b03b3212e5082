import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { boundResult, RESULT_CAP, resultText } from '../../core/bound-result.ts';

const REF = 'a'.repeat(64);

describe('C7.3 bounding a result', () => {
  it('leaves alone what fits', () => {
    expect(boundResult('abc', 3)).toEqual({ text: 'abc', omitted: 0 });
    expect(boundResult('', 10)).toEqual({ text: '', omitted: 0 });
  });

  it('keeps two thirds of the head and a third of the tail, and says how to read on', () => {
    const whole = Array.from({ length: 2000 }, (_, index) => `line ${index}\n`).join('');
    const { text, omitted } = boundResult(whole, 1000, REF);
    const [, said, offset] =
      /\[… (\d+) characters left out; read on with result_read \{"ref":"a{64}","offset":(\d+)\} …\]/.exec(text) ?? [];
    expect(Number(said)).toBe(omitted);
    const [head = '', tail = ''] = text.split(/\n\[….*…\]\n/);
    expect(whole.startsWith(head)).toBe(true);
    expect(whole.endsWith(tail)).toBe(true);
    expect(head.length).toBe(Number(offset));
    expect(head.length + tail.length + omitted).toBe(whole.length);
    expect(head.length / tail.length).toBeCloseTo(2, 1);
    expect(text.length).toBeLessThanOrEqual(1000);
  });

  it('counts the line toward the limit, whatever the limit and the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 2000 }), fc.integer({ min: 1, max: 1500 }), (whole, max) => {
        const { text, omitted } = boundResult(whole, max, REF);
        expect(text.length).toBeLessThanOrEqual(Math.max(max, 0));
        expect(omitted > 0).toBe(whole.length > max);
      }),
    );
  });

  it.each([
    ['an emoji with skin tone and joiners', '👩🏽‍🚀'],
    ['a flag', '🇩🇰'],
    ['combining marks', 'e\u0301\u0323'],
    ['a surrogate pair', '𝒳'],
    ['a line break of two characters', '\r\n'],
  ])('never cuts %s', (_, unit) => {
    for (let shift = 0; shift < unit.length; shift += 1) {
      const whole = 'x'.repeat(shift) + unit.repeat(3000);
      const { text } = boundResult(whole, 1000);
      const [head = '', tail = ''] = text.split(/\n\[….*…\]\n/);
      expect(head.slice(shift).replaceAll(unit, '')).toBe('');
      expect(tail.replaceAll(unit, '')).toBe('');
    }
  });

  it('never cuts inside a media marker', () => {
    const marker = `[image: image/png, 12345 bytes, ${REF}]`;
    for (let shift = 0; shift < marker.length; shift += 1) {
      const whole = 'x'.repeat(shift) + marker.repeat(200);
      const { text } = boundResult(whole, 1000);
      const [head = '', tail = ''] = text.split(/\n\[….*…\]\n/);
      expect(head.slice(shift).replaceAll(marker, '')).toBe('');
      expect(tail.replaceAll(marker, '')).toBe('');
    }
  });

  it('takes 0 as the cap of the engine', () => {
    expect(boundResult('x'.repeat(RESULT_CAP), 0).omitted).toBe(0);
    expect(boundResult('x'.repeat(RESULT_CAP + 1), 0).text.length).toBeLessThanOrEqual(RESULT_CAP);
    expect(boundResult('x'.repeat(3 * RESULT_CAP), 2 * RESULT_CAP).text.length).toBeLessThanOrEqual(RESULT_CAP);
  });
});

describe('C7.1 the text of a result', () => {
  it.each([
    [{ success: true, output: '' }, '(no output)'],
    [{ success: true, output: 'a' }, 'a'],
    [{ success: false, output: '', error: 'boom' }, 'Error: boom'],
    [{ success: false, output: 'half', error: 'boom' }, 'Error: boom\nhalf'],
  ])('%j → %s', (result, text) => {
    expect(resultText(result)).toBe(text);
  });
});
