/** Walks a folder in a stable order, without following links, past what is closed. */
import type { Dirent } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { isClosed, placeFault, placesOf } from '../../../assess/places.ts';
import { fault, inFolder } from '../open-safely.ts';
import type { ToolContext } from '../types.ts';
import type { Own } from './native.ts';

export type Walked = {
  /** Relative to the folder walked. */
  path: string;
  /** Absolute. */
  real: string;
  kind: 'file' | 'folder' | 'link' | 'other';
  size?: number;
};

export type WalkOptions = Pick<ToolContext, 'workspace' | 'policy' | 'signal'> &
  Own & {
    depth?: number;
    sizes?: boolean;
    /** Folders that are shown but not entered. */
    skip?: readonly string[];
  };

export const SKIPPED: readonly string[] = ['.git', '.hg', '.svn', 'node_modules'];

/** @throws ToolFault when the folder cannot be opened; what cannot be opened below it is passed over */
export async function* walk(root: string, options: WalkOptions): AsyncGenerator<Walked> {
  const { depth = 64, sizes = false, skip = SKIPPED } = options;
  const places = await placesOf(options);
  const closed = (path: string) => {
    const found = placeFault(path, 'read', places);
    return found !== undefined && isClosed(found);
  };
  const pending = [{ real: root, path: '', level: 1 }];
  for (let folder = pending.pop(); folder; folder = pending.pop()) {
    options.signal.throwIfAborted();
    const entries = await list(folder.real, folder.level === 1);
    const inner: typeof pending = [];
    for (const entry of entries) {
      const real = join(folder.real, entry.name);
      if (closed(real)) continue;
      const path = folder.path === '' ? entry.name : `${folder.path}/${entry.name}`;
      const kind = kindOf(entry);
      yield { path, real, kind, ...(sizes && kind === 'file' ? await sizeOf(real) : {}) };
      if (kind === 'folder' && folder.level < depth && !skip.includes(entry.name)) {
        inner.push({ real, path, level: folder.level + 1 });
      }
    }
    pending.push(...inner.reverse());
  }
}

async function list(folder: string, isRoot: boolean): Promise<Dirent[]> {
  try {
    const entries = await inFolder(folder, (open) => readdir(open, { withFileTypes: true }));
    return entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch (error) {
    if (isRoot) fault(folder)(error);
    return [];
  }
}

function kindOf(entry: Dirent): Walked['kind'] {
  if (entry.isSymbolicLink()) return 'link';
  if (entry.isDirectory()) return 'folder';
  return entry.isFile() ? 'file' : 'other';
}

async function sizeOf(path: string): Promise<{ size?: number }> {
  try {
    return { size: (await lstat(path)).size };
  } catch {
    return {};
  }
}
