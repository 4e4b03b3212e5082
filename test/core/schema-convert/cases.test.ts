// C3.10 on the collected schemas that vendors refused, and on those that are known to be odd.
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../../../core/json.ts';
import { argumentsBack, convertTool } from '../../../core/schema-convert/convert-tool.ts';
import type { SchemaDialect } from '../../../core/schema-convert/types.ts';
import { caseOf, casesOf } from '../../support/cases.ts';

const DIALECTS = ['anthropic', 'openai', 'google'] as const;
const convert = (dialect: SchemaDialect, parameters: unknown) =>
  convertTool(dialect, { name: 't', description: 'Does it.', parameters: parameters as JsonObject });
// biome-ignore lint/suspicious/noExplicitAny: schemas are looked at by path
const properties = (dialect: SchemaDialect, schema: unknown): any => convert(dialect, schema).parameters.properties;
const property = (dialect: SchemaDialect, schema: unknown) =>
  properties(dialect, { type: 'object', properties: { x: schema } }).x;

describe('C3.10 the cases', () => {
  it('B107 no condition at the root for any provider; it stands in the description; the original still judges', () => {
    const { input, expected } = caseOf('B107');
    for (const dialect of DIALECTS) {
      const { description, parameters } = convert(dialect, input.schema);
      for (const key of expected.forbidden_at_root) expect(parameters).not.toHaveProperty(key);
      expect(Object.keys(parameters.properties as object)).toEqual(['version', 'from', 'to']);
      expect(description).toMatch(/^Does it\.\n\n.*at least one of.*"required":\["version"\]/s);
    }
    const judge = new Ajv2020({ strict: false }).compile(input.schema);
    expect([judge({}), judge({ to: 'x' })]).toEqual([false, true]);
  });

  it('B109 a list of types is a choice with nullable, consts are an enum', () => {
    expect(properties('google', caseOf('B109').input.schema)).toEqual({
      value: { anyOf: [{ type: 'string' }, { type: 'number' }], nullable: true },
      kind: { type: 'string', enum: ['a', 'b'] },
    });
  });

  it('B110 every array has items', () => {
    expect(properties('google', caseOf('B110').input.schema)).toEqual({
      rows: { type: 'array', items: { type: 'array', items: { type: 'string' } } },
      tags: { type: 'array', items: { type: 'string' } },
    });
  });

  it('B112 no enum holds an empty text, and none is empty', () => {
    const { filters } = properties('google', caseOf('B112').input.schema);
    expect(filters.items.properties.operator).toEqual({ type: 'string', enum: ['eq', 'neq'] });
    expect(property('google', { type: 'string', enum: [''] })).toEqual({ type: 'string' });
  });

  it('B113 what required names is there', () => {
    expect(convert('google', caseOf('B113').input.schema).parameters).toEqual({
      type: 'object',
      properties: { prompt: { type: 'string' }, threadId: { type: 'string', nullable: true } },
      required: ['prompt', 'threadId'],
    });
  });

  it('has met every case of its kind', () => {
    expect(casesOf('schema_quirks').map(({ id }) => id)).toEqual(['B107', 'B109', 'B110', 'B112', 'B113']);
  });
});

describe('C3.10 the root', () => {
  it.for<[string, unknown]>([
    ['nothing', {}],
    ['a list', { type: 'array', items: { type: 'string' } }],
    ['a text', { type: 'string', enum: ['a'] }],
    ['an object without properties', { type: 'object' }],
    ['a reference', { $ref: '#/$defs/none' }],
    ['itself', { $ref: '#' }],
  ])('is an object with properties, whatever it was: %s', ([, schema]) => {
    for (const dialect of DIALECTS)
      expect(convert(dialect, schema).parameters).toEqual({ type: 'object', properties: {} });
  });

  it('shows the properties of its branches; what every branch requires is required', () => {
    const branch = (kind: string, extra: string) => ({
      type: 'object',
      properties: { kind: { const: kind }, [extra]: { type: 'string' } },
      required: ['kind', extra],
    });
    const { parameters } = convert('anthropic', { oneOf: [branch('file', 'path'), branch('url', 'address')] });
    expect(parameters).toEqual({
      type: 'object',
      properties: {
        kind: { anyOf: [{ const: 'file' }, { const: 'url' }] },
        path: { type: 'string' },
        address: { type: 'string' },
      },
      required: ['kind'],
    });
    const google = convert('google', { oneOf: [branch('file', 'path'), branch('url', 'address')] });
    expect((google.parameters.properties as JsonObject).kind).toEqual({ type: 'string', enum: ['file', 'url'] });
  });

  it('what all of several schemas require is required', () => {
    const { parameters } = convert('openai', {
      allOf: [
        { properties: { a: { type: 'string' } }, required: ['a'] },
        { properties: { b: { type: 'integer' } }, required: ['b'] },
      ],
    });
    expect(parameters).toEqual({
      type: 'object',
      properties: { a: { type: 'string' }, b: { type: 'integer' } },
      required: ['a', 'b'],
    });
  });
});

