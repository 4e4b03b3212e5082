/**
 * The first pass, the same for every provider: references written out, recursion cut, known keywords only, values that
 * make sense only. Whatever the input holds, the output is a tree of bounded size and depth.
 */
import type { Json, JsonObject } from '../json.ts';
import { followRef } from './follow-ref.ts';
import { isPattern, plainKeywords } from './keywords.ts';
import { COMBINATORS, isObject, own, textsOf } from './node.ts';

/** Levels of nesting that are kept; deeper ones become "anything". */
export const DEPTH = 32;
/** Nodes of one tool; references that double at each level would grow without it. */
export const NODES = 2_000;

const CUT = 'The same shape as above, again.';

type At = { open: readonly string[]; depth: number };

export function writeOut(schema: JsonObject): JsonObject {
  return new Writer(schema).node(schema, { open: ['#'], depth: 0 });
}

class Writer {
  readonly #root: JsonObject;
  #left = NODES;

  constructor(root: JsonObject) {
    this.#root = root;
  }

  /** `true` and what is no schema at all become `{}`: anything goes. */
  node(value: Json | undefined, at: At): JsonObject {
    if (!isObject(value)) return {};
    if (at.depth >= DEPTH || this.#left-- <= 0) return cut(value);
    const ref = own(value, '$ref');
    return typeof ref === 'string' ? this.#referred(value, ref, at) : this.#plain(value, at);
  }

  #referred(value: JsonObject, ref: string, at: At): JsonObject {
    const beside = this.#plain(value, at);
    const target = followRef(this.#root, ref);
    if (target === undefined) return beside;
    if (at.open.includes(ref)) return { ...cut(target), description: CUT, ...beside };
    const meant = this.node(target, { open: [...at.open, ref], depth: at.depth + 1 });
    return together(meant, beside);
  }

  #plain(value: JsonObject, at: At): JsonObject {
    const below = { ...at, depth: at.depth + 1 };
    const out: JsonObject = plainKeywords(value);
    const properties = this.#map(own(value, 'properties'), below);
    const required = textsOf(own(value, 'required'));
    if (properties || required.length > 0) out.properties = withRequired(properties ?? {}, required);
    if (required.length > 0) out.required = required;
    const patterns = this.#map(own(value, 'patternProperties'), below, isPattern);
    if (patterns && Object.keys(patterns).length > 0) out.patternProperties = patterns;
    const more = own(value, 'additionalProperties');
    if (typeof more === 'boolean') out.additionalProperties = more;
    else if (isObject(more)) out.additionalProperties = this.node(more, below);
    this.#items(value, out, below);
    for (const key of COMBINATORS) {
      const branches = own(value, key);
      if (Array.isArray(branches) && branches.length > 0) out[key] = branches.map((each) => this.node(each, below));
    }
    const not = own(value, 'not');
    if (isObject(not)) out.not = this.node(not, below);
    return out;
  }

  /** A list of `items` is an older way to write a tuple. */
  #items(value: JsonObject, out: JsonObject, below: At): void {
    const items = own(value, 'items');
    const tuple = Array.isArray(items) ? items : own(value, 'prefixItems');
    const rest = Array.isArray(items) ? own(value, 'additionalItems') : items;
    if (Array.isArray(tuple) && tuple.length > 0) out.prefixItems = tuple.map((each) => this.node(each, below));
    if (isObject(rest) || rest === true) out.items = this.node(rest, below);
    else if (rest === false && out.prefixItems !== undefined) out.maxItems ??= (out.prefixItems as Json[]).length;
  }

  #map(value: Json | undefined, below: At, takes: (name: string) => boolean = () => true): JsonObject | undefined {
    if (!isObject(value)) return undefined;
    const kept = Object.entries(value).filter(([name, schema]) => schema !== false && takes(name));
    return Object.fromEntries(kept.map(([name, schema]) => [name, this.node(schema, below)]));
  }
}

/** What can still be said of a node that is not followed further. */
function cut(target: Json): JsonObject {
  const { type } = isObject(target) ? plainKeywords(target) : {};
  return typeof type === 'string' ? { type } : {};
}

/** A name that must be there and is not described is described as anything. */
function withRequired(properties: JsonObject, required: readonly string[]): JsonObject {
  const bare = required.filter((name) => !Object.hasOwn(properties, name)).map((name) => [name, {}] as const);
  return bare.length === 0 ? properties : Object.fromEntries([...Object.entries(properties), ...bare]);
}

/** A reference with keywords beside it: both hold; where they speak of the same, the nearer one is shown. */
function together(meant: JsonObject, beside: JsonObject): JsonObject {
  const out = { ...meant, ...beside };
  if (isObject(meant.properties) && isObject(beside.properties)) {
    out.properties = { ...meant.properties, ...beside.properties };
  }
  const required = [...new Set([...textsOf(meant.required), ...textsOf(beside.required)])];
  return required.length > 0 ? { ...out, required } : out;
}
