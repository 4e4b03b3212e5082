/** Where the wake-up sockets of one store stand. Every process that opens the store must find the same folder. */
import { createHash } from 'node:crypto';
import { tmpdir, userInfo } from 'node:os';
import { join, resolve } from 'node:path';
import { makeFolder } from '../folders.ts';

/** A socket's path has room for about 104 bytes on macOS and 108 on Linux; its name takes up to 36. */
const MAX_FOLDER_BYTES = 70;

/** The folder, or one in the temporary folder when its path is too long for sockets. Made for its owner alone. */
export function socketFolder(wanted: string): string {
  const full = resolve(wanted);
  const short = Buffer.byteLength(full) <= MAX_FOLDER_BYTES;
  const name = createHash('sha256').update(full).digest('hex').slice(0, 16);
  const folder = short ? full : join(tmpdir(), `everturn-${userInfo().uid}-${name}`);
  try {
    makeFolder(folder, 0o700);
  } catch {
    // Sockets are a matter of speed alone: without the folder the file itself is looked at.
  }
  return folder;
}
