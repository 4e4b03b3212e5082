import { describe, expect, it } from 'vitest';
import { invalidText, validateArguments } from '../../assess/validate.ts';
import type { JsonObject } from '../../core/json.ts';

const schema: JsonObject = {
  type: 'object',
  properties: {
    city: { type: 'string' },
    days: { type: 'integer', minimum: 1 },
    unit: { enum: ['c', 'f'] },
    when: { type: 'string', format: 'date' },
    list: { type: 'array', items: { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] } },
  },
  required: ['city'],
  additionalProperties: false,
};

const faults = (args: JsonObject, of = schema) => {
  const said = validateArguments(of, args);
  return said.kind === 'invalid' ? said.faults : said.kind;
};

describe('C1.5 checking arguments', () => {
  it('accepts what fits', () => {
    expect(faults({ city: 'Oslo', days: 2, unit: 'c', when: '2026-01-31', list: [{ n: 1 }] })).toBe('valid');
  });

  it.each<[JsonObject, string]>([
    [{}, '"city" is missing; it is required'],
    [{ city: 5 }, 'city: send a string, not an integer'],
    [{ city: null }, 'city: send a string, not null'],
    [
      { city: 'x', days: '2' },
      'days: send an integer, not a string (no quotes around numbers, booleans, objects or arrays)',
    ],
    [{ city: 'x', days: 1.5 }, 'days: send an integer, not a number with a fraction'],
    [{ city: 'x', days: 0 }, 'days: must be >= 1'],
    [{ city: 'x', unit: 'k' }, 'unit: send one of "c", "f"'],
    [{ city: 'x', when: 'soon' }, 'when: send text in the format "date"'],
    [{ city: 'x', extra: 1 }, '"extra" is not a parameter; leave it out'],
    [{ city: 'x', list: [{ n: 1 }, {}] }, 'list[1]: "n" is missing; it is required'],
    [
      { city: 'x', list: '[]' },
      'list: send an array, not a string (no quotes around numbers, booleans, objects or arrays)',
    ],
  ])('%j: %s', (args, fault) => {
    expect(faults(args)).toContain(fault);
  });

  it('lists every fault by path, and coerces nothing', () => {
    const args = { days: '2', extra: true };
    expect(faults(args)).toHaveLength(3);
    expect(args).toEqual({ days: '2', extra: true });
    expect(invalidText('weather', { kind: 'invalid', faults: ['a', 'b'] })).toContain('- a\n- b');
  });

  it('keeps the list short', () => {
    const args = { city: 'x', list: Array.from({ length: 500 }, () => ({})) };
    expect(faults(args)).toHaveLength(11);
  });
});

describe('C1.5 schemas of others', () => {
  it('a schema that does not compile fails its own calls only, with a clear result', () => {
    const bad: JsonObject = { type: 'object', properties: { a: { type: 'text' } } };
    const said = validateArguments(bad, {});
    expect(said.kind).toBe('bad_schema');
    if (said.kind === 'bad_schema') expect(invalidText('mine', said)).toContain('the other tools are not affected');
    expect(faults({ city: 'x' })).toBe('valid');
  });

  it('a pattern that never ends is stopped', () => {
    const slow: JsonObject = { type: 'object', properties: { a: { type: 'string', pattern: '^(a+)+$' } } };
    expect(validateArguments(slow, { a: `${'a'.repeat(50)}b` }).kind).toBe('bad_schema');
    expect(validateArguments(slow, { a: 'aaa' }).kind).toBe('valid');
  });

  it('a schema that doubles with each step is stopped', () => {
    const defs: JsonObject = { d0: { type: 'object' } };
    for (let step = 1; step <= 40; step += 1) {
      const one = { $ref: `#/$defs/d${step - 1}` };
      defs[`d${step}`] = { allOf: [one, { ...one, title: 'again' }] };
    }
    expect(['bad_schema', 'invalid', 'valid']).toContain(
      validateArguments({ type: 'object', $defs: defs, $ref: '#/$defs/d40' }, {}).kind,
    );
  });

  it('two schemas with one $id do not answer for each other', () => {
    const one: JsonObject = { $id: 'https://example.org/x', type: 'object', required: ['a'] };
    const two: JsonObject = { $id: 'https://example.org/x', type: 'object', required: ['b'] };
    expect(faults({ a: 1 }, one)).toBe('valid');
    expect(faults({ b: 1 }, two)).toBe('valid');
    expect(faults({ a: 1 }, two)).toEqual(['"b" is missing; it is required']);
  });

  it.each<[string, JsonObject]>([
    ['draft-07', { $schema: 'http://json-schema.org/draft-07/schema#', type: 'object', definitions: { x: {} } }],
    [
      'unknown keywords',
      { type: 'object', 'x-mine': 1, properties: { a: { type: 'string', format: 'nonsense', nullable: true } } },
    ],
    ['nothing but a type', { type: 'object' }],
    ['a property of a dangerous name', { type: 'object', properties: { constructor: { type: 'string' } } }],
  ])('%s is fine', (_, given) => {
    expect(validateArguments(given, {}).kind).toBe('valid');
  });
});
