/** Turns what the schema found into messages that say what is allowed, in our words and without the values. */
import { z } from 'zod';
import type { ConfigError } from './errors.ts';
import { describe, showKey, showPath } from './found.ts';
import { nearest } from './nearest.ts';
import { SECRET_ALLOWED } from './schema/scalars.ts';
import { bare, dotted, type Path, schemaAt, shapeOf, takesNull, valueAt } from './schema-walk.ts';

/** A mistake, with the path that says where to look for it. `at` is the key itself or its value. */
export type Found = { path: Path; at: 'key' | 'value'; error: Omit<ConfigError, 'file' | 'line' | 'column' | 'from'> };

export function checkShape(schema: z.ZodType, tree: unknown): Found[] {
  const result = schema.safeParse(tree);
  return result.success ? [] : result.error.issues.flatMap((issue) => explain(schema, tree, issue as z.core.$ZodIssue));
}

function explain(root: z.ZodType, tree: unknown, issue: z.core.$ZodIssue): Found[] {
  const path = issue.path as Path;
  const value = valueAt(tree, path);
  const at = schemaAt(root, tree, path);
  const say = (message: string, more: Partial<Found['error']> = {}, where: 'key' | 'value' = 'value'): Found => ({
    path,
    at: where,
    error: { path: dotted(showPath(path)), message, ...more },
  });
  switch (issue.code) {
    case 'unrecognized_keys': {
      const names = at ? Object.keys(shapeOf(at, value) ?? {}) : [];
      return issue.keys.map((key) => unknownKey([...path, key], key, names));
    }
    case 'invalid_key': {
      const key = String(path.at(-1) ?? '');
      const allowed = issue.issues[0]?.message ?? 'another name';
      return [say(`this is no valid name: ${showKey(key)}`, { allowed }, 'key')];
    }
    case 'invalid_type':
      if (value === undefined) return [say('this is missing', { allowed: allowedAt(at) }, 'key')];
      if (descriptionOf(at) === SECRET_ALLOWED) {
        return [
          say('a secret is not written out here', {
            found: describe(value, [...path, 'secret']),
            allowed: SECRET_ALLOWED,
          }),
        ];
      }
      return [say(`this is not ${kindOf(at)}`, { found: describe(value, path), allowed: allowedAt(at) })];
    case 'invalid_value':
    case 'invalid_union':
      return [choice(say, { at, value, path })];
    default: {
      const custom = issue.code === 'custom' || issue.code === 'invalid_format' || issue.code.startsWith('too_');
      const allowed = custom ? issue.message : allowedAt(at);
      return [say('this value cannot be used', { found: describe(value, path), allowed })];
    }
  }
}

function unknownKey(path: Path, key: string, names: string[]): Found {
  const near = nearest(key, names);
  return {
    path,
    at: 'key',
    error: {
      path: dotted(showPath(path)),
      message: 'unknown key',
      found: showKey(key),
      allowed: names.join(', '),
      ...(near === undefined ? {} : { nearest: near }),
    },
  };
}

type Say = (message: string, more?: Partial<Found['error']>, where?: 'key' | 'value') => Found;

/** One of a few words was wanted. */
function choice(say: Say, { at, value, path }: { at: z.ZodType | undefined; value: unknown; path: Path }): Found {
  if (value === undefined) return say('this is missing', { allowed: allowedAt(at) }, 'key');
  const near = typeof value === 'string' ? nearest(value, words(at)) : undefined;
  return say('this is none of the values that may stand here', {
    found: describe(value, path),
    allowed: allowedAt(at),
    ...(near === undefined ? {} : { nearest: near }),
  });
}

function words(schema: z.ZodType | undefined): string[] {
  const inner = schema && bare(schema);
  if (inner instanceof z.ZodEnum) return inner.options.map(String);
  if (inner instanceof z.ZodLiteral) return [...inner.values].map(String);
  return [];
}

function kindOf(schema: z.ZodType | undefined): string {
  const inner = schema && bare(schema);
  if (inner instanceof z.ZodString) return 'a text';
  if (inner instanceof z.ZodNumber) return 'a number';
  if (inner instanceof z.ZodBoolean) return 'true or false';
  if (inner instanceof z.ZodArray) return 'a list';
  if (inner instanceof z.ZodEnum) return 'one of the words that may stand here';
  return 'a map';
}

function allowedAt(schema: z.ZodType | undefined): string {
  if (!schema) return 'nothing';
  const inner = bare(schema);
  const orNull = takesNull(schema) ? ' or null' : '';
  const said = descriptionOf(schema);
  if (said !== undefined) return said.includes('null') ? said : said + orNull;
  const choices = words(inner);
  if (choices.length > 0) return choices.join(', ') + orNull;
  const shape = shapeOf(inner, undefined);
  if (shape) return `a map with ${Object.keys(shape).join(', ')}${orNull}`;
  if (inner instanceof z.ZodArray) return `a list of: ${allowedAt(inner.element as z.ZodType)}${orNull}`;
  return kindOf(inner) + orNull;
}

function descriptionOf(schema: z.ZodType | undefined): string | undefined {
  return schema && (schema.description ?? bare(schema).description);
}
