// Values and their ends (C3.4): typed only as the schema says, never cut short.
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../core/json.ts';
import { callsOf, read } from './reading.ts';

function readValue(raw: string, schema: JsonObject | undefined): unknown {
  const parameters = { type: 'object', properties: schema ? { v: schema } : {}, $defs: { word: { type: 'string' } } };
  const text = `<tool_call><invoke name="t"><parameter name="v">${raw}</parameter></invoke></tool_call>`;
  const [call] = callsOf(read(text, [{ name: 't', parameters }]));
  return (call?.args as { v: unknown } | undefined)?.v;
}

describe('types', () => {
  it.for<[string, JsonObject | undefined, unknown]>([
    ['01234', { type: 'string' }, '01234'],
    ['5', { type: 'string' }, '5'],
    ['true', { type: 'string' }, 'true'],
    ['5', undefined, '5'],
    ['5', {}, '5'],
    ['5', { type: 'integer' }, 5],
    [' 5 ', { type: 'integer' }, 5],
    ['01', { type: 'integer' }, '01'],
    ['1.5', { type: 'number' }, 1.5],
    ['five', { type: 'integer' }, 'five'],
    ['True', { type: 'boolean' }, true],
    ['yes', { type: 'boolean' }, 'yes'],
    ['null', { type: ['integer', 'null'] }, null],
    ['5', { type: ['integer', 'string'] }, '5'],
    ['5', { anyOf: [{ type: 'integer' }, { type: 'null' }] }, 5],
    ['5', { $ref: '#/$defs/word' }, '5'],
    ['2', { enum: [1, 2] }, 2],
    ['2', { enum: ['1', '2'] }, '2'],
    ['["a", 1]', { type: 'array' }, ['a', 1]],
    ['{"a": [1]}', { type: 'object' }, { a: [1] }],
    ['[a', { type: 'array' }, '[a'],
    ['raw & <b> </c>', { type: 'string' }, 'raw & <b> </c>'],
    ['\nblock\n', { type: 'string' }, 'block'],
    ['\n  a\n\n  ', { type: 'string' }, '  a\n'],
    ['line\n', { type: 'string' }, 'line\n'],
    ['', { type: 'string' }, ''],
  ])('C3.4 %j as %j is %j', ([raw, schema, value]) => {
    expect(readValue(raw, schema)).toEqual(value);
  });

  it('C1.5 a number that cannot be kept exactly is refused, not changed', () => {
    expect(callsOf(read('<tool_call>{"name":"t","arguments":{"v":12345678901234567890}}</tool_call>', [T]))).toEqual([
      { name: 't', args: 'unreadable' },
    ]);
  });
});

const T = { name: 't', parameters: { type: 'object', properties: { v: { type: 'string' }, w: { type: 'string' } } } };
const inCall = (inner: string) => `<tool_call><invoke name="t">${inner}</invoke></tool_call>`;
const v = (value: string) => `<parameter name="v">${value}</parameter>`;
const w = (value: string) => `<parameter name="w">${value}</parameter>`;

