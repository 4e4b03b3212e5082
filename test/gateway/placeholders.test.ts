// C5.3: a scrubbed placeholder at the same path means the original value; any other placeholder is refused.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { redactPatternsJson } from '../../core/redact-patterns.ts';
import { hiddenParts } from '../../gateway/hidden-parts.ts';
import { restorePlaceholders } from '../../gateway/placeholders.ts';

const scrub = { json: redactPatternsJson };
const SECRET = 'sk-abcdefghijklmnop';

describe('C5.3 hidden parts', () => {
  it('finds what each placeholder stands for', () => {
    const found = hiddenParts('a=one, b=two', 'a=[REDACTED:k1], b=[REDACTED:k2]');
    expect([...(found ?? [])]).toEqual([
      ['[REDACTED:k1]', 'one'],
      ['[REDACTED:k2]', 'two'],
    ]);
  });

  it.each([
    ['texts that do not fit', 'a=one', 'b=[REDACTED:k1]'],
    ['more than one way to fit', 'x,y,z', '[REDACTED:k1],[REDACTED:k2]'],
    ['one placeholder for two values', 'a=one b=two', 'a=[REDACTED:k1] b=[REDACTED:k1]'],
    ['nothing behind a placeholder', 'a=', 'a=[REDACTED:k1]'],
  ])('%s: no guess', (_, original, scrubbed) => {
    expect(hiddenParts(original, scrubbed)).toBeUndefined();
  });
});

describe('C5.3 restoring', () => {
  const original = { path: 'a.env', content: `api_key=${SECRET}\nmode=slow`, list: [{ token: SECRET }] };

  it('an edit that leaves every placeholder gives the original', () => {
    const shown = redactPatternsJson(original) as typeof original;
    expect(JSON.stringify(shown)).not.toContain('abcdefghijklmnop');
    expect(restorePlaceholders(original, shown, scrub)).toEqual({ ok: true, args: original });
  });

  it('a placeholder may be replaced by a value, or dropped', () => {
    const edited = { path: 'a.env', content: 'api_key=new', list: [] };
    expect(restorePlaceholders(original, edited, scrub)).toEqual({ ok: true, args: edited });
  });

  it.each([
    ['at another path', { path: '[REDACTED:k1]', content: 'x' }],
    ['of another number', { path: 'a.env', content: 'api_key=[REDACTED:k7]' }],
    ['in a field that was not there', { extra: '[REDACTED:k1]' }],
    ['as the name of a field', { '[REDACTED:k1]': 'x' }],
    ['in a list that was shorter', { list: [{ token: 'x' }, { token: '[REDACTED:k1]' }] }],
    ['of an old form', { path: '[redacted]' }],
  ])('%s it is refused', (_, edited) => {
    expect(restorePlaceholders(original, edited, scrub).ok).toBe(false);
  });

  it('whatever is edited, no placeholder ever comes out', () => {
    const text = fc.constantFrom('plain', '[REDACTED:k1]', 'x[REDACTED:k2]y', SECRET, `token=${SECRET}`);
    const args = fc.dictionary(fc.constantFrom('a', 'b', 'token'), fc.oneof(text, fc.array(text, { maxLength: 3 })));
    fc.assert(
      fc.property(args, args, (before, after) => {
        const clean = JSON.parse(JSON.stringify(before).replaceAll('[REDACTED', 'RED'));
        const restored = restorePlaceholders(clean, after, scrub);
        return !restored.ok || !JSON.stringify(restored.args).includes('[REDACTED');
      }),
      { numRuns: 2_000 },
    );
  });
});
