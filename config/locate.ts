/** Where the configuration file is looked for (I2). */
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';

export type Env = Record<string, string | undefined>;

/** Command line flags that stand for keys, by dotted path. `data` is relative to the working folder. */
export type Flags = {
  data?: string | undefined;
  'gateway.port'?: number | undefined;
  'gateway.host'?: string | undefined;
};

/** Absolute paths in the order in which they are tried. A file that was named is the only one. */
export function searchPaths(options: { path?: string | undefined; cwd: string; env: Env }): string[] {
  const named = options.path ?? options.env.EVERTURN_CONFIG;
  if (named) return [resolve(options.cwd, named)];
  const home = options.env.XDG_CONFIG_HOME || join(options.env.HOME || homedir(), '.config');
  return [resolve(options.cwd, 'everturn.yaml'), join(home, 'everturn', 'config.yaml')];
}
