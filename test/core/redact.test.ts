// Held values are scrubbed exactly, also across chunk borders; patterns are masked where text is rendered (C9.1).
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json } from '../../core/json.ts';
import { createScrubber } from '../../core/redact.ts';
import { redactPatterns, redactPatternsJson } from '../../core/redact-patterns.ts';
import { caseOf } from '../support/cases.ts';

const KEY = 'sk-live-abcdefgh';
const LONGER = `${KEY}-and-more`;
const scrubber = createScrubber(['short', KEY, LONGER, 'with "quotes" & blanks']);

describe('held values', () => {
  it('C9.1 are replaced by a placeholder with the number of their place, the longest first', () => {
    expect(scrubber.scrub(`a ${KEY} b ${LONGER} c`)).toBe('a [REDACTED:k2] b [REDACTED:k3] c');
  });

  it('C9.1 under 8 characters are left alone', () => {
    expect(scrubber.scrub('a short word')).toBe('a short word');
  });

  it('C9.1 are found as JSON and URLs spell them', () => {
    const spelt = `{"x":"with \\"quotes\\" & blanks"} ?q=with%20%22quotes%22%20%26%20blanks`;
    expect(scrubber.scrub(spelt)).toBe('{"x":"[REDACTED:k4]"} ?q=[REDACTED:k4]');
  });

  it('C9.1 are replaced at any depth of a value, in keys too', () => {
    const value = { [KEY]: [{ deep: `x${KEY}` }, 1, null], kept: 'a' };
    expect(scrubber.scrubJson(value)).toEqual({ '[REDACTED:k2]': [{ deep: 'x[REDACTED:k2]' }, 1, null], kept: 'a' });
    const clean: Json = { a: ['b'] };
    expect(scrubber.scrubJson(clean)).toBe(clean);
  });

  it('C9.1 a call that holds one, or a placeholder, can be told', () => {
    expect(scrubber.containsHeldOrPlaceholder(`{"k":"${KEY}"}`)).toBe(true);
    expect(scrubber.containsHeldOrPlaceholder('echo [REDACTED:k7]')).toBe(true);
    expect(scrubber.containsHeldOrPlaceholder('echo [REDACTED]')).toBe(false);
    expect(scrubber.containsHeldOrPlaceholder('echo [REDACTED:k7]')).toBe(true);
  });

  it('C9.1 none held: nothing changes', () => {
    const none = createScrubber([]);
    expect([none.scrub(KEY), none.scrubJson({ a: KEY }), none.stream().push(KEY)]).toEqual([KEY, { a: KEY }, KEY]);
  });
});

describe('a stream', () => {
  it('C9.1 holds back only what may begin a held value', () => {
    const stream = scrubber.stream();
    expect(stream.push('the key is s')).toBe('the key is ');
    expect(stream.push('k-l')).toBe('');
    expect(stream.push('ater')).toBe('sk-later');
    expect(stream.push(KEY)).toBe('');
    expect(stream.push('.')).toBe('[REDACTED:k2].');
    expect(stream.push('sk-')).toBe('');
    expect(stream.end()).toBe('sk-');
    expect(stream.push('x')).toBe('x');
  });

  it('C9.1 gives the same as the whole text, in any cut', () => {
    // Few letters, so that values overlap each other and themselves.
    const value = fc.string({ unit: fc.constantFrom('a', 'b', '\\', '"'), minLength: 8, maxLength: 12 });
    const cut = fc.record({
      values: fc.array(value, { maxLength: 4 }),
      noise: fc.array(fc.oneof(value, fc.constantFrom('a', 'b', 'ab', ' ')), { maxLength: 12 }),
      cuts: fc.array(fc.nat(100), { maxLength: 10 }),
    });
    fc.assert(
      fc.property(cut, ({ values, noise, cuts }) => {
        const scrub = createScrubber(values);
        const text = [...noise, ...values].join('');
        const stream = scrub.stream();
        const at = [...new Set([0, ...cuts.map((each) => each % (text.length + 1))])].sort((a, b) => a - b);
        const out = at.map((from, n) => stream.push(text.slice(from, at[n + 1]))).join('') + stream.end();
        expect(out).toBe(scrub.scrub(text));
        for (const each of values) expect(out).not.toContain(each);
      }),
      { numRuns: 4_000 },
    );
  });
});

