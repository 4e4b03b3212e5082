/** Makes one object of a node and its combinators: every property is shown, the condition itself goes into words. */
import { canonicalJson, type JsonObject } from '../json.ts';
import { COMBINATORS, type Combinator, distinct, nodesOf, propertiesOf, textsOf, without } from './node.ts';

const SHOWN = 800;

const WORDS: Record<Combinator, string> = {
  allOf: 'Must match all of',
  anyOf: 'Must match at least one of',
  oneOf: 'Must match exactly one of',
};

export type Merged = { node: JsonObject; notes: string[] };

/** No combinator is left at this level. A name is required when every way to match requires it. */
export function mergeCombinators(node: JsonObject): Merged {
  const notes: string[] = [];
  const found = new Map<string, JsonObject[]>(propertiesOf(node).map(([name, schema]) => [name, [schema]]));
  const required = new Set(textsOf(node.required));
  for (const key of COMBINATORS) {
    const branches = nodesOf(node[key]).map(mergeCombinators);
    if (branches.length === 0) continue;
    notes.push(`${WORDS[key]}: ${shown(canonicalJson(node[key] ?? []))}`);
    for (const [name, schema] of branches.flatMap((branch) => propertiesOf(branch.node))) {
      found.set(name, [...(found.get(name) ?? []), schema]);
    }
    for (const name of requiredBy(
      key,
      branches.map((branch) => textsOf(branch.node.required)),
    )) {
      required.add(name);
    }
  }
  if (notes.length === 0) return { node, notes };
  const properties = Object.fromEntries([...found].map(([name, schemas]) => [name, oneOfThem(schemas)]));
  const rest = without(node, ...COMBINATORS, 'properties', 'required');
  return { node: { ...rest, properties, ...(required.size > 0 ? { required: [...required] } : {}) }, notes };
}

function requiredBy(key: Combinator, lists: readonly string[][]): string[] {
  if (key === 'allOf') return lists.flat();
  const [first = [], ...others] = lists;
  return first.filter((name) => others.every((list) => list.includes(name)));
}

/** A bare `{}`, as a mere mention in `required` makes it, gives way to a real description. */
function oneOfThem(schemas: readonly JsonObject[]): JsonObject {
  const said = distinct(schemas.filter((schema) => Object.keys(schema).length > 0));
  if (said.length > 1) return { anyOf: said };
  return said[0] ?? {};
}

/** Conditions are told in words that have an end. */
export const shown = (text: string): string => (text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text);
