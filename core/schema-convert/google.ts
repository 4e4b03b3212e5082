/**
 * Google: OpenAPI's subset. One type a node with `nullable` beside it, texts in enums, `items` in every array, nothing
 * that it does not know. What cannot be said is said in words or left to the original, which alone validates.
 */
import type { Json, JsonObject } from '../json.ts';
import { enumNode, valuesOf } from './google-values.ts';
import { mergeCombinators } from './merge.ts';
import { distinct, isObject, joined, nodesOf, pick, propertiesOf, textsOf, typesOf, without } from './node.ts';
import { objectRoot } from './object-root.ts';
import type { Converted } from './types.ts';
import { writeOut } from './write-out.ts';

export const GOOGLE_KEYWORDS = [
  'type',
  'description',
  'nullable',
  'enum',
  'format',
  'properties',
  'required',
  'items',
  'anyOf',
  'minItems',
  'maxItems',
  'minLength',
  'maxLength',
  'pattern',
  'minimum',
  'maximum',
];

export function toGoogle(schema: JsonObject): Converted {
  const { node, notes } = objectRoot(writeOut(schema));
  return { parameters: { properties: {}, ...googleNode(node) }, notes };
}

function googleNode(original: JsonObject): JsonObject {
  const node = withoutAllOf(original);
  const values = valuesOf(node);
  const branches = [...nodesOf(node.anyOf), ...nodesOf(node.oneOf)];
  const nullable =
    typesOf(node).includes('null') || values?.includes(null) === true || branches.some((each) => isNull(each));
  const said = isObjectNode(node, branches) ? objectNode(node) : valueNode(node, values, branches);
  const description = joined(node.description, said.description);
  return {
    ...without(said, 'description', 'nullable'),
    ...(description === '' ? {} : { description }),
    ...(nullable || said.nullable === true ? { nullable: true } : {}),
  };
}

/** What must match all of several things is described as one. */
function withoutAllOf(node: JsonObject): JsonObject {
  const parts = nodesOf(node.allOf).map(withoutAllOf);
  if (parts.length === 0) return node;
  const all = [without(node, 'allOf'), ...parts];
  const merged: JsonObject = Object.assign({}, ...all.toReversed());
  const properties = Object.fromEntries(all.toReversed().flatMap(propertiesOf));
  const required = [...new Set(all.flatMap((each) => textsOf(each.required)))];
  return {
    ...merged,
    ...(Object.keys(properties).length > 0 ? { properties } : {}),
    ...(required.length > 0 ? { required } : {}),
  };
}

const isNull = (node: JsonObject): boolean =>
  node.type === 'null' || (Object.hasOwn(node, 'const') && node.const === null);

/** An object of its own, whatever its conditions; a mere choice between shapes stays a choice. */
function isObjectNode(node: JsonObject, branches: readonly JsonObject[]): boolean {
  const types = typesOf(node).filter((type) => type !== 'null');
  if (types.length > 1 || (types.length === 1 && types[0] !== 'object')) return false;
  return isObject(node.properties) || (types[0] === 'object' && branches.length === 0);
}

function objectNode(node: JsonObject): JsonObject {
  const { node: whole, notes } = mergeCombinators(node);
  const properties = propertiesOf(whole).map(([name, schema]) => [name, googleNode(schema)] as const);
  const names = new Set(properties.map(([name]) => name));
  const required = textsOf(whole.required).filter((name) => names.has(name));
  return {
    type: 'object',
    ...(properties.length > 0 ? { properties: Object.fromEntries(properties) } : {}),
    ...(required.length > 0 ? { required } : {}),
    ...(notes.length > 0 ? { description: notes.join('\n') } : {}),
  };
}

function valueNode(node: JsonObject, values: Json[] | undefined, branches: readonly JsonObject[]): JsonObject {
  const types = typesOf(node).filter((type) => type !== 'null');
  if (values) return enumNode(values, types);
  const choices = branches.filter((each) => !isNull(each));
  if (choices.length > 0) return choiceOf(choices.map((each) => googleNode(inherited(each, types))));
  const [type, ...others] = types.includes('number') ? types.filter((each) => each !== 'integer') : types;
  if (type === undefined) return typesOf(node).includes('null') ? { type: 'string' } : inferred(node);
  return others.length === 0 ? typed(node, type) : choiceOf([type, ...others].map((each) => typed(node, each)));
}

/** `{ type: string, anyOf: [{ pattern }, …] }`: the branches mean that type. */
const inherited = (branch: JsonObject, types: readonly string[]): JsonObject =>
  types.length === 1 && branch.type === undefined ? { ...branch, type: types[0] as string } : branch;

function inferred(node: JsonObject): JsonObject {
  if (node.items !== undefined || node.prefixItems !== undefined) return typed(node, 'array');
  if (node.pattern !== undefined || node.minLength !== undefined || node.maxLength !== undefined)
    return typed(node, 'string');
  return node.minimum !== undefined || node.maximum !== undefined ? typed(node, 'number') : {};
}

/** Enums side by side are one enum; a single choice is none; a choice that holds "anything" is anything. */
function choiceOf(choices: readonly JsonObject[]): JsonObject {
  const left = distinct(choices.map((each) => without(each, 'nullable')));
  const nullable = choices.some((each) => each.nullable === true) ? { nullable: true } : {};
  if (left.some((each) => Object.keys(each).length === 0)) return nullable;
  if (left.length === 1) return { ...left[0], ...nullable };
  if (left.every((each) => each.type === 'string' && Array.isArray(each.enum))) {
    const description = joined(...left.map((each) => each.description));
    const all = { type: 'string', enum: [...new Set(left.flatMap((each) => textsOf(each.enum)))] };
    return { ...all, ...(description === '' ? {} : { description }), ...nullable };
  }
  return { anyOf: left, ...nullable };
}

const FORMATS: Record<string, readonly string[]> = {
  string: ['date-time'],
  number: ['float', 'double'],
  integer: ['int32', 'int64'],
};

function typed(node: JsonObject, type: string): JsonObject {
  if (type === 'object') return objectNode(without(node, 'anyOf', 'oneOf'));
  if (type === 'array') return { type, ...pick(node, 'minItems', 'maxItems'), items: itemsOf(node) };
  if (type === 'boolean') return { type };
  const { format } = node;
  const isKnown = typeof format === 'string' && FORMATS[type]?.includes(format) === true;
  const words = typeof format === 'string' && !isKnown && type === 'string' ? { description: `Format: ${format}` } : {};
  const bounds = type === 'string' ? pick(node, 'minLength', 'maxLength', 'pattern') : pick(node, 'minimum', 'maximum');
  return { type, ...bounds, ...(isKnown ? { format } : {}), ...words };
}

/** Without a word on the items they are texts: an array without `items` is refused. */
function itemsOf(node: JsonObject): JsonObject {
  const tuple = nodesOf(node.prefixItems).map(googleNode);
  if (isObject(node.items)) tuple.push(googleNode(node.items));
  return tuple.length === 0 ? { type: 'string' } : choiceOf(tuple);
}
