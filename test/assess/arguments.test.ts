import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readArguments, unreadableText } from '../../assess/read-arguments.ts';

describe('C1.5 reading arguments', () => {
  it.each([[undefined], [null], [''], ['  \n'], ['{}'], ['null'], [{}]])('B31 %j means {}', (raw) => {
    expect(readArguments(raw)).toEqual({ kind: 'object', value: {}, repaired: false });
  });

  it.each([
    ['{"a": 1}', { a: 1 }],
    ['  {"a": [1, {"b": null}]} \n', { a: [1, { b: null }] }],
    [{ a: 1 }, { a: 1 }],
  ])('takes %j as it is', (raw, value) => {
    expect(readArguments(raw)).toEqual({ kind: 'object', value, repaired: false });
  });

  it.each([
    ["{'a': 'x'}", { a: 'x' }],
    ['{a: 1}', { a: 1 }],
    ['{"a": 1,}', { a: 1 }],
    ['{"a": 1 "b": 2}', { a: 1, b: 2 }],
    ['{"a": [1, 2,],}', { a: [1, 2] }],
    ['{“a”: “x”}', { a: 'x' }],
    ['```json\n{"a": 1}\n```', { a: 1 }],
    ['```\n{"a": 1,}\n```', { a: 1 }],
    ['{"a": "two\nlines"}', { a: 'two\nlines' }],
    ['{"a": "tab\there"}', { a: 'tab\there' }],
    ['{"a": "say "hi" now"}', { a: 'say "hi" now' }],
  ])('repairs the spelling of %s, and says so', (raw, value) => {
    expect(readArguments(raw)).toEqual({ kind: 'object', value, repaired: true });
  });

  it.each([
    '{"a": "x',
    '{"a": "x"',
    '{"a": [1, 2',
    '{"a": {"b": 1}',
    '{',
    "{'a': 'x",
    '{"command": "rm -rf /tmp/x',
    '```json\n{"a": 1',
  ])('never closes what is open: %s', (raw) => {
    const read = readArguments(raw);
    expect(read.kind).toBe('incomplete');
    if (read.kind === 'incomplete') expect(unreadableText(read)).toMatch(/^arguments incomplete/);
  });

  it.each([
    'hello',
    '[1]',
    '"x"',
    '5',
    'true',
    '{"a": }',
    '{"a"}',
    '{"a":1}}',
    '{"a":1} {"b":2}',
    '{"a":1} and more',
    '{"a":1]',
    '{"a": 1, ...}',
    "{'x': 'don't'}",
  ])('is never {} for garbage, and invents nothing: %s', (raw) => {
    expect(readArguments(raw).kind).toBe('unreadable');
  });

  it.each([[[1]], [5], [true]])('refuses the value %j', (raw) => {
    expect(readArguments(raw).kind).toBe('unreadable');
  });

  it('refuses a number that would silently become another', () => {
    expect(readArguments('{"chat": 12345678901234567890}')).toMatchObject({
      kind: 'unreadable',
      why: expect.stringContaining('string'),
    });
    expect(readArguments('{"n": 1e999}').kind).toBe('unreadable');
    expect(readArguments('{"chat": "12345678901234567890", "pi": 3.141592653589793}').kind).toBe('object');
  });

  it('refuses what is nested without end', () => {
    expect(readArguments('{"a":'.repeat(100_000)).kind).not.toBe('object');
    expect(readArguments(`${'{"a":'.repeat(200)}1${'}'.repeat(200)}`).kind).toBe('unreadable');
  });

  it('never changes what is valid, and never throws', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 })), (value) => {
        const text = JSON.stringify(value);
        const read = readArguments(text);
        if (read.kind === 'object') expect(read).toEqual({ kind: 'object', value: JSON.parse(text), repaired: false });
      }),
    );
    fc.assert(fc.property(fc.string(), (text) => void readArguments(text)));
  });

  it('never runs a beginning of a call', () => {
    const text = JSON.stringify({ command: 'echo "a, {b}" > c', list: [1, { x: 'y' }], last: "it's" });
    for (let end = 1; end < text.length; end += 1) {
      expect(readArguments(text.slice(0, end)).kind, text.slice(0, end)).not.toBe('object');
    }
  });
});
