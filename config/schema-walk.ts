/** Finds the part of the schema that stands at a path, so that messages can say what is allowed there. */
import { z } from 'zod';

export type PathPart = string | number;
export type Path = readonly PathPart[];

/** The schema without its defaults and options. */
export function bare(schema: z.ZodType): z.ZodType {
  let inner = schema;
  while (
    inner instanceof z.ZodDefault ||
    inner instanceof z.ZodPrefault ||
    inner instanceof z.ZodOptional ||
    inner instanceof z.ZodNullable
  ) {
    inner = inner.unwrap() as z.ZodType;
  }
  return inner;
}

/** Can it be left out, so that `key:` with nothing after it may mean the defaults? */
export function hasDefault(schema: z.ZodType): boolean {
  return schema instanceof z.ZodPrefault || schema instanceof z.ZodDefault;
}

export function takesNull(schema: z.ZodType): boolean {
  return schema.safeParse(null).success;
}

/** The keys of an object; for a discriminated union those of the option that `value` chooses, else of all. */
export function shapeOf(schema: z.ZodType, value: unknown): Record<string, z.ZodType> | undefined {
  const inner = bare(schema);
  if (inner instanceof z.ZodObject) return inner.shape as Record<string, z.ZodType>;
  if (inner instanceof z.ZodDiscriminatedUnion) {
    const options = inner.options as z.ZodObject[];
    const kind = isMap(value) ? value.kind : undefined;
    const chosen = options.find((option) => (option.shape.kind as z.ZodLiteral | undefined)?.value === kind);
    const shapes = (chosen ? [chosen] : options).map((option) => option.shape as Record<string, z.ZodType>);
    const kinds = options.flatMap((option) => [...(option.shape.kind as z.ZodLiteral<string>).values]);
    return { ...(Object.assign({}, ...shapes) as Record<string, z.ZodType>), kind: z.enum(kinds) };
  }
  return undefined;
}

/** The schema of the child `key` of a value of `schema`; undefined when there can be none. */
export function childOf(schema: z.ZodType, key: PathPart, value: unknown): z.ZodType | undefined {
  const inner = bare(schema);
  if (inner instanceof z.ZodArray) return typeof key === 'number' ? (inner.element as z.ZodType) : undefined;
  if (inner instanceof z.ZodRecord) return inner.valueType as z.ZodType;
  const shape = shapeOf(inner, value);
  return shape && Object.hasOwn(shape, key) ? shape[key as string] : undefined;
}

export function schemaAt(schema: z.ZodType, tree: unknown, path: Path): z.ZodType | undefined {
  let at: z.ZodType | undefined = schema;
  let value = tree;
  for (const key of path) {
    if (!at) return undefined;
    at = childOf(at, key, value);
    value = valueAt(value, [key]);
  }
  return at;
}

export function valueAt(tree: unknown, path: Path): unknown {
  let value = tree;
  for (const key of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as Record<PathPart, unknown>)[key];
  }
  return value;
}

export function isMap(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** `agents.main.fallbacks[0]`; a name that a dot would make ambiguous is quoted. */
export function dotted(path: Path): string {
  return path
    .map((part, index) => {
      if (typeof part === 'number') return `[${part}]`;
      const word = /^[A-Za-z0-9_-]+$/.test(part) ? part : JSON.stringify(part);
      return index === 0 ? word : `.${word}`;
    })
    .join('');
}
