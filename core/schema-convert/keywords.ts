/** The keywords that are understood, and which values of them make sense. Everything else is left out. */
import type { Json, JsonObject } from '../json.ts';
import { own, TYPES, textsOf } from './node.ts';

type Read = (value: Json) => Json | undefined;

const text: Read = (value) => (typeof value === 'string' ? value : undefined);
const flag: Read = (value) => (typeof value === 'boolean' ? value : undefined);
const number: Read = (value) => (typeof value === 'number' && Number.isFinite(value) ? value : undefined);
const count: Read = (value) =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
const positive: Read = (value) => (typeof value === 'number' && value > 0 ? number(value) : undefined);
const list: Read = (value) => (Array.isArray(value) && value.length > 0 ? value : undefined);

const type: Read = (value) => {
  const known = textsOf(Array.isArray(value) ? value : [value]).filter((each) => TYPES.includes(each as never));
  return known.length > 1 ? known : known[0];
};

const pattern: Read = (value) => (typeof value === 'string' && isPattern(value) ? value : undefined);

/** Keywords whose value is no schema. */
const PLAIN: Record<string, Read> = {
  title: text,
  description: text,
  type,
  enum: list,
  const: (value) => value,
  default: (value) => value,
  format: text,
  pattern,
  minLength: count,
  maxLength: count,
  minimum: number,
  maximum: number,
  exclusiveMinimum: number,
  exclusiveMaximum: number,
  multipleOf: positive,
  minItems: count,
  maxItems: count,
  uniqueItems: flag,
  minProperties: count,
  maxProperties: count,
};

/** Keywords that hold schemas, and `required`. */
export const STRUCTURE = [
  'properties',
  'required',
  'patternProperties',
  'additionalProperties',
  'items',
  'prefixItems',
  'allOf',
  'anyOf',
  'oneOf',
  'not',
] as const;

export const KEYWORDS: readonly string[] = [...Object.keys(PLAIN), ...STRUCTURE];

/** The plain keywords of a node, in one order whatever the original's, older spellings in today's. */
export function plainKeywords(node: JsonObject): JsonObject {
  const modern = withExclusiveNumbers(node);
  const known = Object.entries(PLAIN).flatMap(([key, read]) => {
    const value = own(modern, key);
    const kept = value === undefined ? undefined : read(value);
    return kept === undefined ? [] : [[key, kept] as const];
  });
  return withNullable(Object.fromEntries(known), own(node, 'nullable') === true);
}

/** An older draft marks `minimum` as exclusive with a flag beside it. */
function withExclusiveNumbers(node: JsonObject): JsonObject {
  const out = { ...node };
  for (const [bound, exclusive] of [
    ['minimum', 'exclusiveMinimum'],
    ['maximum', 'exclusiveMaximum'],
  ] as const) {
    if (own(node, exclusive) !== true || typeof own(node, bound) !== 'number') continue;
    out[exclusive] = node[bound] as number;
    delete out[bound];
  }
  return out;
}

/** OpenAPI's way to say that null is fine. */
function withNullable(node: JsonObject, nullable: boolean): JsonObject {
  if (!nullable || node.type === undefined) return node;
  const types = [...new Set([...textsOf(Array.isArray(node.type) ? node.type : [node.type]), 'null'])];
  const values = Array.isArray(node.enum) && !node.enum.includes(null) ? { enum: [...node.enum, null] } : {};
  return { ...node, type: types, ...values };
}

export function isPattern(source: string): boolean {
  try {
    return new RegExp(source, 'u') !== undefined;
  } catch {
    return false;
  }
}
