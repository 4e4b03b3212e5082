/** Google's enums hold texts only: numbers are written as texts, and read back when a call comes (C3.10). */
import type { Json, JsonObject } from '../json.ts';
import { isObject, nodesOf, own, propertiesOf, typesOf } from './node.ts';

/** The values that a node names, by `enum` or `const`; undefined when it names none. */
export function valuesOf(node: JsonObject): Json[] | undefined {
  if (Object.hasOwn(node, 'const')) return [node.const as Json];
  return Array.isArray(node.enum) ? node.enum : undefined;
}

/** What stands for the values; `{}` when nothing can. Null is said elsewhere. */
export function enumNode(values: readonly Json[], types: readonly string[]): JsonObject {
  const said = values.filter((value) => value !== null);
  if (said.every((value) => typeof value === 'string' || typeof value === 'number')) {
    const texts = [...new Set(said.map(String))].filter((text) => text !== '');
    return { type: 'string', ...(texts.length > 0 ? { enum: texts } : {}) };
  }
  const words = `One of: ${JSON.stringify(said)}`;
  if (said.every((value) => typeof value === 'boolean')) {
    return { type: 'boolean', ...(new Set(said).size === 1 ? { description: words } : {}) };
  }
  const [type, ...others] = types.filter((each) => each !== 'null');
  if (type === undefined || others.length > 0) return { description: words };
  return { type, ...(type === 'array' ? { items: {} } : {}), description: words };
}

/**
 * The arguments as the original schema means them: texts that stand for a number of an enum become that number.
 * @param written the tool's schema, written out; followed no deeper than it goes. Gives the same object back when nothing has to change.
 */
export function numbersBack(written: JsonObject, value: Json): Json {
  if (Object.keys(written).length === 0) return value;
  if (typeof value === 'string') return numberFor(written, value) ?? value;
  if (Array.isArray(value)) {
    const changed = value.map((each, at) => numbersBack(itemSchema(written, at), each));
    return changed.some((each, at) => each !== value[at]) ? changed : value;
  }
  if (!isObject(value)) return value;
  const changed = Object.entries(value).map(([name, each]): [string, Json] => {
    const schema = propertySchema(written, name);
    return [name, schema ? numbersBack(schema, each) : each];
  });
  return changed.some(([name, each]) => each !== value[name]) ? Object.fromEntries(changed) : value;
}

function numberFor(node: JsonObject, text: string): number | undefined {
  const all = alternatives(node);
  if (all.some((each) => takesText(each, text))) return undefined;
  const numbers = all.flatMap((each) => valuesOf(each) ?? []).filter((value) => typeof value === 'number');
  return numbers.find((number) => String(number) === text);
}

function takesText(node: JsonObject, text: string): boolean {
  const values = valuesOf(node);
  return values ? values.includes(text) : typesOf(node).includes('string');
}

/** A node and everything that its combinators offer in its place. */
function alternatives(node: JsonObject): JsonObject[] {
  const below = ['anyOf', 'oneOf', 'allOf'].flatMap((key) => nodesOf(node[key]).flatMap(alternatives));
  const { anyOf, oneOf, allOf } = node;
  return anyOf || oneOf || allOf ? [...(valuesOf(node) ? [node] : []), ...below] : [node];
}

/** Merged the same way as on the way out: where several branches describe a name, all of them are offered. */
function propertySchema(node: JsonObject, name: string): JsonObject | undefined {
  const found = everyBranch(node).flatMap((each) =>
    propertiesOf(each).flatMap(([key, schema]) => (key === name ? [schema] : [])),
  );
  if (found.length > 1) return { anyOf: found };
  return found[0];
}

function itemSchema(node: JsonObject, at: number): JsonObject {
  const found = everyBranch(node).flatMap((each) => {
    const tuple = nodesOf(each.prefixItems);
    const items = tuple[at] ?? own(each, 'items');
    return isObject(items) ? [items] : [];
  });
  return found.length > 1 ? { anyOf: found } : (found[0] ?? {});
}

function everyBranch(node: JsonObject): JsonObject[] {
  return [node, ...['anyOf', 'oneOf', 'allOf'].flatMap((key) => nodesOf(node[key]).flatMap(everyBranch))];
}
