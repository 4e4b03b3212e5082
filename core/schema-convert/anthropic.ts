/** Anthropic: JSON Schema 2020-12, an object at the root, names of properties of a certain spelling. */
import type { JsonObject } from '../json.ts';
import { shown } from './merge.ts';
import { isObject, propertiesOf, textsOf } from './node.ts';
import { objectRoot } from './object-root.ts';
import type { Converted } from './types.ts';
import { everyNode } from './walk.ts';
import { writeOut } from './write-out.ts';

const NAME = /^[a-zA-Z0-9_.-]{1,64}$/;

export function toAnthropic(schema: JsonObject): Converted {
  const { node, notes } = objectRoot(writeOut(schema));
  return { parameters: everyNode(node, withTakenNames), notes };
}

/** One odd name would have the whole request refused; it is described in words instead, and may still be sent. */
function withTakenNames(node: JsonObject): JsonObject {
  if (!isObject(node.properties)) return node;
  const odd = propertiesOf(node).filter(([name]) => !NAME.test(name));
  if (odd.length === 0) return node;
  const kept = propertiesOf(node).filter(([name]) => NAME.test(name));
  const words = odd.map(([name, schema]) => `Also takes ${JSON.stringify(name)}: ${shown(JSON.stringify(schema))}`);
  const description = [...(typeof node.description === 'string' ? [node.description] : []), ...words].join('\n');
  const required = textsOf(node.required).filter((name) => NAME.test(name));
  return { ...node, description, properties: Object.fromEntries(kept), ...(node.required ? { required } : {}) };
}
