/** Visits every schema node of a written-out schema. */
import type { Json, JsonObject } from '../json.ts';
import { COMBINATORS, isObject } from './node.ts';

const MAPS = ['properties', 'patternProperties'] as const;
const LISTS = [...COMBINATORS, 'prefixItems'] as const;
const SINGLE = ['items', 'additionalProperties', 'not'] as const;

/** Bottom up; `change` gets a node whose children are changed already. */
export function everyNode(node: JsonObject, change: (node: JsonObject) => JsonObject): JsonObject {
  const below = (value: Json): Json => (isObject(value) ? everyNode(value, change) : value);
  const out = { ...node };
  for (const key of MAPS) {
    const map = out[key];
    if (isObject(map)) out[key] = Object.fromEntries(Object.entries(map).map(([name, each]) => [name, below(each)]));
  }
  for (const key of LISTS) {
    const list = out[key];
    if (Array.isArray(list)) out[key] = list.map(below);
  }
  for (const key of SINGLE) if (isObject(out[key])) out[key] = below(out[key]);
  return change(out);
}

export function someNode(node: JsonObject, test: (node: JsonObject) => boolean): boolean {
  let found = false;
  everyNode(node, (each) => {
    found ||= test(each);
    return each;
  });
  return found;
}
