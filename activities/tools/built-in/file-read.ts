/** `file_read`: lines of a text file. */
import type { FileHandle } from 'node:fs/promises';
import { z } from 'zod';
import { openFile } from '../open-safely.ts';
import { ToolFault } from '../tool-fault.ts';
import type { Tool } from '../types.ts';
import { allowedPath, assessPath, native, type Own } from './native.ts';

const DEFAULT_LINES = 2000;
const MOST_LINES = 20_000;
/** Bytes of text given back at once; the result is bounded again for the model. */
const MOST_BYTES = 1024 * 1024;
const CHUNK = 64 * 1024;

export function fileRead(own: Own): Tool {
  return native({
    name: 'file_read',
    description:
      'Reads a text file of the workspace and gives back its lines exactly as they are, without line numbers. Long files are read in parts: a last line in brackets says which lines these were and where to read on. Binary files are refused.',
    parameters: z.strictObject({
      path: z.string().describe('The file, relative to the workspace or absolute'),
      offset: z.int().min(1).optional().describe('First line to read, counted from 1 (default 1)'),
      limit: z.int().min(1).max(MOST_LINES).optional().describe(`How many lines to read (default ${DEFAULT_LINES})`),
    }),
    effect: 'none',
    assess: ({ path }, context) => assessPath(path, 'read', { ...context, ...own }),
    async execute({ path, offset = 1, limit = DEFAULT_LINES }, context) {
      const { path: real } = await allowedPath(path, 'read', { ...context, ...own });
      const handle = await openFile(real);
      try {
        return { success: true, output: await readLines(handle, { path, first: offset, count: limit }) };
      } finally {
        await handle.close();
      }
    },
  });
}

type Wanted = { path: string; first: number; count: number };

async function readLines(handle: FileHandle, wanted: Wanted): Promise<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  const buffer = Buffer.alloc(CHUNK);
  let line = 1;
  let text = '';
  let ended = false;
  const last = wanted.first + wanted.count;
  while (!ended && line < last && text.length < MOST_BYTES) {
    const { bytesRead } = await handle.read(buffer, 0, CHUNK, null);
    ended = bytesRead === 0;
    const piece = decode(decoder, buffer.subarray(0, bytesRead), wanted.path);
    ({ line, text } = takeLines(piece, { line, text }, wanted.first, last));
  }
  return withNote(text, { ...wanted, ended: ended && line < last });
}

function takeLines(piece: string, so: { line: number; text: string }, first: number, last: number): typeof so {
  let { line, text } = so;
  for (let at = 0; at < piece.length && line < last; ) {
    const newline = piece.indexOf('\n', at);
    const end = newline === -1 ? piece.length : newline + 1;
    if (line >= first) text += piece.slice(at, end);
    if (newline !== -1) line += 1;
    at = end;
  }
  return { line, text };
}

function decode(decoder: InstanceType<typeof TextDecoder>, bytes: Uint8Array, path: string): string {
  try {
    if (!bytes.includes(0)) return decoder.decode(bytes, { stream: bytes.length > 0 });
  } catch {
    // Not UTF-8: told the same way as a NUL byte.
  }
  throw new ToolFault(`${path} is not a UTF-8 text file (it looks binary); it cannot be read as text`);
}

/** What was shown, when it was not all of it. */
function withNote(text: string, { path, first, ended }: Wanted & { ended: boolean }): string {
  if (text === '' && first > 1) throw new ToolFault(`${path} has fewer than ${first} lines`);
  if (ended && first === 1) return text === '' ? '(the file is empty)' : text;
  const cut = text.length > MOST_BYTES ? text.slice(0, MOST_BYTES) : text;
  const whole = cut.endsWith('\n') ? cut : `${cut}\n`;
  const last = first + whole.split('\n').length - 2;
  return ended
    ? `${whole}[lines ${first}–${last}, the end of the file]`
    : `${whole}[lines ${first}–${last}; read on with offset ${cut.length < text.length ? last : last + 1}]`;
}
