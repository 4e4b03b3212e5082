/** `everturn init`: writes a first configuration and its workspace folder. Never replaces a file unless told to. */
import { existsSync } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { check } from './check.ts';
import type { ConfigError } from './errors.ts';
import { DEFAULT_STARTER, type Starter, starterText } from './starter.ts';
import { createOnce, replaceWhole } from './whole-file.ts';

export type InitOptions = {
  dir: string;
  starter?: Partial<Starter>;
  /** Write; without it the answer only shows what would be written. */
  yes: boolean;
  /** Replace a file that is there. */
  force?: boolean;
};

export type InitResult = {
  kind: 'written' | 'would_write' | 'exists' | 'errors';
  /** Absolute path of the configuration. */
  file: string;
  text: string;
  /** Absolute paths of folders made (or to be made). */
  folders: string[];
  errors: ConfigError[];
};

/** @throws only faults of the file system, such as a folder that may not be written */
export async function initConfig({ dir, starter, yes, force = false }: InitOptions): Promise<InitResult> {
  const file = join(resolve(dir), 'everturn.yaml');
  const text = starterText({ ...DEFAULT_STARTER, ...starter });
  const folders = [join(resolve(dir), 'workspace')].filter((folder) => !existsSync(folder));
  const result = { file, text, folders, errors: [] };
  const checked = check({ text, file, env: {}, flags: {}, cwd: dir });
  if (checked.kind === 'errors') return { ...result, kind: 'errors', errors: checked.errors };
  const exists = async () => ({ ...result, kind: 'exists' as const, text: await readFile(file, 'utf8') });
  if (existsSync(file) && !force) return exists();
  if (!yes) return { ...result, kind: 'would_write' };
  await mkdir(resolve(dir), { recursive: true });
  for (const folder of folders) await mkdir(folder, { recursive: true });
  if (force) await replaceWhole(file, text, 0o644);
  else if (!(await createOnce(file, text, 0o644))) return exists();
  return { ...result, kind: 'written' };
}
