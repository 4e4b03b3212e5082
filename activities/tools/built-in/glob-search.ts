/** `glob_search`: files by name. */
import picomatch from 'picomatch';
import { z } from 'zod';
import { ToolFault } from '../tool-fault.ts';
import type { Tool } from '../types.ts';
import { allowedPath, assessPath, native, type Own } from './native.ts';
import { SKIPPED, walk } from './walk.ts';

const MOST_FOUND = 500;
const MOST_LOOKED_AT = 200_000;

export function globSearch(own: Own): Tool {
  return native({
    name: 'glob_search',
    description:
      'Finds files by name pattern, as in "**/*.ts" or "src/{a,b}/*.json". "*" stays within one folder, "**" goes through folders. Gives back paths relative to the searched folder, in order. .git and node_modules are searched only if the pattern names them.',
    parameters: z.strictObject({
      pattern: z.string().min(1).max(1000).describe('The pattern, relative to the searched folder'),
      path: z.string().optional().describe('The folder to search (default: the workspace)'),
    }),
    effect: 'none',
    assess: ({ path = '.' }, context) => assessPath(path, 'read', { ...context, ...own }),
    async execute({ pattern, path = '.' }, context) {
      const { path: root } = await allowedPath(path, 'read', { ...context, ...own });
      const matches = matcher(pattern);
      const found: string[] = [];
      let seen = 0;
      let cut = false;
      for await (const entry of walk(root, { ...context, ...own, skip: skipped(pattern) })) {
        seen += 1;
        cut = found.length >= MOST_FOUND || seen > MOST_LOOKED_AT;
        if (cut) break;
        if (entry.kind !== 'folder' && matches(entry.path)) found.push(entry.path);
      }
      if (cut) found.push(`[stopped after ${found.length} files found among ${seen}; use a narrower pattern or path]`);
      return found.length === 0 ? 'No file matches.' : found.join('\n');
    },
  });
}

/** @throws ToolFault for a pattern that cannot be used */
export function matcher(pattern: string): (path: string) => boolean {
  try {
    return picomatch(pattern.replace(/^\.\//, ''), { dot: true, strictBrackets: true, maxLength: 1000 });
  } catch (error) {
    throw new ToolFault(`the pattern ${JSON.stringify(pattern)} cannot be used: ${(error as Error).message}`);
  }
}

export function skipped(pattern: string): string[] {
  return SKIPPED.filter((name) => !pattern.includes(name));
}
