/**
 * Opens what a judgement allowed, and nothing else (C11.3). A judged path is free of links, so a link met now was put there
 * in between and is refused. On Linux every step starts from the open folder before it; elsewhere the path is compared before and after.
 */
import { constants, existsSync } from 'node:fs';
import { type FileHandle, mkdir, open, realpath } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { ToolFault } from './tool-fault.ts';

const BY_DESCRIPTOR = process.platform === 'linux' && existsSync('/proc/self/fd');
/** Linux O_PATH: a handle on a folder that needs no right to list it. Node has no name for it. */
const O_PATH = 0o10000000;
const FOLDER = constants.O_DIRECTORY | constants.O_NOFOLLOW | (BY_DESCRIPTOR ? O_PATH : constants.O_RDONLY);

/**
 * Opens a regular file. The caller closes the handle.
 * @param path absolute and free of links, as `judgePath` resolved it
 * @param flags of `open`; O_NOFOLLOW and O_NONBLOCK are added (a pipe must not hold the worker up)
 * @throws ToolFault when it is missing, no regular file, or something was swapped in
 */
export async function openFile(path: string, flags: number = constants.O_RDONLY): Promise<FileHandle> {
  return inFolder(dirname(path), async (folder) => {
    const name = `${folder}/${basename(path)}`;
    const handle = await open(name, flags | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(fault(path));
    try {
      const stat = await handle.stat();
      if (stat.isDirectory()) throw new ToolFault(`${path} is a folder, not a file`);
      if (!stat.isFile()) throw new ToolFault(`${path} is not a regular file`);
      if (BY_DESCRIPTOR && (await realpath(`/proc/self/fd/${handle.fd}`)) !== path) throw swapped(path);
      return handle;
    } catch (error) {
      await handle.close();
      throw error;
    }
  });
}

/**
 * Works in a folder that stays the same one whatever happens to its name.
 * @param work gets a prefix for names of its entries; valid until it is done
 * @param options.create makes missing folders
 */
export async function inFolder<T>(
  path: string,
  work: (folder: string) => Promise<T>,
  options: { create?: boolean } = {},
): Promise<T> {
  if (!BY_DESCRIPTOR) return inFolderByName(path, work, options);
  let handle = await open('/', FOLDER);
  try {
    for (const part of path.split('/').filter((each) => each !== '')) {
      const name = `/proc/self/fd/${handle.fd}/${part}`;
      if (options.create) await mkdir(name).catch(unlessThere(path));
      const next = await open(name, FOLDER).catch(fault(path));
      await handle.close();
      handle = next;
    }
    return await work(`/proc/self/fd/${handle.fd}`);
  } finally {
    await handle.close();
  }
}

async function inFolderByName<T>(
  path: string,
  work: (folder: string) => Promise<T>,
  options: { create?: boolean },
): Promise<T> {
  if (options.create) await mkdir(path, { recursive: true }).catch(fault(path));
  const same = async () => (await realpath(path).catch(fault(path))) === path;
  if (!(await same())) throw swapped(path);
  const result = await work(path);
  if (!(await same())) throw swapped(path);
  return result;
}

function unlessThere(path: string): (error: unknown) => void {
  return (error) => {
    const { code } = error as { code?: string };
    // Whatever else is wrong shows when the folder is opened.
    if (code !== 'EEXIST' && code !== 'ENOENT') fault(path)(error);
  };
}

const WORDS: Record<string, string> = {
  ENOENT: 'does not exist',
  EACCES: 'may not be opened by this user',
  EPERM: 'may not be opened by this user',
  EROFS: 'is on a read-only disk',
  ENOSPC: 'cannot be written: the disk is full',
  EISDIR: 'is a folder, not a file',
  ENXIO: 'is not a regular file',
  ENAMETOOLONG: 'has a name that is too long',
};

/** Turns an error of the file system into words for the model, which name the real path and not a descriptor. */
export function fault(path: string): (error: unknown) => never {
  return (error) => {
    if (error instanceof ToolFault) throw error;
    const { code = '' } = error as { code?: string };
    if (code === 'ELOOP' || code === 'ENOTDIR') throw swapped(path);
    throw new ToolFault(`${path} ${WORDS[code] ?? `could not be used (${code || 'unknown error'})`}`);
  };
}

function swapped(path: string): ToolFault {
  return new ToolFault(
    `${path} is not what it was when it was checked: a part of it is a link or no folder. Nothing was done`,
  );
}