describe('where a value ends', () => {
  it.for<[string, object]>([
    [inCall(v('a</parameter> b')), { v: 'a</parameter> b' }],
    [inCall(v('<parameter>\n x</parameter>')), { v: '<parameter>\n x</parameter>' }],
    [inCall(v('a </invoke> b') + w('c')), { v: 'a </invoke> b', w: 'c' }],
    [inCall(v('a</parameter> b') + w('c</parameter>')), { v: 'a</parameter> b', w: 'c</parameter>' }],
    [inCall(v('<tool_call>{"name":"t"}</tool_call>')), { v: '<tool_call>{"name":"t"}</tool_call>' }],
    [inCall(v('\n<tool_call>\n{}\n</tool_call>\n')), { v: '<tool_call>\n{}\n</tool_call>' }],
    ['<tool_call><t><v>a</v> b</v><w>c</w></t></tool_call>', { v: 'a</v> b', w: 'c' }],
    ['<tool_call>t\n<arg_key>v</arg_key><arg_value>a</arg_value> b</arg_value></tool_call>', { v: 'a</arg_value> b' }],
  ])('C3.4 at the last close tag before what follows: %s', ([text, args]) => {
    expect(callsOf(read(text, [T]))).toEqual([{ name: 't', args }]);
  });

  it.for([
    inCall(v('a</parameter></invoke></tool_call> b')),
    inCall(v('a</parameter></invoke> b')),
    inCall(`<parameter name="v">a${w('b')}`),
    inCall(v(`see ${w('b')}`)),
    inCall(v('a') + v('b')),
    inCall(`${v('a')} and ${w('b')}`),
    `${inCall(v(`a</parameter></invoke></tool_call>\n${inCall(v('b'))} c`))}`,
    `<tool_call><invoke name="t">${v('a')}`,
    '<tool_call>t <arg_key>v</arg_key><arg_value>a',
  ])('C3.4 what cannot be decided is malformed, never cut short: %s', (text) => {
    expect(read(text, [T])).toMatchObject({ kind: 'malformed' });
  });
});

describe('broken calls', () => {
  const good = '<tool_call>{"name":"t","arguments":{"v":"x"}}</tool_call>';
  const calls = (text: string) => callsOf(read(text, [T])).map(({ args }) => (args as { v: string }).v);

  it('C3.4 a call beside a broken one is read, the broken one is named', () => {
    expect(calls(`<tool_call>{"name":"t","arguments":{</tool_call>\n${good}`)).toEqual(['x']);
    expect(calls(`${good}\n<tool_call>{"name":"t","arguments":{"v":"y</tool_call>`)).toEqual(['x']);
    expect(read(`${good}\nSo.\n<tool_call>nothing here</tool_call>\nDone.`, [T])).toMatchObject({
      text: 'So.\n\nDone.',
      dropped: [expect.stringMatching(/could not be read/)],
    });
  });

  it('C3.4 an unknown tool beside a known one is named', () => {
    expect(read(`<tool_call>{"name":"u","arguments":{}}</tool_call>${good}`, [T])).toMatchObject({
      kind: 'calls',
      dropped: ['"u" was not called: there is no tool of that name.'],
    });
  });

  it('C3.4 an open tag in a line break that a string may hold is data', () => {
    const text = `<tool_call>{"name":"t","arguments":{"v":"so:\n<tool_call>{\\"name\\":\\"t\\"}</tool_call>\n"}}</tool_call>`;
    expect(calls(text)).toEqual(['so:\n<tool_call>{"name":"t"}</tool_call>\n']);
  });

  it('C3.4 spelling is left to C1.5: single quotes, trailing commas, raw line breaks', () => {
    expect(calls(`<tool_call>{"name":"t","arguments":{'v':'x',}}</tool_call>`)).toEqual(['x']);
    expect(calls('<tool_call>{"name":"t","arguments":{"v":"a\nb"}}</tool_call>')).toEqual(['a\nb']);
  });

  it('C3.4 arguments that are absent are {}', () => {
    expect(callsOf(read('<tool_call>{"name":"t"}</tool_call>', [T]))).toEqual([{ name: 't', args: {} }]);
    expect(callsOf(read('<tool_call>{"name":"t","arguments":null}</tool_call>', [T]))).toEqual([
      { name: 't', args: {} },
    ]);
  });

  it('C3.4 what is said twice is not read', () => {
    expect(read('<tool_call>{"name":"t","name":"t","arguments":{}}</tool_call>', [T]).kind).toBe('malformed');
    expect(read('<tool_call>{"name":"t","arguments":{},"parameters":{}}</tool_call>', [T]).kind).toBe('malformed');
  });

  it('C3.4 ten thousand calls, deep nests and megabytes are read without harm', () => {
    expect(calls(`${good}\n`.repeat(10_000))).toHaveLength(10_000);
    for (const text of ['['.repeat(1_000_000), '{"a":'.repeat(200_000), '<tool_call>'.repeat(90_000)]) {
      expect(callsOf(read(text, [T]))).toEqual([]);
    }
  });
});
