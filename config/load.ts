/** Finds, reads and checks the configuration as a whole (I2): all mistakes at once, or a configuration. */
import { readFile } from 'node:fs/promises';
import { check, type Loaded } from './check.ts';
import type { ConfigError } from './errors.ts';
import { type Env, type Flags, searchPaths } from './locate.ts';

export type LoadOptions = {
  /** `--config`. */
  path?: string | undefined;
  cwd?: string;
  env?: Env;
  /** Command line flags: they go before the environment and the file. */
  flags?: Flags;
};

export type LoadResult =
  | ({ kind: 'ok' } & Loaded)
  | { kind: 'errors'; errors: ConfigError[] }
  /** No file at any of the places, which are absolute. */
  | { kind: 'missing'; searched: string[]; message: string };

/** A configuration is a page or two; this keeps a mistaken path from being read whole. */
const LARGEST_BYTES = 1 << 20;

export async function loadConfig(options: LoadOptions = {}): Promise<LoadResult> {
  const { cwd = process.cwd(), env = process.env, flags = {} } = options;
  const searched = searchPaths({ path: options.path, cwd, env });
  for (const file of searched) {
    const text = await readText(file);
    if (text.kind === 'none') continue;
    if (text.kind === 'fault') return { kind: 'errors', errors: [{ file, path: '', message: text.message }] };
    return check({ text: text.text, file, env, flags, cwd });
  }
  const message = `no configuration found at ${searched.join(' or ')}; \`everturn init\` writes one`;
  return { kind: 'missing', searched, message };
}

type Read = { kind: 'text'; text: string } | { kind: 'none' } | { kind: 'fault'; message: string };

async function readText(file: string): Promise<Read> {
  let bytes: Buffer;
  try {
    bytes = await readFile(file);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return { kind: 'none' };
    return {
      kind: 'fault',
      message: READ_FAULTS[code ?? ''] ?? `this file cannot be read (${code ?? 'unknown fault'})`,
    };
  }
  if (bytes.length > LARGEST_BYTES) return { kind: 'fault', message: 'this file is larger than 1 MiB' };
  try {
    return { kind: 'text', text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) };
  } catch {
    return { kind: 'fault', message: 'this file is not UTF-8 text' };
  }
}

const READ_FAULTS: Record<string, string> = {
  EISDIR: 'this is a folder, not a file',
  EACCES: 'this file may not be read by the current user',
};
