/** `file_list`: what is in a folder. */
import { z } from 'zod';
import type { Tool } from '../types.ts';
import { allowedPath, assessPath, native, type Own } from './native.ts';
import { walk } from './walk.ts';

const MOST_ENTRIES = 1000;

export function fileList(own: Own): Tool {
  return native({
    name: 'file_list',
    description:
      'Lists a folder of the workspace: one entry a line, folders end in "/", files are followed by their size in bytes, links by "@". With depth, folders inside are listed too (not .git and node_modules). To find files by name use glob_search.',
    parameters: z.strictObject({
      path: z
        .string()
        .optional()
        .describe('The folder, relative to the workspace or absolute (default: the workspace)'),
      depth: z.int().min(1).max(10).optional().describe('How many levels to list (default 1)'),
    }),
    effect: 'none',
    assess: ({ path = '.' }, context) => assessPath(path, 'read', { ...context, ...own }),
    async execute({ path = '.', depth = 1 }, context) {
      const { path: root } = await allowedPath(path, 'read', { ...context, ...own });
      const lines: string[] = [];
      let more = false;
      for await (const entry of walk(root, { ...context, ...own, depth, sizes: true })) {
        more = lines.length >= MOST_ENTRIES;
        if (more) break;
        const mark = entry.kind === 'folder' ? '/' : entry.kind === 'link' ? '@' : '';
        lines.push(`${entry.path}${mark}${entry.size === undefined ? '' : ` ${entry.size}`}`);
      }
      if (more) lines.push(`[more than ${MOST_ENTRIES} entries; list a folder inside, or use glob_search]`);
      return lines.length === 0 ? '(the folder is empty)' : lines.join('\n');
    },
  });
}
