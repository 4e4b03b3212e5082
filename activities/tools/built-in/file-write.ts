/** `file_write`: a whole file. */
import { z } from 'zod';
import type { Tool } from '../types.ts';
import { changeFile } from './change-file.ts';
import type { EffectJournal } from './effect-journal.ts';
import { assessPath, native, type Own } from './native.ts';

export function fileWrite(own: Own & { journal: EffectJournal }): Tool {
  return native({
    name: 'file_write',
    description:
      'Writes a text file of the workspace as a whole: makes it, with its folders, or replaces everything in it. To change a part of a file use file_edit.',
    parameters: z.strictObject({
      path: z.string().describe('The file, relative to the workspace or absolute'),
      content: z.string().describe('The whole new content'),
    }),
    effect: 'idempotent',
    assess: ({ path }, context) => assessPath(path, 'write', { ...context, ...own }),
    async execute({ path, content }, context) {
      const done = await changeFile({ path, make: () => content }, { ...context, ...own }, own.journal);
      const lines = content === '' ? 0 : content.replace(/\n$/, '').split('\n').length;
      const size = `${plural(done.bytes, 'byte')}, ${plural(lines, 'line')}`;
      const { before, after } = done;
      return {
        success: true,
        output:
          done.kind === 'unchanged'
            ? `${path} already had exactly this content (${size}).`
            : `${done.existed ? 'Replaced' : 'Wrote'} ${path} (${size}).`,
        data: { path: done.path, before, after },
      };
    },
  });
}

function plural(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? '' : 's'}`;
}
