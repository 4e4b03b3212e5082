/** Tool names in the configuration against the tools that there are: for whoever knows the registry (worker, doctor). */
import { isExcluded } from '../core/effective-tools.ts';
import type { Loaded } from './check.ts';
import type { ConfigError } from './errors.ts';
import { describe } from './found.ts';
import { nearest } from './nearest.ts';
import { dotted, type Path, valueAt } from './schema-walk.ts';

/** Built-in tools of C1.6 that are still to come. Denying one ahead of time is fine; relying on one is not. */
export const LATER_TOOLS: readonly string[] = [
  ...['memory_recall', 'memory_store', 'memory_forget', 'tool_search', 'mcp_resources', 'mcp_prompts'],
  ...['schedule_list', 'schedule_add', 'schedule_update', 'schedule_remove', 'schedule_run'],
  ...['web_fetch', 'http_request', 'message_send', 'deliver_file'],
  ...['delegate', 'spawn_subagent', 'escalate_to_human', 'model_switch'],
];

type List = {
  path: string[];
  /** `*` stands for every tool. */
  star?: boolean;
  /** It only takes away, so a tool that is still to come may be named. */
  restricts?: boolean;
  /** Compared as C2.3 compares. */
  folded?: boolean;
};

const LISTS: readonly List[] = [
  { path: ['allowed_tools'] },
  { path: ['excluded_tools'], restricts: true, folded: true },
  { path: ['tool_call_dedup_exempt'], restricts: true },
  { path: ['policy', 'always_ask'], star: true, restricts: true },
  { path: ['policy', 'auto_approve'], star: true },
];

/** Names that no tool has, with place and nearest name. `knownTools`: every tool of this worker. */
export function checkNames(loaded: Pick<Loaded, 'raw' | 'origin'>, knownTools: readonly string[]): ConfigError[] {
  return Object.keys(loaded.raw.agents).flatMap((agent) =>
    LISTS.flatMap((list) => {
      const path = ['agents', agent, ...list.path];
      const entries = valueAt(loaded.raw, path) as string[];
      return entries.flatMap((entry, index) => {
        const message = faultOf(entry, list, knownTools);
        return message === undefined ? [] : [errorAt(loaded, [...path, index], { entry, message, knownTools })];
      });
    }),
  );
}

function faultOf(entry: string, list: List, knownTools: readonly string[]): string | undefined {
  const knows = (names: readonly string[]) => (list.folded ? isExcluded(names, entry) : names.includes(entry));
  if (knows(knownTools) || (list.star && entry === '*')) return undefined;
  if (!knows(LATER_TOOLS)) return 'there is no such tool';
  return list.restricts ? undefined : 'this tool is not built yet';
}

type Fault = { entry: string; message: string; knownTools: readonly string[] };

function errorAt({ origin }: Pick<Loaded, 'origin'>, path: Path, { entry, message, knownTools }: Fault): ConfigError {
  const from = origin(path);
  const near = nearest(entry, knownTools);
  return {
    ...(from.kind === 'file' ? { file: from.file, line: from.line, column: from.column } : {}),
    path: dotted(path),
    message,
    found: describe(entry, path),
    allowed: [...knownTools].sort().join(', '),
    ...(near === undefined ? {} : { nearest: near }),
  };
}
