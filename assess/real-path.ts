/** Where a path really leads: symlinks followed the way the kernel does, also when the end of it does not exist yet. */
import { readlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';

const MOST_LINKS = 40;

export type RealPath = { kind: 'ok'; path: string; exists: boolean } | { kind: 'failed'; why: string };

/**
 * @param path absolute; `..` means the parent of where the link before it led, not of its name
 * @returns an absolute path without links; what does not exist is kept as it is written
 */
export async function realPathOf(path: string): Promise<RealPath> {
  let rest = parts(path);
  let current = '/';
  let links = 0;
  while (rest.length > 0) {
    const [part, ...after] = rest as [string, ...string[]];
    rest = after;
    if (part === '..') {
      current = dirname(current);
      continue;
    }
    const next = join(current, part);
    const { kind, target } = await lookAt(next);
    if (kind === 'missing') return missing(next, rest);
    if (kind === 'refused') return { kind: 'failed', why: `${next} cannot be looked at` };
    if (kind === 'no_link') {
      current = next;
      continue;
    }
    links += 1;
    if (links > MOST_LINKS) return { kind: 'failed', why: 'too many symbolic links' };
    if (target.startsWith('/')) current = '/';
    rest = [...parts(target), ...rest];
  }
  return { kind: 'ok', path: current, exists: true };
}

function missing(first: string, rest: string[]): RealPath {
  if (rest.includes('..')) return { kind: 'failed', why: `${first} does not exist, so ".." after it leads nowhere` };
  return { kind: 'ok', path: join(first, ...rest), exists: false };
}

function parts(path: string): string[] {
  return path.split('/').filter((part) => part !== '' && part !== '.');
}

type Look = { kind: 'link' | 'no_link' | 'missing' | 'refused'; target: string };

/** One question to the system, not two: between two, a link can come or go. */
async function lookAt(path: string): Promise<Look> {
  try {
    return { kind: 'link', target: await readlink(path) };
  } catch (error) {
    const { code } = error as { code?: string };
    if (code === 'EINVAL') return { kind: 'no_link', target: '' };
    return { kind: code === 'ENOENT' || code === 'ENOTDIR' ? 'missing' : 'refused', target: '' };
  }
}
