/** Names that point at nothing: a model that no provider has, a bundle that is not there. Works on unchecked data. */

import { describe, looksSecret, showPath } from './found.ts';
import type { Found } from './issues.ts';
import { nearest } from './nearest.ts';
import { dotted, isMap, type Path, valueAt } from './schema-walk.ts';

export function checkReferences(tree: unknown): Found[] {
  const agents = mapAt(tree, ['agents']);
  const models = modelNames(tree);
  const bundles = Object.keys(mapAt(tree, ['mcp', 'bundles']));
  const servers = Object.keys(mapAt(tree, ['mcp', 'servers']));
  return [
    ...Object.entries(agents).flatMap(([agent, value]) => [
      ...one(['agents', agent, 'model'], valueAt(value, ['model']), { what: 'model', names: models }),
      ...each(['agents', agent, 'fallbacks'], value, { what: 'model', names: models }),
      ...each(['agents', agent, 'mcp_bundles'], value, { what: 'bundle', names: bundles }),
    ]),
    ...Object.entries(mapAt(tree, ['mcp', 'bundles'])).flatMap(([bundle, value]) =>
      ['servers', 'exclude'].flatMap((key) =>
        each(['mcp', 'bundles', bundle, key], value, { what: 'server', names: servers }),
      ),
    ),
  ];
}

type Known = { what: string; names: string[] };

function one(path: Path, value: unknown, known: Known): Found[] {
  // What is no text at all, or no model name by its form, is the schema's to say.
  if (typeof value !== 'string' || known.names.includes(value)) return [];
  if (known.what === 'model' && !/^[^/\s]+\/\S+$/.test(value)) return [];
  const names = known.names.filter((name) => !looksSecret(name));
  const near = nearest(value, names);
  return [
    {
      path,
      at: 'value',
      error: {
        path: dotted(showPath(path)),
        message: `there is no such ${known.what}`,
        found: describe(value, path),
        allowed: names.join(', ') || `none: no ${known.what} is configured`,
        ...(near === undefined ? {} : { nearest: near }),
      },
    },
  ];
}

function each(path: Path, parent: unknown, known: Known): Found[] {
  const list = valueAt(parent, [path.at(-1) ?? '']);
  return Array.isArray(list) ? list.flatMap((item, index) => one([...path, index], item, known)) : [];
}

function modelNames(tree: unknown): string[] {
  return Object.entries(mapAt(tree, ['providers'])).flatMap(([provider, value]) =>
    Object.keys(mapAt(value, ['models'])).map((model) => `${provider}/${model}`),
  );
}

function mapAt(tree: unknown, path: Path): Record<string, unknown> {
  const value = valueAt(tree, path);
  return isMap(value) ? value : {};
}
