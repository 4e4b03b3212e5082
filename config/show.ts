/** `config show --origin`: every value in force and where it came from. References to secrets are shown, secrets never are. */
import type { Json } from '../core/json.ts';
import type { Loaded, Origin } from './check.ts';
import { dotted, isMap, type Path } from './schema-walk.ts';

export type ShownValue = { path: string; value: Json; origin: string };

/** One entry a scalar or list, in the order of the file's shape. `origin`: `default`, `file:line:column`, `env NAME`, `--flag`. */
export function showConfig({ raw, origin }: Pick<Loaded, 'raw' | 'origin'>): ShownValue[] {
  return leaves(raw, []).map(({ path, value }) => ({ path: dotted(path), value, origin: originText(origin(path)) }));
}

/** Lines for people; with `origins` a comment after each. */
export function showConfigText(loaded: Pick<Loaded, 'raw' | 'origin'>, { origins }: { origins: boolean }): string {
  const lines = showConfig(loaded).map(({ path, value, origin }) => ({
    text: `${path} = ${JSON.stringify(value)}`,
    origin,
  }));
  const width = Math.min(60, Math.max(0, ...lines.map(({ text }) => text.length)));
  return lines.map(({ text, origin }) => `${origins ? `${text.padEnd(width)}  # ${origin}` : text}\n`).join('');
}

export function originText(origin: Origin): string {
  switch (origin.kind) {
    case 'default':
      return 'default';
    case 'file':
      return `${origin.file}:${origin.line}:${origin.column}`;
    case 'env':
      return `env ${origin.name}`;
    case 'flag':
      return origin.name;
  }
}

function leaves(value: unknown, path: Path): { path: Path; value: Json }[] {
  if (!isMap(value)) return value === undefined ? [] : [{ path, value: value as Json }];
  const keys = Object.keys(value);
  if (keys.length === 0) return [{ path, value: {} }];
  return keys.flatMap((key) => leaves(value[key], [...path, key]));
}
