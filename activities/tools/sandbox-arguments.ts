/**
 * What a sandboxed command sees: the system read-only, the workspace and allowed roots, a private /tmp and home, its own processes.
 * Later lines cover earlier ones, so what is closed comes last.
 */
import { existsSync, lstatSync, readlinkSync, realpathSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { isInside, type Places, placesOf } from '../../assess/places.ts';
import type { Policy } from '../../core/execution.ts';

export type SandboxRequest = {
  workspace: string;
  policy: Policy;
  /** The product's own files: hidden, or read-only. */
  ownState: readonly string[];
  env: Readonly<Record<string, string>>;
};

const SYSTEM = [
  '/usr',
  '/bin',
  '/sbin',
  '/lib',
  '/lib32',
  '/lib64',
  '/libx32',
  '/etc',
  '/opt',
  '/nix',
  '/snap',
  '/var',
];

/** Enough to own and change files as root does, and nothing that could undo the mounts. */
const ROOT_KEEPS = ['CAP_DAC_OVERRIDE', 'CAP_FOWNER', 'CAP_CHOWN', 'CAP_SETUID', 'CAP_SETGID', 'CAP_KILL'];

/** Files of a home folder that tools read and that hold no secrets. */
const HOME_FILES = ['.gitconfig', '.config/git/config', '.config/git/ignore', '.inputrc', '.editorconfig'];

export async function sandboxArguments(request: SandboxRequest): Promise<string[]> {
  const places = await placesOf(request);
  const home = homedir();
  const parts = places.everywhere ? [] : homeParts(home, request.env.PATH ?? '');
  const shown = places.everywhere ? ['/'] : [...SYSTEM, ...parts, ...places.roots.read, ...places.roots.write];
  return [
    ...['--die-with-parent', '--unshare-pid', '--unshare-ipc'],
    ...(process.getuid?.() === 0 ? ['--cap-drop', 'ALL', ...ROOT_KEEPS.flatMap((each) => ['--cap-add', each])] : []),
    ...(places.everywhere ? ['--bind', '/', '/'] : [...SYSTEM.flatMap(system), ...resolverFile()]),
    ...['--proc', '/proc', '--dev', '/dev', '--tmpfs', '/tmp'],
    ...(places.everywhere ? [] : ['--tmpfs', home, ...parts.flatMap((path) => bind('--ro-bind', path))]),
    ...places.roots.read.flatMap((path) => bind('--ro-bind', path)),
    ...places.roots.write.flatMap((path) => bind('--bind', path)),
    ...hidden(places, shown),
  ];
}

/** `/bin` is often a link to `/usr/bin`, and stays one. */
function system(path: string): string[] {
  try {
    return lstatSync(path).isSymbolicLink() ? ['--symlink', readlinkSync(path), path] : ['--ro-bind', path, path];
  } catch {
    return [];
  }
}

/** Names are looked up through a file that may live in /run, which is not shown. */
function resolverFile(): string[] {
  const file = realOr('/etc/resolv.conf');
  return file.startsWith('/run/') ? bind('--ro-bind', file) : [];
}

/** The home is empty, but for programs that the search path names and settings without secrets. */
function homeParts(home: string, searchPath: string): string[] {
  const programs = searchPath
    .split(':')
    .filter((folder) => isInside(folder, home) && folder !== home)
    .map((folder) => toolFolder(folder, home));
  const files = HOME_FILES.map((file) => join(home, file));
  return [...new Set([...programs, ...toolData(home, programs), ...files])];
}

/** The folder above `bin` holds what the programs need; unless it is the home itself, or shared by all. */
function toolFolder(folder: string, home: string): string {
  const above = dirname(folder);
  return above === home || above === join(home, '.local') ? folder : above;
}

/** Tool chains that keep their parts elsewhere. */
function toolData(home: string, programs: readonly string[]): string[] {
  const has = (name: string) => programs.some((path) => isInside(path, join(home, name)));
  return [...(has('.cargo') ? [join(home, '.rustup')] : []), ...(has('.pyenv') ? [join(home, '.pyenv')] : [])];
}

function bind(how: '--bind' | '--ro-bind', path: string): string[] {
  return existsSync(path) ? [how, path, path] : [];
}

/** Closed also where it lies inside something open. A configuration file stays readable. */
function hidden({ own, forbidden, credentials, roots }: Places, shown: readonly string[]): string[] {
  const readable = own.filter((path) => /\.ya?ml$/.test(path));
  // A workspace inside such a folder was chosen by the operator.
  const chosen = (path: string) => [...roots.read, ...roots.write].some((root) => isInside(root, path));
  const closed = [
    ...own.filter((path) => !readable.includes(path)),
    ...forbidden,
    ...[...credentials, ...SECRET_FILES].filter((path) => !chosen(path)),
  ].filter((path) => shown.some((root) => isInside(path, root)));
  return [...closed.flatMap(cover), ...readable.flatMap((path) => bind('--ro-bind', path))];
}

const SECRET_FILES = ['/etc/shadow', '/etc/gshadow', '/etc/sudoers', '/etc/sudoers.d', '/etc/ssl/private', '/etc/ssh'];

function cover(path: string): string[] {
  try {
    return statSync(path).isDirectory() ? ['--tmpfs', path, '--remount-ro', path] : ['--ro-bind', '/dev/null', path];
  } catch {
    return [];
  }
}

function realOr(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
