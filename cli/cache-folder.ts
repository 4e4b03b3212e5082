// The folder where `npm run setup` keeps what it fetched: a Node, the Temporal CLI, the time-skipping test server.
// `scripts/boot/places.mjs` says the same in plain JavaScript, for a Node that cannot read this file.
import { homedir } from 'node:os';
import { join } from 'node:path';

/** `EVERTURN_HOME`, else `everturn` in `XDG_CACHE_HOME`, else `~/.cache/everturn`. Not created here. */
export function cacheFolder(env: NodeJS.ProcessEnv = process.env): string {
  if (env.EVERTURN_HOME) return env.EVERTURN_HOME;
  return join(env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'everturn');
}
