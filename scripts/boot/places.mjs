// Where things are, and which versions are wanted. `cli/cache-folder.ts` and `cli/temporal-cli.ts` say the same
// for the program itself; a test compares them.
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const PROJECT = fileURLToPath(new URL('../../', import.meta.url));

export const NODE_WANTED = '22.13.0';
/** Fetched when the machine's Node is older. */
export const NODE_FETCHED = '24';
export const TEMPORAL_CLI = '1.9.1';
export const TEST_SERVER = '1.40.0';

/** `EVERTURN_HOME`, else `everturn` in `XDG_CACHE_HOME`, else `~/.cache/everturn`. */
export function cacheFolder(env = process.env) {
  if (env.EVERTURN_HOME) return env.EVERTURN_HOME;
  return join(env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'everturn');
}

export function executable(name) {
  return process.platform === 'win32' ? `${name}.exe` : name;
}
