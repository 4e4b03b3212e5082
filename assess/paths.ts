/** Judges one path that a call wants to touch (C11.3). */
import { homedir } from 'node:os';
import { isAbsolute, join, relative, resolve } from 'node:path';
import { type Access, isClosed, type PathContext, type Places, placeFault, placesOf } from './places.ts';
import { realPathOf } from './real-path.ts';

export type { Access, PathContext } from './places.ts';

export type PathJudgement =
  /** `resolved`: absolute, free of links. Open it so that a link swapped in since is refused. */
  | { kind: 'ok'; resolved: string; exists: boolean }
  /** `closed`: no root can open it, whatever folder a relative path starts from. */
  | { kind: 'blocked'; reason: string; closed: boolean };

/**
 * @param path as the model wrote it; relative to the workspace, `~/` is the home folder
 * @returns never throws for a bad path
 */
export async function judgePath(path: string, access: Access, context: PathContext): Promise<PathJudgement> {
  return judgeIn(path, access, await placesOf(context));
}

/** The same for several paths of one call. */
export async function judgeIn(path: string, access: Access, places: Places): Promise<PathJudgement> {
  const spelling = spellingFault(path);
  if (spelling) return refused(spelling);
  const absolute = expandHome(path);
  const wanted = isAbsolute(absolute) ? absolute : `${places.workspace}/${absolute}`;
  if (!isAbsolute(absolute) && leaves(places.workspace, absolute)) {
    return refused(`${path} leaves the workspace`);
  }
  const real = await realPathOf(wanted);
  if (real.kind === 'failed') return refused(`${path}: ${real.why}`);
  const fault = placeFault(real.path, access, places);
  if (fault) return refused(fault.reason, isClosed(fault));
  return { kind: 'ok', resolved: real.path, exists: real.exists };
}

function refused(reason: string, closed = false): PathJudgement {
  return { kind: 'blocked', reason, closed };
}

/** Spellings that are refused before anything is looked up. */
export function spellingFault(path: string): string | undefined {
  if (path === '') return 'the path is empty';
  if (path.includes('\0')) return 'the path holds a NUL character';
  if (path.length > 4096) return 'the path is longer than 4096 characters';
  if (/%(?:25)*(?:2e|2f|5c|00)/i.test(path)) return 'the path hides "." or "/" in an encoding; write it plainly';
  if (/(?:^|[\\/])\.\.\\|\\\.\.(?:[\\/]|$)/.test(path)) return 'the path holds ".." with a backslash';
  if (/^~[^/]/.test(path)) return "another user's home folder (~user) may not be used";
  return undefined;
}

export function expandHome(path: string): string {
  return path === '~' || path.startsWith('~/') ? join(homedir(), path.slice(1)) : path;
}

function leaves(workspace: string, path: string): boolean {
  const inside = relative(workspace, resolve(workspace, path));
  return inside === '..' || inside.startsWith('../');
}
