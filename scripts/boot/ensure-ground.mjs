// Everything Everturn stands on: a Node, the packages, the Temporal CLI. Finds them, or fetches what is missing.
import { join } from 'node:path';
import { BootError } from './boot-error.mjs';
import { withLock } from './lock.mjs';
import { fetchNode, findNode, nodeFlags } from './node.mjs';
import { installPackages, packagesAreInstalled } from './packages.mjs';
import { cacheFolder, PROJECT } from './places.mjs';
import { openStamps } from './stamps.mjs';
import { fetchProgram, findProgram, programs } from './temporal.mjs';
import { atLeast } from './version.mjs';

/**
 * Safe to call at any time and from several processes at once; takes no lock when nothing is missing.
 * @param {{ testServer?: boolean, project?: string, env?: NodeJS.ProcessEnv }} wanted
 *   `testServer`: the time-skipping test server too; `project`: the clone whose packages are meant
 * @returns {Promise<{ node: string, nodeFlags: string[], temporalCli: string, testServer?: string, cache: string }>}
 *   absolute paths (the CLI's as given, where EVERTURN_TEMPORAL_CLI named it)
 * @throws BootError that says what failed and what to do
 */
export async function ensureGround({ testServer = false, project = PROJECT, env = process.env } = {}) {
  if (!atLeast(process.version, '18.0.0')) {
    throw new BootError(`this Node is ${process.version}`, { todo: 'install Node 18 or newer, then try again' });
  }
  const cache = cacheFolder(env);
  const stamps = openStamps(cache);
  const places = { cache, stamps, env };
  const lock = join(cache, 'setup.lock');

  const node = await findOrFetch(lock, {
    find: () => findNode(cache, stamps),
    fetch: () => fetchNode(cache, stamps, env),
  });
  // The packages belong to the clone, not to the cache: two caches must not install into one clone at once.
  await findOrFetch(join(project, '.cache', 'setup.lock'), {
    find: () => packagesAreInstalled(project) || undefined,
    fetch: () => installPackages(project, node.path, env),
  });
  const program = (which) =>
    findOrFetch(lock, { find: () => findProgram(which, places), fetch: () => fetchProgram(which, places) });
  const temporalCli = await program(programs.cli);
  const ground = { node: node.path, nodeFlags: nodeFlags(node.version), temporalCli, cache };
  return testServer ? { ...ground, testServer: await program(programs.testServer) } : ground;
}

/** Looks again under the lock: whoever held it before may have fetched the same thing. */
async function findOrFetch(lock, { find, fetch }) {
  return (await find()) ?? (await withLock(lock, async () => (await find()) ?? (await fetch())));
}
