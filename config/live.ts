/**
 * The configuration as it stands in the file now (C2.11): for a process that runs on while somebody edits it. Agents and
 * approvals follow the file; what was set up at the start (providers, store, keys, ports, tools) stays until a restart.
 */
import { readFileSync, statSync } from 'node:fs';
import { check, type Loaded } from './check.ts';
import type { Config } from './config.ts';
import type { ConfigError } from './errors.ts';
import type { LoadOptions } from './load.ts';

export type LiveOptions = Pick<LoadOptions, 'cwd' | 'env' | 'flags'> & {
  /** Told once for each change that was taken over. */
  onChange?: (config: Config) => void;
  /** Told once for each state of the file that cannot be used; the last good one stays in force. */
  onProblem?: (errors: ConfigError[]) => void;
};

/** A function that gives the present configuration; it looks at the file's times at each call (some microseconds). */
export function liveConfig(first: Loaded, options: LiveOptions = {}): () => Config {
  const { file } = first;
  let seen = stampOf(file);
  let config = first.config;
  return () => {
    const stamp = stampOf(file);
    if (stamp === seen) return config;
    seen = stamp;
    const result = read(file, options);
    if ('errors' in result) options.onProblem?.(result.errors);
    else {
      config = { ...first.config, agents: keptOut(result.agents, first.config.ownPlaces), approvals: result.approvals };
      options.onChange?.(config);
    }
    return config;
  };
}

/** What the process really uses stays forbidden, also when the file names other places by now. */
function keptOut(agents: Config['agents'], places: string[]): Config['agents'] {
  for (const { policy } of Object.values(agents)) {
    policy.paths.forbidden = [...new Set([...policy.paths.forbidden, ...places])];
  }
  return agents;
}

function read(file: string, { cwd = process.cwd(), env = process.env, flags = {} }: LiveOptions) {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    return {
      errors: [{ file, path: '', message: 'this file cannot be read any more; what it said last stays in force' }],
    };
  }
  const result = check({ text, file, env, flags, cwd });
  return result.kind === 'ok' ? result.config : { errors: result.errors };
}

function stampOf(file: string): string {
  const stats = statSync(file, { bigint: true, throwIfNoEntry: false });
  return stats ? `${stats.mtimeNs}:${stats.size}:${stats.ino}` : 'gone';
}
