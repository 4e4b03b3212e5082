/** Values written as text (XML, GLM): they become what the schema says and nothing else (C3.4), so `01234` stays text. */
import type { Json, JsonObject } from '../json.ts';
import { scanJson } from './json-scan.ts';

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
/** References within a schema that are followed before it counts as saying nothing. */
const MAX_HOPS = 8;

/** A tool's schema, and one of its parameters. */
export type ValueSchema = { root: JsonObject | undefined; key: string };

/**
 * @returns JSON text; a value that is not what the schema asks for stays a string, and the schema check says so
 * @param unsaid what a value is when the schema says nothing of its type
 */
export function typedJson(text: string, { root, key }: ValueSchema, unsaid: 'text' | 'json' = 'text'): string {
  const types = root ? typesOf(propertyOf(root, key), root, 0) : [];
  const value = text.trim();
  if (types.length === 0) return unsaid === 'json' && isJson(value) ? value : JSON.stringify(text);
  if (types.includes('string')) return JSON.stringify(text);
  if ((types.includes('number') || types.includes('integer')) && NUMBER.test(value)) return value;
  if (types.includes('boolean') && /^(?:true|false)$/i.test(value)) return value.toLowerCase();
  if (types.includes('null') && value === 'null') return value;
  if (types.includes('object') && value.startsWith('{') && isJson(value)) return value;
  if (types.includes('array') && value.startsWith('[') && isJson(value)) return value;
  return JSON.stringify(text);
}

/** `{"k":v,…}` of values that are JSON text already. */
export function argumentsText(values: ReadonlyMap<string, string>): string {
  return `{${[...values].map(([key, value]) => `${JSON.stringify(key)}:${value}`).join(',')}}`;
}

/** The text of a value in a tag. One that begins with a line break was laid out as a block: its ends are layout. */
export function valueText(raw: string): string {
  const block = /^\r?\n/.exec(raw);
  if (!block) return raw;
  const inner = raw.slice(block[0].length);
  const last = inner.lastIndexOf('\n');
  if (last === -1 || inner.slice(last).trim() !== '') return inner;
  return inner.slice(0, inner[last - 1] === '\r' ? last - 1 : last);
}

function isJson(value: string): boolean {
  const { closed, at } = scanJson(value, 0);
  return closed && at === value.length;
}

function propertyOf({ properties }: JsonObject, key: string): Json | undefined {
  return isObject(properties) && Object.hasOwn(properties, key) ? properties[key] : undefined;
}

function typesOf(schema: Json | undefined, root: JsonObject, hops: number): string[] {
  if (!isObject(schema) || hops > MAX_HOPS) return [];
  const { type, anyOf, oneOf, allOf, $ref } = schema;
  if (typeof type === 'string') return [type];
  if (Array.isArray(type)) return type.filter((each) => typeof each === 'string');
  if (typeof $ref === 'string') return typesOf(pointed(root, $ref), root, hops + 1);
  const choices = [anyOf, oneOf, allOf].find(Array.isArray);
  if (choices) return choices.slice(0, 32).flatMap((choice) => typesOf(choice, root, hops + 4));
  const values = Array.isArray(schema.enum)
    ? schema.enum
    : Object.hasOwn(schema, 'const')
      ? [schema.const ?? null]
      : [];
  return values.map(typeOfValue);
}

function pointed(root: JsonObject, reference: string): Json | undefined {
  if (!reference.startsWith('#/')) return undefined;
  let at: Json | undefined = root;
  for (const step of reference.slice(2).split('/')) {
    if (!isObject(at)) return undefined;
    const key: string = step.replaceAll('~1', '/').replaceAll('~0', '~');
    at = Object.hasOwn(at, key) ? at[key] : undefined;
  }
  return at;
}

function typeOfValue(value: Json): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
