/** Changes one file as a whole: judged, bound to what it replaces, atomic, and safe to run again with the same key. */
import { constants } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { fault, inFolder, openFile } from '../open-safely.ts';
import { ToolFault } from '../tool-fault.ts';
import type { ToolContext } from '../types.ts';
import { type EffectJournal, hashOf } from './effect-journal.ts';
import { allowedPath, type Own } from './native.ts';

/** Larger files are no business of a model's edit. */
export const MOST_BYTES = 10 * 1024 * 1024;

export type Change = {
  path: string;
  /** The new content from the old one; undefined old = there is no file. @throws ToolFault when it cannot be made */
  make: (before: Buffer | undefined) => string | Buffer;
};

export type Changed = {
  kind: 'changed' | 'unchanged' | 'done_before';
  path: string;
  existed: boolean;
  bytes: number;
  before: string;
  after: string;
};

/** @throws ToolFault; nothing was written then */
export async function changeFile(change: Change, context: ToolContext & Own, journal: EffectJournal): Promise<Changed> {
  const { path } = await allowedPath(change.path, 'write', context);
  const old = await contentOf(path);
  const before = old ? hashOf(old.content) : '';
  const earlier = await journal.recall(context.idempotencyKey);
  if (earlier && earlier.path === path && earlier.after === before) {
    return { ...earlier, kind: 'done_before', existed: earlier.before !== '', bytes: old?.content.length ?? 0 };
  }
  if (earlier && earlier.before !== before) {
    throw new ToolFault(
      `${change.path} was changed by something else after this call had begun. Nothing was written; read it again`,
    );
  }
  const content = Buffer.from(change.make(old?.content));
  if (content.length > MOST_BYTES) throw new ToolFault(`the new content is larger than ${MOST_BYTES} bytes`);
  const after = hashOf(content);
  const changed = { path, existed: old !== undefined, bytes: content.length, before, after };
  if (after === before) return { kind: 'unchanged', ...changed };
  context.signal.throwIfAborted();
  await journal.remember(context.idempotencyKey, { path, before, after });
  await replace(path, { content, mode: old?.mode, before });
  return { kind: 'changed', ...changed };
}

async function contentOf(path: string): Promise<{ content: Buffer; mode: number } | undefined> {
  const handle = await openFile(path).catch((error: unknown) => {
    if (error instanceof ToolFault && error.message.endsWith('does not exist')) return undefined;
    throw error;
  });
  if (!handle) return undefined;
  try {
    const { size, mode } = await handle.stat();
    if (size > MOST_BYTES)
      throw new ToolFault(`${path} is larger than ${MOST_BYTES} bytes; it is not changed by this tool`);
    return { content: await handle.readFile(), mode: mode & 0o777 };
  } finally {
    await handle.close();
  }
}

/** A new file beside it takes its place, so that nobody ever reads half of it. */
async function replace(
  path: string,
  next: { content: Buffer; mode: number | undefined; before: string },
): Promise<void> {
  await inFolder(
    dirname(path),
    async (folder) => {
      const beside = `${folder}/.${basename(path).slice(0, 100)}.${process.pid}.${Math.random().toString(36).slice(2)}.tmp`;
      const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
      const handle = await open(beside, flags, 0o666).catch(fault(path));
      try {
        await handle.writeFile(next.content);
        if (next.mode !== undefined) await handle.chmod(next.mode);
        await handle.sync();
        await handle.close();
        await unchanged(path, next.before);
        await rename(beside, `${folder}/${basename(path)}`);
      } catch (error) {
        await handle.close().catch(() => {});
        await rm(beside, { force: true });
        fault(path)(error);
      }
    },
    { create: true },
  );
}

/** Looked at once more right before the exchange: what is left is the blink between these two calls. */
async function unchanged(path: string, before: string): Promise<void> {
  const now = await contentOf(path);
  if ((now ? hashOf(now.content) : '') !== before) {
    throw new ToolFault(`${path} was changed by something else just now. Nothing was written; read it again`);
  }
}
