/** Writes a small file whole or not at all, also when several processes start at once. */
import { randomBytes } from 'node:crypto';
import { link, open, rename, unlink } from 'node:fs/promises';

/** True when this call made the file, false when it was there. Durable when it returns. */
export async function createOnce(file: string, text: string, mode = 0o600): Promise<boolean> {
  const draft = draftOf(file);
  await writeNew(draft, text, mode);
  try {
    // A hard link appears with its whole content and fails if the name is taken; a rename would replace what is there.
    await link(draft, file);
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return false;
    if (!NO_LINKS.includes(code ?? '')) throw error;
    return await writeWithoutLinks(file, text, mode);
  } finally {
    await unlink(draft);
  }
}

/** Readers see the old content or the new, never a part. */
export async function replaceWhole(file: string, text: string, mode: number): Promise<void> {
  const draft = draftOf(file);
  await writeNew(draft, text, mode);
  await rename(draft, file);
}

function draftOf(file: string): string {
  return `${file}.${process.pid}.${randomBytes(6).toString('hex')}.tmp`;
}

/** File systems without hard links. */
const NO_LINKS = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'];

async function writeWithoutLinks(file: string, text: string, mode: number): Promise<boolean> {
  try {
    await writeNew(file, text, mode);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

async function writeNew(file: string, text: string, mode: number): Promise<void> {
  const handle = await open(file, 'wx', mode);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
}
