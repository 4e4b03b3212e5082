/** `file_edit`: an exact replacement in a text file. */
import { isUtf8 } from 'node:buffer';
import { z } from 'zod';
import { ToolFault } from '../tool-fault.ts';
import type { Tool } from '../types.ts';
import { changeFile } from './change-file.ts';
import type { EffectJournal } from './effect-journal.ts';
import { assessPath, native, type Own } from './native.ts';

export function fileEdit(own: Own & { journal: EffectJournal }): Tool {
  return native({
    name: 'file_edit',
    description:
      'Replaces an exact piece of text in a file of the workspace. old_text must be copied exactly from the file (spaces and line breaks count) and must occur exactly once, unless all is true; give more of the surrounding lines to make it unique.',
    parameters: z.strictObject({
      path: z.string().describe('The file, relative to the workspace or absolute'),
      old_text: z.string().min(1).describe('The text to replace, exactly as it is in the file'),
      new_text: z.string().describe('What to put in its place; empty to delete it'),
      all: z.boolean().optional().describe('Replace every occurrence (default false)'),
    }),
    effect: 'idempotent',
    assess: ({ path }, context) => assessPath(path, 'write', { ...context, ...own }),
    async execute({ path, old_text, new_text, all = false }, context) {
      let count = 0;
      const make = (before: Buffer | undefined) => {
        const text = textOf(path, before);
        const edit = inLineEndingsOf(text, { old: old_text, new: new_text });
        count = occurrences(text, edit.old);
        if (count === 0) throw new ToolFault(notFound(path, text, edit.new));
        if (count > 1 && !all) {
          throw new ToolFault(
            `old_text occurs ${count} times in ${path}. Give more of the lines around it, or set all to true`,
          );
        }
        return text.split(edit.old).join(edit.new);
      };
      const done = await changeFile({ path, make }, { ...context, ...own }, own.journal);
      const { before, after } = done;
      const what = count > 1 ? `${count} places` : '1 place';
      const output =
        done.kind === 'unchanged'
          ? `${path} was left as it is: old_text and new_text are the same.`
          : `Edited ${path}${count > 0 ? ` in ${what}` : ''}.`;
      return { success: true, output, data: { path: done.path, before, after } };
    },
  });
}

function textOf(path: string, before: Buffer | undefined): string {
  if (!before) throw new ToolFault(`${path} does not exist; use file_write to make it`);
  // An invalid byte would not survive being read as text and written back.
  if (!isUtf8(before) || before.includes(0))
    throw new ToolFault(`${path} is not a UTF-8 text file; it cannot be edited`);
  return before.toString('utf8');
}

/** Models write `\n`; in a file with `\r\n` the text would never be found. */
function inLineEndingsOf(text: string, edit: { old: string; new: string }): { old: string; new: string } {
  if (text.includes(edit.old) || !text.includes('\r\n')) return edit;
  const convert = (part: string) => part.replace(/\r?\n/g, '\r\n');
  return { old: convert(edit.old), new: convert(edit.new) };
}

function occurrences(text: string, part: string): number {
  return text.split(part).length - 1;
}

function notFound(path: string, text: string, next: string): string {
  const there = next !== '' && text.includes(next) ? ' The new text is in the file already.' : '';
  return `old_text was not found in ${path}; nothing was changed.${there} Read the file again and copy the text exactly`;
}
