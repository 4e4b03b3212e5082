/** A schema node and the small questions asked of it. Objects are made with `Object.fromEntries`, so any name is safe. */
import { canonicalJson, type Json, type JsonObject } from '../json.ts';

export const TYPES = ['object', 'array', 'string', 'number', 'integer', 'boolean', 'null'] as const;

export const COMBINATORS = ['allOf', 'anyOf', 'oneOf'] as const;
export type Combinator = (typeof COMBINATORS)[number];

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Own members only: `constructor` is no keyword. */
export function own(node: JsonObject, key: string): Json | undefined {
  return Object.hasOwn(node, key) ? node[key] : undefined;
}

export function nodesOf(value: Json | undefined): JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

export function textsOf(value: Json | undefined): string[] {
  return Array.isArray(value) ? [...new Set(value.filter((each) => typeof each === 'string'))] : [];
}

/** The types that a node names, one or many; [] when it names none. */
export function typesOf(node: JsonObject): string[] {
  const { type } = node;
  return typeof type === 'string' ? [type] : textsOf(type);
}

export function propertiesOf(node: JsonObject): [name: string, schema: JsonObject][] {
  const { properties } = node;
  return isObject(properties)
    ? Object.entries(properties).flatMap(([name, schema]) => (isObject(schema) ? [[name, schema]] : []))
    : [];
}

export function without(node: JsonObject, ...keys: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(node).filter(([key]) => !keys.includes(key)));
}

export function pick(node: JsonObject, ...keys: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(node).filter(([key]) => keys.includes(key)));
}

export function distinct(nodes: readonly JsonObject[]): JsonObject[] {
  return [...new Map(nodes.map((node) => [canonicalJson(node), node])).values()];
}

export const joined = (...texts: readonly (Json | undefined)[]): string =>
  texts.filter((text) => typeof text === 'string' && text.trim() !== '').join('\n\n');
