// The project's packages: installed exactly as `package-lock.json` says, and only when they are not.
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BootError } from './boot-error.mjs';
import { npm } from './npm.mjs';
import { say, withProgress } from './say.mjs';

const stampFile = (project) => join(project, 'node_modules', '.everturn-stamp');

/** True when `node_modules` holds what the lock file says. Costs two small reads when it is stamped. */
export function packagesAreInstalled(project) {
  const wanted = fingerprint(project);
  if (readOr(stampFile(project)) === wanted) return true;
  // Not installed by us, or the lock file changed: npm's own record tells whether anything is missing.
  const installed = parseOr(readOr(join(project, 'node_modules', '.package-lock.json')));
  const locked = parseOr(readFileSync(join(project, 'package-lock.json'), 'utf8'));
  if (!installed?.packages || !locked?.packages || !matches(locked.packages, installed.packages)) return false;
  stamp(project, wanted);
  return true;
}

export async function installPackages(project, node, env) {
  await withProgress('installing packages (npm ci)', () =>
    npm({
      node,
      args: ['ci', '--ignore-scripts', '--include=dev'],
      cwd: project,
      env,
      what: 'the packages of package-lock.json could not be installed',
    }),
  );
  stamp(project, fingerprint(project));
}

/** Optional packages of other platforms are locked but not installed. */
function matches(locked, installed) {
  return Object.entries(locked).every(([path, entry]) => {
    if (path === '' || entry.link) return true;
    const there = installed[path];
    if (!there) return Boolean(entry.optional || entry.devOptional || entry.peer);
    return there.version === entry.version && there.integrity === entry.integrity;
  });
}

function fingerprint(project) {
  const lock = readOr(join(project, 'package-lock.json'));
  if (lock === undefined) {
    throw new BootError('package-lock.json is missing', { todo: 'restore it: git checkout package-lock.json' });
  }
  return `${createHash('sha256').update(lock).digest('hex')} ${process.platform}-${process.arch}`;
}

function stamp(project, text) {
  try {
    writeFileSync(stampFile(project), text);
  } catch (error) {
    say(`note: cannot write ${stampFile(project)} (${error.code}); the next start will check the packages again`);
  }
}

function readOr(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

function parseOr(text) {
  try {
    return text === undefined ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}
