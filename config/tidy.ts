/** Prepares unchecked data for the schema: a key with nothing after it means its default. */
import { z } from 'zod';
import { bare, childOf, hasDefault, isMap, takesNull } from './schema-walk.ts';

/** A copy of `tree`; the given one stays as it is. */
export function tidy(schema: z.ZodType, tree: unknown): unknown {
  if (Array.isArray(tree)) {
    return tree.map((item, index) => tidyChild(schema, { key: index, value: item, parent: tree }).value);
  }
  if (!isMap(tree)) return tree;
  const copy: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(tree)) {
    const { value: tidied, drop } = tidyChild(schema, { key, value, parent: tree });
    if (!drop)
      Object.defineProperty(copy, key, { value: tidied, enumerable: true, writable: true, configurable: true });
  }
  return copy;
}

type Child = { key: string | number; value: unknown; parent: unknown };

function tidyChild(parent: z.ZodType, { key, value, parent: holder }: Child): { value: unknown; drop?: boolean } {
  const schema = childOf(parent, key, holder);
  if (!schema) return { value };
  if (value !== null || takesNull(schema)) return { value: tidy(schema, value) };
  const optional = hasDefault(schema) || schema instanceof z.ZodOptional;
  if (!optional) return { value };
  // In a map of names the name counts, so it stays.
  return bare(parent) instanceof z.ZodRecord ? { value: {} } : { value: undefined, drop: true };
}
