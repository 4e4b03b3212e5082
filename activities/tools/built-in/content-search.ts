/** `content_search`: lines of files that match a regular expression or a text. */
import { isUtf8 } from 'node:buffer';
import { z } from 'zod';
import { withTimeLimit } from '../../../assess/time-limit.ts';
import { shorten } from '../../../core/graphemes.ts';
import { openFile } from '../open-safely.ts';
import { ToolFault } from '../tool-fault.ts';
import type { Tool } from '../types.ts';
import { matcher, skipped } from './glob-search.ts';
import { allowedPath, assessPath, native, type Own } from './native.ts';
import { type Walked, walk } from './walk.ts';

const MOST_FOUND = 200;
const MOST_FILES = 50_000;
const LARGEST_FILE = 4 * 1024 * 1024;
const LONGEST_LINE = 300;
/** Milliseconds a pattern may work on one file; the worker stands still for so long. */
const PER_FILE_MS = 200;

const parameters = z.strictObject({
  pattern: z.string().min(1).max(1000).describe('A JavaScript regular expression, matched in each line by itself'),
  path: z.string().optional().describe('The file or folder to search (default: the workspace)'),
  glob: z.string().min(1).max(1000).optional().describe('Only files whose path matches, as in "**/*.ts"'),
  literal: z.boolean().optional().describe('Take the pattern as plain text (default false)'),
  ignore_case: z.boolean().optional().describe('Upper and lower case are the same (default false)'),
});

type Args = z.output<typeof parameters>;

export function contentSearch(own: Own): Tool {
  return native({
    name: 'content_search',
    description:
      'Finds lines in text files of the workspace by a regular expression or plain text. Gives back "path:line: text". Binary files, files over 4 MiB, .git and node_modules are passed over.',
    parameters,
    effect: 'none',
    assess: ({ path = '.' }, context) => assessPath(path, 'read', { ...context, ...own }),
    async execute(args, context) {
      const { path: root } = await allowedPath(args.path ?? '.', 'read', { ...context, ...own });
      const finder = finderOf(args);
      const wanted = args.glob === undefined ? () => true : matcher(args.glob);
      const found: string[] = [];
      let files = 0;
      for await (const file of filesOf(root, { ...context, ...own, skip: skipped(`${args.glob} ${args.path}`) })) {
        if (!wanted(file.path)) continue;
        files += 1;
        if (files > MOST_FILES || found.length >= MOST_FOUND) break;
        const text = await textOf(file.real);
        if (text === undefined) continue;
        const hits = finder(file, text).slice(0, MOST_FOUND - found.length);
        found.push(...hits);
      }
      if (found.length === 0) return `No line matches (${files} files searched).`;
      if (found.length >= MOST_FOUND)
        found.push(`[stopped at ${MOST_FOUND} lines; use a narrower pattern, path or glob]`);
      return found.join('\n');
    },
  });
}

/** A file stands for itself, a folder for what is in it. */
async function* filesOf(root: string, options: Parameters<typeof walk>[1]): AsyncGenerator<Walked> {
  let single = false;
  try {
    const handle = await openFile(root);
    await handle.close();
    single = true;
  } catch (error) {
    if (!(error instanceof ToolFault) || !error.message.includes('is a folder')) throw error;
  }
  if (single) yield { path: root.slice(options.workspace.length + 1), real: root, kind: 'file' };
  else for await (const entry of walk(root, options)) if (entry.kind === 'file') yield entry;
}

type Finder = (file: Walked, text: string) => string[];

function finderOf({ pattern, literal = false, ignore_case = false }: Args): Finder {
  const expression = regExpOf(literal ? pattern.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&') : pattern, ignore_case);
  return (file, text) => {
    const searched = withTimeLimit(PER_FILE_MS, () => linesOf(text, expression));
    if (searched.kind === 'too_slow') {
      throw new ToolFault(
        `the pattern takes too long on ${file.path}; use a simpler one without nested repetition, or literal`,
      );
    }
    return searched.value.map(([line, content]) => `${file.path}:${line}: ${shorten(content.trim(), LONGEST_LINE)}`);
  };
}

function linesOf(text: string, expression: RegExp): [number, string][] {
  const hits: [number, string][] = [];
  let number = 0;
  for (const line of text.split(/\r?\n/)) {
    number += 1;
    if (expression.test(line) && hits.push([number, line]) > MOST_FOUND) break;
  }
  return hits;
}

function regExpOf(source: string, ignoreCase: boolean): RegExp {
  try {
    return new RegExp(source, ignoreCase ? 'iu' : 'u');
  } catch (error) {
    const { message } = error as Error;
    // Without `u` JavaScript takes what other dialects write, such as `\-` or `\_`.
    try {
      return new RegExp(source, ignoreCase ? 'i' : '');
    } catch {
      throw new ToolFault(
        `the pattern is no valid regular expression: ${message}. Set literal to true to search for it as text`,
      );
    }
  }
}

async function textOf(path: string): Promise<string | undefined> {
  try {
    const handle = await openFile(path);
    try {
      if ((await handle.stat()).size > LARGEST_FILE) return undefined;
      const content = await handle.readFile();
      return content.subarray(0, 8192).includes(0) || !isUtf8(content) ? undefined : content.toString('utf8');
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (error instanceof ToolFault) return undefined;
    throw error;
  }
}