describe('C3.10 references', () => {
  it('are written out, with what stands beside them', () => {
    const schema = {
      type: 'object',
      properties: { from: { $ref: '#/$defs/place', description: 'Where from.' }, to: { $ref: '#/definitions/a~1b' } },
      $defs: { place: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] } },
      definitions: { 'a/b': { type: 'integer' } },
    };
    for (const dialect of DIALECTS) {
      expect(properties(dialect, schema)).toEqual({
        from: {
          type: 'object',
          properties: { city: { type: 'string' } },
          required: ['city'],
          description: 'Where from.',
        },
        to: { type: 'integer' },
      });
      expect(convert(dialect, schema).parameters).not.toHaveProperty('$defs');
    }
  });

  it('by anchor and by name are followed; those that point away are not', () => {
    const schema = {
      type: 'object',
      properties: { a: { $ref: '#mark' }, b: { $ref: 'item' }, c: { $ref: 'https://elsewhere.test/x.json' } },
      $defs: { one: { $anchor: 'mark', type: 'string' }, two: { $id: 'item', type: 'boolean' } },
    };
    expect(properties('anthropic', schema)).toEqual({ a: { type: 'string' }, b: { type: 'boolean' }, c: {} });
  });

  it('that come back to themselves are cut', () => {
    const node = { type: 'object', properties: { value: { type: 'string' }, next: { $ref: '#/$defs/node' } } };
    for (const dialect of DIALECTS) {
      const { list } = properties(dialect, {
        type: 'object',
        properties: { list: { $ref: '#/$defs/node' } },
        $defs: { node },
      });
      expect(list.properties.next).toEqual({ type: 'object', description: expect.stringContaining('again') });
    }
  });

  it('that double at each level end', () => {
    const $defs = Object.fromEntries(
      Array.from({ length: 40 }, (_, n) => [
        `d${n}`,
        {
          type: 'object',
          properties: { l: { $ref: `#/$defs/d${n + 1}` }, r: { $ref: `#/$defs/d${n + 1}` } },
        },
      ]),
    );
    for (const dialect of DIALECTS) {
      const text = JSON.stringify(
        convert(dialect, { type: 'object', properties: { x: { $ref: '#/$defs/d0' } }, $defs }),
      );
      expect(text.length).toBeLessThan(500_000);
    }
  });
});

