/** Checks the text of a configuration file: syntax, overrides, shape, names, what is not built, files that must exist. */
import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { Config } from './config.ts';
import { type ParsedDocument, parseYaml } from './document.ts';
import { readOverrides } from './env-overrides.ts';
import type { ConfigError } from './errors.ts';
import { looksSecret, showPath } from './found.ts';
import { checkShape, type Found } from './issues.ts';
import type { Env, Flags } from './locate.ts';
import { checkReferences } from './names.ts';
import { ENCRYPTION_NOTE, findNotBuilt, LATER_SECTIONS } from './not-built.ts';
import { configSchema, type RawConfig } from './schema.ts';
import { dotted, isMap, type Path, valueAt } from './schema-walk.ts';
import { tidy } from './tidy.ts';
import { toConfig } from './to-config.ts';
import { withModelFacts } from './with-model-facts.ts';

export type Origin =
  | { kind: 'default' }
  | { kind: 'file'; file: string; line: number; column: number }
  | { kind: 'env'; name: string }
  | { kind: 'flag'; name: string };

export type Loaded = {
  config: Config;
  /** Absolute path. */
  file: string;
  /** With defaults, keys as written; for `config show`. */
  raw: RawConfig;
  /** Where the value at a path of the file came from. */
  origin: (path: Path) => Origin;
  /** What is accepted but has no effect yet; `dev` and `doctor` say it. */
  notes: string[];
};

type Input = { text: string; file: string; env: Env; flags: Flags; cwd: string };

export function check(input: Input): ({ kind: 'ok' } & Loaded) | { kind: 'errors'; errors: ConfigError[] } {
  const { text, file, env, flags, cwd } = input;
  const doc = parseYaml(text, file);
  if (doc.tree === undefined && doc.errors.length > 0) return { kind: 'errors', errors: doc.errors };
  const tree: unknown = structuredClone(doc.tree ?? {});
  if (!isMap(tree)) {
    return {
      kind: 'errors',
      errors: [{ file, line: 1, column: 1, path: '', message: 'a configuration is a map of keys' }],
    };
  }
  const fromEnv = readOverrides(configSchema, tree, env);
  const overrides = [
    ...fromEnv.overrides.map(({ name, ...rest }) => ({ ...rest, origin: { kind: 'env' as const, name } })),
    ...fromFlags(flags),
  ];
  for (const override of overrides) put(tree, override.path, override.value);
  const origin = originOf(doc, file, overrides);

  const tidied = tidy(configSchema, without(tree, LATER_SECTIONS));
  const errors = [
    ...doc.errors,
    ...fromEnv.errors,
    ...findAll(tree, tidied, dirname(file)).map((found) => placed(found, doc, { file, origin })),
  ];
  if (errors.length > 0) return { kind: 'errors', errors: inOrder(errors) };
  const raw = withModelFacts(configSchema.parse(tidied));
  const config = toConfig(raw, file, flags.data === undefined ? undefined : cwd);
  const notes = raw.security.encryption ? [ENCRYPTION_NOTE] : [];
  return { kind: 'ok', config, file, raw, origin, notes };
}

function findAll(tree: unknown, tidied: unknown, folder: string): Found[] {
  const notBuilt = findNotBuilt(tree);
  // One message a mistake: what is not built yet is not also measured against its coming shape.
  const silenced = notBuilt.map(({ path }) => (path.at(-1) === 'kind' ? path.slice(0, -1) : path));
  const heard = ({ path }: Found) => !silenced.some((above) => above.every((part, index) => path[index] === part));
  return [
    ...notBuilt.map(({ path, error }): Found => ({ path, at: 'value', error })),
    ...[...checkShape(configSchema, tidied), ...checkReferences(tidied), ...checkFiles(tidied, folder)].filter(heard),
  ];
}

/** Files without which nothing can run. Folders are made when they are needed. */
function checkFiles(tree: unknown, folder: string): Found[] {
  const providers = valueAt(tree, ['providers']);
  const modules = valueAt(tree, ['tools', 'modules']);
  const named: Path[] = [
    ...(isMap(providers) ? Object.keys(providers).map((name) => ['providers', name, 'script']) : []),
    ...(Array.isArray(modules) ? modules.map((_, index) => ['tools', 'modules', index]) : []),
  ];
  return named.flatMap((path) => {
    const value = valueAt(tree, path);
    if (typeof value !== 'string' || value === '' || value.includes('\0') || existsSync(resolve(folder, value)))
      return [];
    return [
      {
        path,
        at: 'value',
        error: { path: dotted(showPath(path)), message: noSuchFile(folder, value) },
      },
    ];
  });
}

function noSuchFile(folder: string, path: string): string {
  return looksSecret(path) ? 'there is no such file' : `there is no such file: ${resolve(folder, path)}`;
}

function placed(
  found: Found,
  doc: ParsedDocument,
  { file, origin }: { file: string; origin: Loaded['origin'] },
): ConfigError {
  const from = origin(found.path);
  if (from.kind === 'env') return { from: `environment variable ${from.name}`, ...found.error };
  if (from.kind === 'flag') return { from: from.name, ...found.error };
  return { file, ...(found.at === 'key' ? doc.keyAt(found.path) : doc.valueAt(found.path)), ...found.error };
}

type Given = { path: Path; value: unknown; origin: Origin };

function fromFlags(flags: Flags): Given[] {
  return Object.entries(flags).flatMap(([name, value]) =>
    value === undefined
      ? []
      : [{ path: name.split('.'), value, origin: { kind: 'flag' as const, name: `--${name.split('.').at(-1)}` } }],
  );
}

function originOf(doc: ParsedDocument, file: string, overrides: Given[]): Loaded['origin'] {
  return (path) => {
    const set = overrides.findLast((override) => dotted(override.path) === dotted(path));
    if (set) return set.origin;
    if (valueAt(doc.tree, path) === undefined) return { kind: 'default' };
    return { kind: 'file', file, ...doc.keyAt(path) };
  };
}

function put(tree: Record<string, unknown>, path: Path, value: unknown): void {
  let at: Record<string, unknown> = tree;
  for (const part of path.slice(0, -1)) {
    if (at[part] === undefined || at[part] === null) at[part] = {};
    // A parent of the wrong kind is an error of the file; the schema reports it.
    if (!isMap(at[part])) return;
    at = at[part];
  }
  at[path.at(-1) ?? ''] = value;
}

function without(tree: Record<string, unknown>, keys: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(tree).filter(([key]) => !keys.includes(key)));
}

function inOrder(errors: ConfigError[]): ConfigError[] {
  return errors.toSorted((a, b) => (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0));
}
