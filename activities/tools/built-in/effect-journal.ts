/**
 * Remembers, before a file is changed, what it was and what it will be (C1.6). Run again with the same key, a file tool then knows its
 * own finished effect, and never overwrites what somebody else did in between. Survives the worker, not the machine.
 */
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';

/** Content hashes (sha256 hex); '' = there was no file. */
export type FileEffect = { path: string; before: string; after: string };

export type EffectJournal = {
  recall: (key: string) => Promise<FileEffect | undefined>;
  remember: (key: string, effect: FileEffect) => Promise<void>;
};

/** Longer than any turn may wait between two attempts of one call. */
const KEPT_MS = 7 * 24 * 3600 * 1000;
const PRUNE_EVERY = 500;

/** @param folder a folder of our own, made on first use; default: one below the system's temporary folder */
export function effectJournal(folder: string = join(tmpdir(), `everturn-${userInfo().uid}`, 'effects')): EffectJournal {
  const file = (key: string) => join(folder, hashOf(key));
  let written = 0;
  return {
    async recall(key) {
      try {
        return JSON.parse(await readFile(file(key), 'utf8')) as FileEffect;
      } catch {
        return undefined;
      }
    },
    async remember(key, effect) {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      if (written % PRUNE_EVERY === 0) await prune(folder);
      written += 1;
      await writeFile(`${file(key)}.new`, JSON.stringify(effect), { mode: 0o600 });
      await rename(`${file(key)}.new`, file(key));
    },
  };
}

export function hashOf(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}

async function prune(folder: string): Promise<void> {
  const oldest = Date.now() - KEPT_MS;
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    const kept = await stat(path).then(
      (each) => each.mtimeMs > oldest,
      () => true,
    );
    if (!kept) await rm(path, { force: true });
  }
}
