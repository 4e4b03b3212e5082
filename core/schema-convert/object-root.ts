/** Every vendor wants an object at the root, and no vendor wants a condition there (C3.10). */
import type { JsonObject } from '../json.ts';
import { type Merged, mergeCombinators, shown } from './merge.ts';
import { isObject, without } from './node.ts';

/** What may stand at the root of no vendor's tool. */
const REFUSED = ['enum', 'const', 'not', 'default', 'title'];

/** `node` is `{ type: 'object', properties, … }`; `notes` are the conditions that had to go, in words. */
export function objectRoot(written: JsonObject): Merged {
  const { node, notes } = mergeCombinators(written);
  const { description, properties, ...rest } = without(node, ...REFUSED);
  const not = node.not === undefined ? [] : [`Must not match: ${shown(JSON.stringify(node.not))}`];
  const about = typeof description === 'string' ? [description] : [];
  return {
    node: { ...objectsOwn(rest), type: 'object', properties: isObject(properties) ? properties : {} },
    notes: [...about, ...notes, ...not],
  };
}

/** A root that claimed to be something else keeps nothing of it. */
function objectsOwn(node: JsonObject): JsonObject {
  const keys = ['required', 'additionalProperties', 'patternProperties', 'minProperties', 'maxProperties'];
  return Object.fromEntries(Object.entries(node).filter(([key]) => keys.includes(key)));
}
