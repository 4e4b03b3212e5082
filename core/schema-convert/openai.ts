/** OpenAI: an object at the root; `strict` only where the schema is already what strict mode asks for. */
import { canonicalJson, type JsonObject } from '../json.ts';
import { propertiesOf, textsOf, typesOf } from './node.ts';
import { objectRoot } from './object-root.ts';
import type { Converted } from './types.ts';
import { everyNode, someNode } from './walk.ts';
import { writeOut } from './write-out.ts';

export function toOpenAi(schema: JsonObject): Converted {
  const { node, notes } = objectRoot(writeOut(schema));
  const parameters = everyNode(node, withoutLookaround);
  // Anything that the first pass had to change, and any condition in words, is a loss.
  const whole = notes.length === (typeof schema.description === 'string' ? 1 : 0) && isSame(schema, parameters);
  return { parameters, notes, strict: whole && !someNode(parameters, (each) => !isStrict(each)) };
}

/** Its matcher knows neither of these; the original still holds for what comes back. */
function withoutLookaround(node: JsonObject): JsonObject {
  if (typeof node.pattern !== 'string' || !/\(\?(?:[=!]|<[=!])/.test(node.pattern)) return node;
  const { pattern: _, ...rest } = node;
  return rest;
}

/** `title`, `$schema` and the root's own words are no constraints. */
function isSame(original: JsonObject, converted: JsonObject): boolean {
  const { $schema: _, title: __, description: ___, ...rest } = original;
  return canonicalJson(rest) === canonicalJson(converted);
}

const STRICT_KEYWORDS = new Set([
  'type',
  'description',
  'enum',
  'const',
  'properties',
  'required',
  'additionalProperties',
  'items',
  'anyOf',
  'pattern',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minItems',
  'maxItems',
]);

function isStrict(node: JsonObject): boolean {
  if (Object.keys(node).length === 0 || Object.keys(node).some((key) => !STRICT_KEYWORDS.has(key))) return false;
  const types = typesOf(node);
  if (types.length === 0 && node.anyOf === undefined && node.enum === undefined && node.const === undefined)
    return false;
  if (types.includes('array') && node.items === undefined) return false;
  if (!types.includes('object')) return true;
  const required = textsOf(node.required);
  return node.additionalProperties === false && propertiesOf(node).every(([name]) => required.includes(name));
}
