/** Which places a tool may touch (C11.3): the roots that are open, and what no root can open. */
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import type { PathPolicy } from '../core/execution.ts';
import { CREDENTIALS_ANYWHERE, CREDENTIALS_AT_HOME, HARMLESS_DEVICE, HARMLESS_PROC, SYSTEM } from './place-lists.ts';
import { realPathOf } from './real-path.ts';

export type Access = 'read' | 'write';

export type PathContext = {
  /** Absolute path. */
  workspace: string;
  policy: { paths: PathPolicy };
  /**
   * The product's own files: never writable. A `.yaml` or `.yml` configuration file may be read; everything else
   * (data folder, keys) may not even be read.
   */
  ownState: readonly string[];
};

/** The same with every root resolved; valid for one judgement, because links may change. */
export type Places = {
  workspace: string;
  everywhere: boolean;
  roots: { read: string[]; write: string[] };
  own: string[];
  forbidden: string[];
  credentials: string[];
};

export type PlaceFault = { kind: 'own' | 'forbidden' | 'credential' | 'system' | 'outside'; reason: string };

export async function placesOf({ workspace, policy, ownState }: PathContext): Promise<Places> {
  const real = (paths: readonly string[]) => Promise.all(paths.map((path) => realOrSame(resolve(workspace, path))));
  const [root, read, write, own, forbidden, credentials] = await Promise.all([
    realOrSame(workspace),
    real(policy.paths.read),
    real(policy.paths.write),
    real(ownState),
    real(policy.paths.forbidden.map(fromHome)),
    credentialsAtHome(),
  ]);
  return {
    workspace: root,
    everywhere: !policy.paths.workspaceOnly,
    roots: { read: [root, ...read], write: [root, ...write] },
    own,
    forbidden,
    credentials,
  };
}

/**
 * What speaks against touching a place; undefined when nothing does.
 * @param path absolute and free of links
 */
export function placeFault(path: string, access: Access, places: Places): PlaceFault | undefined {
  if (places.own.some((own) => isInside(path, own) && !(access === 'read' && /\.ya?ml$/.test(own)))) {
    return { kind: 'own', reason: `${path} belongs to Everturn itself and is closed to tools` };
  }
  if (places.forbidden.some((each) => isInside(path, each))) {
    return { kind: 'forbidden', reason: `${path} is in a forbidden place` };
  }
  const open = longest(path, places.roots[access]);
  const credential = longest(path, places.credentials);
  if (credential > open || (open === 0 && CREDENTIALS_ANYWHERE.test(path))) {
    return { kind: 'credential', reason: `${path} holds credentials and is closed to tools` };
  }
  if (HARMLESS_DEVICE.test(path) || (access === 'read' && HARMLESS_PROC.test(path))) return undefined;
  if (longest(path, SYSTEM) > open) return { kind: 'system', reason: `${path} is in a system directory` };
  if (open > 0 || places.everywhere) return undefined;
  const where = access === 'read' ? 'read' : 'written';
  return { kind: 'outside', reason: `${path} is outside the workspace and may not be ${where}` };
}

/** Places that must stay hidden even where something around them is open. */
export function isClosed(fault: PlaceFault): boolean {
  return fault.kind === 'own' || fault.kind === 'forbidden' || fault.kind === 'credential';
}

/** Hooks and settings in there make a later harmless `git status` run what they say. */
export function isVersionControl(path: string): boolean {
  return /\/\.(?:git|hg|svn|jj)(?:\/|$)/.test(path);
}

export function isInside(path: string, root: string): boolean {
  return path === root || path.startsWith(root === '/' ? '/' : `${root}/`);
}

/** The more exact place decides: a workspace in `/opt/app` is open, the rest of `/opt` is not. */
function longest(path: string, roots: readonly string[]): number {
  return Math.max(0, ...roots.filter((root) => isInside(path, root)).map((root) => root.length));
}

/** Looked up anew now and then only: it is a long list, and every call is judged. */
const CREDENTIALS_KEPT_MS = 5000;
let known: { home: string; at: number; paths: Promise<string[]> } | undefined;

function credentialsAtHome(): Promise<string[]> {
  const home = homedir();
  if (known?.home !== home || Date.now() - known.at > CREDENTIALS_KEPT_MS) {
    const paths = CREDENTIALS_AT_HOME.map((path) => join(home, path));
    known = { home, at: Date.now(), paths: Promise.all(paths.map(realOrSame)) };
  }
  return known.paths;
}

async function realOrSame(path: string): Promise<string> {
  const real = await realPathOf(path);
  return real.kind === 'ok' ? real.path : path;
}

function fromHome(path: string): string {
  return path === '~' || path.startsWith('~/') ? join(homedir(), path.slice(1)) : path;
}
