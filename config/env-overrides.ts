/** `EVERTURN_GATEWAY__PORT=7411`: a scalar of the configuration, set from the environment (I2). */
import { z } from 'zod';
import type { ConfigError } from './errors.ts';
import { nearest } from './nearest.ts';
import { bare, childOf, isMap, type Path, shapeOf, takesNull, valueAt } from './schema-walk.ts';

export const RESERVED_ENV = ['EVERTURN_CONFIG', 'EVERTURN_TEMPORAL_CLI', 'EVERTURN_HOME'];

const PREFIX = 'EVERTURN_';
/** Scalars that stand at the top, so that their variable has no `__`. The file's own version is not for others to set. */
const TOP_SCALARS = ['EVERTURN_DATA'];

export type Override = { name: string; path: Path; value: unknown };

/** Which overrides the environment holds, and what is wrong with the others. Sets nothing. */
export function readOverrides(
  schema: z.ZodType,
  tree: unknown,
  env: Record<string, string | undefined>,
): { overrides: Override[]; errors: ConfigError[] } {
  const overrides: Override[] = [];
  const errors: ConfigError[] = [];
  for (const name of Object.keys(env).sort()) {
    const text = env[name];
    if (text === undefined || !isOverride(name)) continue;
    const result = resolve(schema, tree, name.slice(PREFIX.length).split('__'));
    if ('path' in result) overrides.push({ name, path: result.path, value: typed(result.schema, text) });
    else errors.push({ from: `environment variable ${name}`, path: '', ...result });
  }
  return { overrides, errors };
}

function isOverride(name: string): boolean {
  if (!name.startsWith(PREFIX) || RESERVED_ENV.includes(name)) return false;
  return TOP_SCALARS.includes(name) || name.slice(PREFIX.length).includes('__');
}

type Resolved = { path: Path; schema: z.ZodType } | Pick<ConfigError, 'message' | 'allowed' | 'nearest'>;

function resolve(root: z.ZodType, tree: unknown, segments: string[]): Resolved {
  let schema = root;
  let path: Path = [];
  let rest = segments;
  while (rest.length > 0) {
    const names = namesAt(schema, valueAt(tree, path));
    const step = longest(names, rest);
    if (step === undefined) return unknown(path, names, rest[0] ?? '');
    if (step.keys.length > 1) {
      return { message: `this fits several names: ${step.keys.join(', ')}; set it in the file instead` };
    }
    const key = step.keys[0] ?? '';
    schema = childOf(schema, key, valueAt(tree, path)) as z.ZodType;
    path = [...path, key];
    rest = rest.slice(step.used);
  }
  const inner = bare(schema);
  if (!isScalar(inner)) return { message: `${path.join('.')} is not one value; only scalars can be set this way` };
  return { path, schema };
}

/** A name may itself hold `__`, so the longest run of segments that is a name wins. */
function longest(names: string[], rest: string[]): { keys: string[]; used: number } | undefined {
  for (let used = rest.length; used > 0; used--) {
    const wanted = rest.slice(0, used).join('__').toUpperCase();
    const keys = names.filter((name) => upper(name) === wanted);
    if (keys.length > 0) return { keys, used };
  }
  return undefined;
}

function unknown(path: Path, names: string[], segment: string): Resolved {
  const before = path.map((part) => `${upper(String(part))}__`).join('');
  const near = nearest(segment, names.map(upper));
  return {
    message: `there is no such key${path.length > 0 ? ` under ${path.join('.')}` : ''}`,
    allowed: names.map((name) => `${PREFIX}${before}${upper(name)}`).join(', ') || 'nothing',
    ...(near === undefined ? {} : { nearest: `${PREFIX}${before}${near}` }),
  };
}

function namesAt(schema: z.ZodType, value: unknown): string[] {
  const shape = shapeOf(schema, value);
  if (shape) return Object.keys(shape);
  return bare(schema) instanceof z.ZodRecord && isMap(value) ? Object.keys(value) : [];
}

function upper(name: string): string {
  return name.toUpperCase().replace(/[^A-Z0-9]/g, '_');
}

function isScalar(schema: z.ZodType): boolean {
  return [z.ZodString, z.ZodNumber, z.ZodBoolean, z.ZodEnum, z.ZodLiteral].some((kind) => schema instanceof kind);
}

/** Text from the environment as the schema wants it; what does not fit stays text, so that the schema says why. */
function typed(schema: z.ZodType, text: string): unknown {
  if (text === 'null' && takesNull(schema)) return null;
  const inner = bare(schema);
  const numeric = inner instanceof z.ZodNumber || (inner instanceof z.ZodLiteral && typeof inner.value === 'number');
  if (numeric && /^-?\d+(\.\d+)?$/.test(text)) return Number(text);
  if (inner instanceof z.ZodBoolean && /^(true|false)$/i.test(text)) return text.toLowerCase() === 'true';
  return text;
}
