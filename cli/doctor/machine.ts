// What this machine brings: Node, the Temporal CLI, a sandbox, room on the disk.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { findTemporalCli } from '../temporal-cli.ts';
import { type Finding, fault, ok, reasonOf, warning } from './finding.ts';

const NODE_WANTED: [number, number] = [22, 13];

export function nodeVersion(): Finding {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const isNewEnough = major > NODE_WANTED[0] || (major === NODE_WANTED[0] && minor >= NODE_WANTED[1]);
  if (isNewEnough) return ok('node', `Node ${process.versions.node}`);
  return fault('node', `Node ${process.versions.node} is older than ${NODE_WANTED.join('.')}`, {
    effect: 'start is blocked',
    fix: 'install a newer Node, or run `npm run setup` in a clone',
  });
}

/** @param embedded whether `dev` would start a server of its own */
export async function temporalCli(embedded: boolean): Promise<Finding> {
  try {
    const { version, path, foundBy } = await findTemporalCli();
    return ok('temporal-cli', `Temporal CLI ${version} (${foundBy}: ${path})`);
  } catch (error) {
    const more = {
      effect: 'dev and run cannot start a server of their own',
      fix: 'npm run setup, or set EVERTURN_TEMPORAL_CLI',
    };
    return embedded ? fault('temporal-cli', reasonOf(error), more) : warning('temporal-cli', reasonOf(error), more);
  }
}

/** Being installed is not enough: many containers forbid what it needs. */
export async function sandbox(): Promise<Finding> {
  const without = { effect: 'shell commands run without a sandbox; policy and paths are still checked' };
  if (process.platform !== 'linux') {
    return warning('sandbox', 'there is no sandbox for this system', {
      ...without,
      fix: 'run it on Linux with bubblewrap',
    });
  }
  const trial = await attempt('bwrap', ['--ro-bind', '/', '/', '--unshare-pid', '--dev', '/dev', '--', 'true']);
  if (trial === undefined) return ok('sandbox', 'bubblewrap works');
  const missing = trial.includes('ENOENT');
  return warning(
    'sandbox',
    missing ? 'bubblewrap (bwrap) is not installed' : `bubblewrap does not work here: ${trial}`,
    {
      ...without,
      fix: missing
        ? 'install the package bubblewrap'
        : 'allow unprivileged user namespaces, or run outside this container',
    },
  );
}

const GIB = 1 << 30;

export async function diskSpace(data: string): Promise<Finding> {
  try {
    const { bavail, bsize } = await statfs(nearestFolder(data));
    const free = bavail * bsize;
    const what = `${(free / GIB).toFixed(1)} GiB free for ${data}`;
    if (free > GIB) return ok('disk', what);
    const more = {
      effect: 'turns stop where the store cannot write',
      fix: 'free some space, or move `data` elsewhere',
    };
    return free < GIB / 10 ? fault('disk', what, more) : warning('disk', what, more);
  } catch (error) {
    return warning('disk', `the space for ${data} is not known: ${reasonOf(error)}`, {
      effect: 'none yet',
      fix: 'look at the disk',
    });
  }
}

export function nearestFolder(path: string): string {
  return existsSync(path) || dirname(path) === path ? path : nearestFolder(dirname(path));
}

/** undefined when it ran well, else why not. */
function attempt(program: string, args: string[]): Promise<string | undefined> {
  return new Promise((answer) => {
    execFile(program, args, { timeout: 5_000 }, (error, _, stderr) => {
      if (!error) return answer(undefined);
      answer((stderr || error.message).trim().split('\n')[0]);
    });
  });
}
