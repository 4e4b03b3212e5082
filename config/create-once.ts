/** Writes a small private file whole or not at all, and only if it is not there: for several processes that start at once. */
import { randomBytes } from 'node:crypto';
import { link, open, unlink } from 'node:fs/promises';

/** True when this call made the file, false when it was there. Mode 0600; durable when it returns. */
export async function createOnce(file: string, text: string): Promise<boolean> {
  const draft = `${file}.${process.pid}.${randomBytes(6).toString('hex')}.tmp`;
  await writeNew(draft, text);
  try {
    // A hard link appears with its whole content and fails if the name is taken; a rename would replace what is there.
    await link(draft, file);
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return false;
    if (!NO_LINKS.includes(code ?? '')) throw error;
    return await writeWithoutLinks(file, text);
  } finally {
    await unlink(draft);
  }
}

/** File systems without hard links. */
const NO_LINKS = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'];

async function writeWithoutLinks(file: string, text: string): Promise<boolean> {
  try {
    await writeNew(file, text);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

async function writeNew(file: string, text: string): Promise<void> {
  const handle = await open(file, 'wx', 0o600);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
}