describe('patterns', () => {
  it.for<[string, string]>([
    ['https://user:hunter2222@db.test/x', 'https://user:[REDACTED:k1]@db.test/x'],
    ['GET https://a.test/v1?key=FAKE-8888&alt=sse', 'GET https://a.test/v1?key=[REDACTED:k1]&alt=sse'],
    ['https://a.test/?access_token=abc&sig=12ab34', 'https://a.test/?access_token=abc&sig=[REDACTED:k1]'],
    ['Authorization: Bearer abcdefghij', 'Authorization: Bearer [REDACTED:k1]'],
    ['sent Bearer FAKE-3333 along', 'sent Bearer [REDACTED:k1] along'],
    ['bot_token=xoxb-fake-0000-1111', 'bot_token=xoxb[REDACTED:k1]'],
    ['password: "correct horse battery"', 'password: "corr[REDACTED:k1]"'],
    ['{"api_key":"abcd1234"}', '{"api_key":"[REDACTED:k1]"}'],
    ['{\\"clientSecret\\":\\"abcd1234\\"}', '{\\"clientSecret\\":\\"[REDACTED:k1]\\"}'],
    ['use sk-1234567890abcdef1234', 'use sk-1[REDACTED:k1]'],
    ['AKIAABCDEFGHIJKLMNOP', 'AKIA[REDACTED:k1]'],
    ['eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln', 'eyJh[REDACTED:k1]'],
    [
      '-----BEGIN PRIVATE KEY-----\nabc\n-----END PRIVATE KEY-----',
      '-----BEGIN PRIVATE KEY-----[REDACTED:k1]-----END PRIVATE KEY-----',
    ],
    ['-----BEGIN RSA PRIVATE KEY-----\nnever ends', '-----BEGIN RSA PRIVATE KEY-----[REDACTED:k1]'],
    ['a=[REDACTED:k3] token=abcdefgh', 'a=[REDACTED:k3] token=[REDACTED:k4]'],
    ['token=abcdefgh token=abcdefgh secret=zyxwvuts', 'token=[REDACTED:k1] token=[REDACTED:k1] secret=[REDACTED:k2]'],
  ])('C9.1 masks %s', ([text, masked]) => {
    expect(redactPatterns(text)).toBe(masked);
    expect(redactPatterns(masked)).toBe(masked);
  });

  it.for([
    'max_tokens: 500, total_tokens=1234',
    'Unexpected token: check the syntax',
    'a basic understanding of the token',
    'the secretary: Anna',
    'sha256 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
    'https://example.test/path?page=2&sort=name',
    'user@example.test',
    'password: null, token: true',
    '-----BEGIN CERTIFICATE-----',
  ])('C9.1 leaves "%s" alone', (text) => {
    expect(redactPatterns(text)).toBe(text);
  });

  it('C9.1 masks what stands under a credential-like key of a value', () => {
    expect(
      redactPatternsJson({ api_key: 'abcdefgh', nested: [{ Authorization: 'x y z 1 2' }], to: 'a@example.test' }),
    ).toEqual({
      api_key: '[REDACTED:k1]',
      nested: [{ Authorization: '[REDACTED:k2]' }],
      to: 'a@example.test',
    });
  });

  it('C9.1 masking again changes nothing, whatever the text', () => {
    const word = fc.constantFrom(
      'token',
      '=',
      ':',
      ' ',
      '"',
      'Bearer ',
      'sk-',
      'abcdefgh1234',
      '://a:',
      '@',
      '?key=',
      'password',
      '\n',
      '-----BEGIN RSA PRIVATE KEY-----',
      '-----END ',
      "'",
      '\\',
      'eyJ',
      '.',
      'authorization',
    );
    fc.assert(
      fc.property(fc.array(word, { maxLength: 14 }), (words) => {
        const once = redactPatterns(words.join(''));
        expect(redactPatterns(once)).toBe(once);
      }),
      { numRuns: 4_000 },
    );
  });

  it('C9.1 a megabyte of the worst kind is only read once', () => {
    for (const piece of [
      'a',
      'token',
      'key=',
      '://a:',
      'eyJ',
      'sk-',
      '"',
      '?key=',
      'bearer ',
      'token: ',
      '-----BEGIN RSA PRIVATE KEY-----',
      'authorization:',
      '\\"',
      "'",
    ]) {
      const text = piece.repeat(Math.ceil(1_000_000 / piece.length));
      expect(redactPatterns(text).length).toBeGreaterThan(0);
    }
  });
});

describe('cases', () => {
  const rendered = (value: Json): string => JSON.stringify(redactPatternsJson(value));
  const expectAbsent = (text: string, secrets: string[]) => {
    for (const secret of secrets) expect(text).not.toContain(secret);
  };

  it('B88 C9.1 arguments and results in events', () => {
    const { input, expected } = caseOf('B88');
    expectAbsent(rendered(input.events), expected.must_not_appear);
    expect(rendered(input.events)).toContain('a@example.test');
  });

  it('B89 C9.1 headers in what is rendered', () => {
    const { headers } = caseOf('B89').input.mcp_server;
    expectAbsent(rendered(headers), ['FAKE-3333']);
  });

  it('B91 C9.1 keys in addresses of errors', () => {
    const { input, expected } = caseOf('B91');
    expectAbsent(redactPatterns(input.exception), expected.must_not_appear);
    expect(redactPatterns(input.exception)).toContain('llm.example.test/v1/models/m:generate');
  });

  it('B92 C9.1 output of a tool, and the rest of it stays', () => {
    const { input, expected } = caseOf('B92');
    const text = redactPatterns(input.events[0].content);
    expectAbsent(text, expected.must_not_appear);
    for (const each of expected.must_appear) expect(text).toContain(each);
  });
});