describe('C3.10 Google', () => {
  it.for<[string, unknown, unknown]>([
    ['a number enum', { enum: [1, 2.5] }, { type: 'string', enum: ['1', '2.5'] }],
    ['a const', { const: 'a' }, { type: 'string', enum: ['a'] }],
    ['null alone', { type: 'null' }, { type: 'string', nullable: true }],
    ['an enum with null', { enum: ['a', null] }, { type: 'string', enum: ['a'], nullable: true }],
    ['a boolean const', { const: true }, { type: 'boolean', description: 'One of: [true]' }],
    ['an enum of objects', { enum: [{ a: 1 }] }, { description: 'One of: [{"a":1}]' }],
    ['a choice with null', { anyOf: [{ type: 'string' }, { type: 'null' }] }, { type: 'string', nullable: true }],
    [
      'oneOf',
      { oneOf: [{ type: 'string' }, { type: 'integer' }] },
      { anyOf: [{ type: 'string' }, { type: 'integer' }] },
    ],
    ['true', true, {}],
    ['anything in an array', { type: 'array', items: true }, { type: 'array', items: {} }],
    [
      'a tuple',
      { type: 'array', prefixItems: [{ type: 'string' }, { type: 'number' }] },
      { type: 'array', items: { anyOf: [{ type: 'string' }, { type: 'number' }] } },
    ],
    ['an older tuple', { type: 'array', items: [{ type: 'string' }] }, { type: 'array', items: { type: 'string' } }],
    ['a format', { type: 'string', format: 'email' }, { type: 'string', description: 'Format: email' }],
    ['a known format', { type: 'string', format: 'date-time' }, { type: 'string', format: 'date-time' }],
    ['unknown keywords', { type: 'string', $comment: 'x', 'x-y': 1, examples: ['a'], title: 'T' }, { type: 'string' }],
    ['additionalProperties', { type: 'object', additionalProperties: false }, { type: 'object' }],
    [
      'a condition inside',
      { type: 'object', properties: { a: { type: 'string' } }, anyOf: [{ required: ['a'] }] },
      { type: 'object', properties: { a: { type: 'string' } }, required: ['a'], description: expect.any(String) },
    ],
    [
      'allOf inside',
      { allOf: [{ type: 'string', minLength: 1 }, { description: 'A name.' }] },
      { type: 'string', minLength: 1, description: 'A name.' },
    ],
  ])('%s', ([, schema, converted]) => {
    expect(property('google', schema)).toEqual(converted);
  });

  it('a property may be named like a keyword', () => {
    const names = ['type', 'enum', 'const', '$ref', 'required', 'additionalProperties', 'constructor', '__proto__'];
    const schema = {
      type: 'object',
      properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])),
      required: names,
    };
    for (const dialect of ['google', 'openai'] as const) {
      const { parameters } = convert(dialect, schema);
      expect(Object.keys(parameters.properties as object)).toEqual(names);
      expect(parameters.required).toEqual(names);
    }
  });

  it('numbers of an enum come back as numbers, wherever they stand', () => {
    const schema: JsonObject = {
      type: 'object',
      properties: {
        level: { enum: [1, 2] },
        mixed: { enum: ['1', 1] },
        free: { anyOf: [{ type: 'string' }, { const: 3 }] },
        rows: { type: 'array', items: { $ref: '#/$defs/row' } },
        pair: { type: 'array', prefixItems: [{ const: 7 }, { type: 'string' }] },
      },
      $defs: { row: { oneOf: [{ properties: { n: { const: 5 } } }, { properties: { n: { const: 6 } } }] } },
    };
    const args: Json = {
      level: '2',
      mixed: '1',
      free: '3',
      rows: [{ n: '6' }, { n: 'x' }],
      pair: ['7', '7'],
      more: '1',
    };
    expect(argumentsBack('google', schema, args)).toEqual({
      level: 2,
      mixed: '1',
      free: '3',
      rows: [{ n: 6 }, { n: 'x' }],
      pair: [7, '7'],
      more: '1',
    });
    expect(argumentsBack('anthropic', schema, args)).toBe(args);
    const same: Json = { level: 2 };
    expect(argumentsBack('google', schema, same)).toBe(same);
  });
});

describe('C3.10 OpenAI', () => {
  const exact = {
    type: 'object',
    properties: { path: { type: 'string', description: 'The file.' }, mode: { enum: ['r', 'w'] } },
    required: ['path', 'mode'],
    additionalProperties: false,
  };

  it('is strict where the schema is exactly what strict mode asks for', () => {
    expect(convert('openai', { $schema: 'x', description: 'About.', ...exact })).toMatchObject({ strict: true });
  });

  it.for<[string, unknown]>([
    ['an optional property', { ...exact, required: ['path'] }],
    ['an open object', { ...exact, additionalProperties: true }],
    ['a keyword that strict mode lacks', { ...exact, minProperties: 1 }],
    ['a condition', { ...exact, anyOf: [{ required: ['path'] }] }],
    [
      'a reference',
      { ...exact, properties: { path: { $ref: '#/$defs/p' }, mode: {} }, $defs: { p: { type: 'string' } } },
    ],
    ['anything', { ...exact, properties: { path: {}, mode: {} } }],
    ['an unknown keyword', { ...exact, 'x-order': 1 }],
    [
      'an open object inside',
      { ...exact, properties: { path: { type: 'object', properties: {} }, mode: { type: 'string' } } },
    ],
  ])('is not strict where something would be lost: %s', ([, schema]) => {
    expect(convert('openai', schema)).toMatchObject({ strict: false });
  });

  it('leaves out patterns that its matcher does not know', () => {
    expect(property('openai', { type: 'string', pattern: '^(?!x)a' })).toEqual({ type: 'string' });
    expect(property('anthropic', { type: 'string', pattern: '^(?!x)a' })).toEqual({
      type: 'string',
      pattern: '^(?!x)a',
    });
  });
});

describe('C3.10 Anthropic', () => {
  it('a property whose name it refuses is told in words', () => {
    const { parameters } = convert('anthropic', {
      type: 'object',
      properties: { 'größe in cm': { type: 'integer' }, ok: { type: 'string' } },
      required: ['größe in cm', 'ok'],
    });
    expect(parameters).toEqual({
      type: 'object',
      properties: { ok: { type: 'string' } },
      required: ['ok'],
      description: 'Also takes "größe in cm": {"type":"integer"}',
    });
  });

  it('older drafts are written in today’s words', () => {
    expect(property('anthropic', { type: 'number', minimum: 0, exclusiveMinimum: true })).toEqual({
      type: 'number',
      exclusiveMinimum: 0,
    });
    expect(property('anthropic', { type: 'string', nullable: true })).toEqual({ type: ['string', 'null'] });
  });
});
