// C3.10 on schemas that nobody would write: whatever comes in, what goes out is something that a provider takes.
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalJson, type Json, type JsonObject } from '../../../core/json.ts';
import { argumentsBack, convertTool } from '../../../core/schema-convert/convert-tool.ts';
import { GOOGLE_KEYWORDS } from '../../../core/schema-convert/google.ts';
import { KEYWORDS } from '../../../core/schema-convert/keywords.ts';

const NAMES = ['a', 'b', 'type', '__proto__', 'constructor', 'x y'];
const WORDS = [...KEYWORDS, '$ref', '$defs', '$schema', '$id', '$anchor', 'nullable', 'if', 'x-odd', 'items'];
const REFS = ['#', '#/$defs/a', '#/$defs/b', '#/properties/a', '#a', 'http://x.test/', '#/%'];

const { schema } = fc.letrec<{ schema: Json; value: Json }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', maxDepth: 4 },
    fc.constantFrom<Json>(null, true, false, 0, 1, -2.5, '', 'a', 'string', 'object', 'array', 'null', '(?=x)', '('),
    fc.constantFrom<Json>(...REFS),
    fc.array(fc.constantFrom<Json>('a', 'b', 'string', 'null', 'object', 1, '', null), { maxLength: 4 }),
    fc.array(tie('schema'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom(...NAMES), tie('schema'), { maxKeys: 3 }),
    tie('schema'),
  ),
  schema: fc.oneof(
    { depthSize: 'small', maxDepth: 5 },
    fc.constantFrom<Json>(true, false, {}, null, { type: 'string' }, { $ref: '#/$defs/a' }),
    fc.dictionary(fc.constantFrom(...WORDS), tie('value'), { maxKeys: 5 }),
  ),
}));

const root = fc
  .record({
    base: fc.dictionary(fc.constantFrom(...WORDS), schema, { maxKeys: 4 }),
    type: fc.constantFrom<Json>('object', 'object', 'array', ['object', 'null'], 7),
    properties: fc.dictionary(fc.constantFrom(...NAMES), schema, { maxKeys: 4 }),
    required: fc.array(fc.constantFrom(...NAMES, 'none'), { maxLength: 4 }),
    $defs: fc.dictionary(fc.constantFrom('a', 'b'), schema, { maxKeys: 2 }),
  })
  .map(({ base, ...rest }) => ({ ...base, ...rest }) as JsonObject);

const DIALECTS = ['anthropic', 'openai', 'google'] as const;

type Visit = (node: JsonObject) => void;
/** Every node of a converted schema; properties are names, not keywords. */
function visit(node: Json | undefined, seen: Visit): void {
  if (typeof node !== 'object' || node === null || Array.isArray(node)) return;
  seen(node);
  for (const key of ['properties', 'patternProperties']) {
    for (const each of Object.values((node[key] ?? {}) as JsonObject)) visit(each, seen);
  }
  for (const key of ['anyOf', 'oneOf', 'allOf', 'prefixItems']) {
    for (const each of (node[key] ?? []) as Json[]) visit(each, seen);
  }
  for (const key of ['items', 'additionalProperties', 'not']) visit(node[key], seen);
}

const convert = (dialect: (typeof DIALECTS)[number], parameters: JsonObject) =>
  convertTool(dialect, { name: 't', description: 'd', parameters }).parameters;

describe.each(DIALECTS)('C3.10 any schema for %s', (dialect) => {
  const check = (test: (converted: JsonObject, original: JsonObject) => void) =>
    fc.assert(
      fc.property(root, (original) => test(convert(dialect, original), original)),
      { numRuns: 400 },
    );

  it('has an object at the root, without conditions', () => {
    check((converted) => {
      expect(converted.type).toBe('object');
      expect(typeof converted.properties).toBe('object');
      for (const key of ['anyOf', 'oneOf', 'allOf', 'enum', 'not', '$ref']) expect(converted).not.toHaveProperty(key);
    });
  });

  it('requires nothing that is not described, at any depth', () => {
    check((converted) =>
      visit(converted, ({ required = [], properties = {} }) => {
        for (const name of required as string[]) expect(Object.hasOwn(properties as object, name)).toBe(true);
      }),
    );
  });

  it('holds no keyword that it should not, at any depth', () => {
    const known = new Set(dialect === 'google' ? GOOGLE_KEYWORDS : KEYWORDS);
    check((converted) =>
      visit(converted, (node) => expect(Object.keys(node).filter((key) => !known.has(key))).toEqual([])),
    );
  });

  it('is the same each time, leaves the original as it was, and stays small', () => {
    check((converted, original) => {
      const before = canonicalJson(original);
      expect(convert(dialect, original)).toEqual(converted);
      expect(canonicalJson(original)).toBe(before);
      expect(JSON.stringify(converted).length).toBeLessThan(2_000_000);
    });
  });

  it('is plain data that a validator can read', () => {
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    check((converted) => {
      expect(JSON.parse(JSON.stringify(converted))).toEqual(converted);
      if (dialect !== 'google') expect([ajv.validateSchema(converted), ajv.errors]).toEqual([true, null]);
    });
  });
});

it('C3.10 Google: one type a node, items in every array, texts in enums, at any depth', () => {
  fc.assert(
    fc.property(root, (original) => {
      visit(convert('google', original), (node) => {
        if (node.type !== undefined) expect(typeof node.type).toBe('string');
        if (node.type === 'array') expect(typeof node.items).toBe('object');
        for (const value of (node.enum ?? []) as Json[]) expect([typeof value, value !== '']).toEqual(['string', true]);
        if (node.enum !== undefined) expect((node.enum as Json[]).length).toBeGreaterThan(0);
      });
    }),
    { numRuns: 400 },
  );
});

it('C3.10 Google: an array with a fixed value has items all the same', () => {
  const parameters: JsonObject = {
    type: 'object',
    properties: { a: { type: 'array', const: [] }, b: { type: 'array', enum: [[1], [2]] } },
  };
  const { a, b } = convert('google', parameters).properties as Record<string, JsonObject>;
  expect([a?.items, b?.items]).toEqual([{}, {}]);
});

it('C3.10 one odd tool never changes or removes another', () => {
  const good = {
    name: 'good',
    description: 'd',
    parameters: { type: 'object', properties: { a: { type: 'string' } } },
  };
  fc.assert(
    fc.property(root, fc.constantFrom(...DIALECTS), (odd, dialect) => {
      const alone = convertTool(dialect, good);
      const both = [{ ...good, name: 'odd', parameters: odd }, good].map((tool) => convertTool(dialect, tool));
      expect(both.map(({ name }) => name)).toEqual(['odd', 'good']);
      expect(both[1]).toEqual(alone);
    }),
    { numRuns: 200 },
  );
});

it('C3.10 what comes back differs from what was sent only where a text stood for a number', () => {
  fc.assert(
    fc.property(root, fc.jsonValue({ maxDepth: 4 }), (original, value) => {
      const back = argumentsBack('google', original, value as Json);
      const textOf = (each: unknown) => JSON.stringify(each, (_, v) => (typeof v === 'number' ? String(v) : v));
      expect(textOf(back)).toBe(textOf(value));
    }),
    { numRuns: 300 },
  );
});

it('C3.10 nesting without end ends', () => {
  let deep: JsonObject = {};
  for (let n = 0; n < 5_000; n++)
    deep = { type: 'object', properties: { x: deep }, anyOf: [{ type: 'array', items: deep }] };
  for (const dialect of DIALECTS) expect(convert(dialect, deep).type).toBe('object');
});
