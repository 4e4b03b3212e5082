/**
 * The one table of keys whose part is not built yet (I2): each is accepted at its default or switched off, any other
 * value is an error that says so. A part that gets built loses its row here, and nothing else changes.
 */
import type { ConfigError } from './errors.ts';
import { showPath } from './found.ts';
import { dotted, isMap, type Path } from './schema-walk.ts';

type Row = {
  /** Dotted pattern; `*` is any name or list index. */
  path: string;
  accepts: (value: unknown) => boolean;
  /** What cannot be used yet. */
  what: string;
  /** What may be written until then. */
  built: string;
};

const only =
  (...values: unknown[]) =>
  (value: unknown) =>
    values.includes(value);
const empty = (value: unknown) =>
  value === null ||
  value === false ||
  (Array.isArray(value) ? value.length === 0 : isMap(value) && Object.keys(value).length === 0);
const notPostgres = (value: unknown) => typeof value !== 'string' || !/^postgres(ql)?:/.test(value);

export const NOT_BUILT: readonly Row[] = [
  { path: 'providers.*.api_key.keyring', accepts: only(null), what: 'keyring', built: 'env, file' },
  { path: 'providers.*.models.*.native_tools', accepts: only(true), what: 'the text protocol', built: 'true' },
  { path: 'providers.*.models.*.vision', accepts: only(false), what: 'vision', built: 'false' },
  { path: 'providers.*.models.*.text_dialects', accepts: empty, what: 'the text protocol', built: '[]' },
  { path: 'security.deployment_key.keyring', accepts: only(null), what: 'keyring', built: 'env, file' },
  { path: 'security.deployment_key.retired.*.keyring', accepts: only(null), what: 'keyring', built: 'env, file' },
  { path: 'store.url', accepts: notPostgres, what: 'the PostgreSQL store', built: 'sqlite:PATH' },
  { path: 'agents.*.tool_filter_groups', accepts: empty, what: 'tool filter groups', built: '[]' },
  { path: 'agents.*.mcp_bundles', accepts: empty, what: 'MCP', built: '[]' },
  { path: 'agents.*.strict_tool_parsing', accepts: only(false), what: 'the text protocol', built: 'false' },
  { path: 'agents.*.policy.hosts', accepts: only(null), what: 'tools that reach hosts', built: 'null' },
  { path: 'agents.*.policy.max_actions_per_hour', accepts: only(null), what: 'rate limits', built: 'null' },
  { path: 'agents.*.tool_receipts.enabled', accepts: only(false), what: 'tool receipts', built: 'false' },
  { path: 'agents.*.tool_receipts.show_in_response', accepts: only(false), what: 'tool receipts', built: 'false' },
  { path: 'agents.*.loop_detection.window', accepts: only(20), what: 'loop detection', built: '20' },
  { path: 'agents.*.loop_detection.max_repeats', accepts: only(3), what: 'loop detection', built: '3' },
  { path: 'agents.*.loop_detection.ignore', accepts: empty, what: 'loop detection', built: '[]' },
  { path: 'agents.*.budget.max_tokens', accepts: only(null), what: 'budgets', built: 'null' },
  { path: 'agents.*.budget.max_usd', accepts: only(null), what: 'budgets', built: 'null' },
  { path: 'agents.*.budget.max_wall', accepts: only(null), what: 'budgets', built: 'null' },
  { path: 'agents.*.budget.on_reached', accepts: only('ask'), what: 'budgets', built: 'ask' },
  { path: 'hooks', accepts: empty, what: 'hooks', built: '[]' },
  { path: 'mcp.deferred_loading', accepts: only(false), what: 'MCP', built: 'false' },
  { path: 'mcp.servers', accepts: empty, what: 'MCP', built: '{}' },
  { path: 'mcp.bundles', accepts: empty, what: 'MCP', built: '{}' },
  { path: 'approvals.routes', accepts: empty, what: 'approval routes', built: '[]' },
];

/** Sections that the interface announces; they have no shape yet, so they may only be empty. */
export const LATER_SECTIONS = ['channels', 'schedules', 'memory', 'roles', 'retention', 'webhooks'] as const;

/** Accepted with either value, because what reads it is to come; `dev` and `doctor` say so. */
export const ENCRYPTION_NOTE = 'history is not encrypted yet: security.encryption has no effect in this version';

export type NotBuilt = { path: Path; error: Pick<ConfigError, 'path' | 'message' | 'allowed'> };

/** Every value in the tree that asks for something not built. */
export function findNotBuilt(tree: unknown): NotBuilt[] {
  const rows = [
    ...NOT_BUILT,
    ...LATER_SECTIONS.map((path) => ({
      path: path as string,
      accepts: empty,
      what: path as string,
      built: 'leave it out',
    })),
  ];
  return rows.flatMap(({ path, accepts, what, built }) =>
    matches(tree, path.split('.')).flatMap(({ at, value }) =>
      // Nothing after the colon is the default, whatever that is.
      value === undefined || value === null || accepts(value)
        ? []
        : [{ path: at, error: { path: dotted(showPath(at)), message: `not built yet: ${what}`, allowed: built } }],
    ),
  );
}

type Match = { at: Path; value: unknown };

function matches(tree: unknown, pattern: readonly string[]): Match[] {
  let found: Match[] = [{ at: [], value: tree }];
  for (const part of pattern) found = found.flatMap((match) => children(match, part));
  return found;
}

function children({ at, value }: Match, part: string): Match[] {
  if (Array.isArray(value))
    return part === '*' ? value.map((item, index) => ({ at: [...at, index], value: item })) : [];
  if (!isMap(value)) return [];
  const keys = part === '*' ? Object.keys(value) : Object.hasOwn(value, part) ? [part] : [];
  return keys.map((key) => ({ at: [...at, key], value: value[key] }));
}
