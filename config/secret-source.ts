/** Reads one secret from where its reference points. What goes wrong is said without the value. */
import { readFile, stat } from 'node:fs/promises';
import type { SecretRef } from './config.ts';
import type { Env } from './locate.ts';

export type SecretRead =
  | { kind: 'value'; value: string; warning?: string }
  | { kind: 'none'; why: 'missing' | 'empty' | 'unreadable'; message: string };

const LARGEST_BYTES = 64 << 10;

/** White space at both ends is not part of a secret. */
export async function readSecret(ref: SecretRef, env: Env = process.env): Promise<SecretRead> {
  return 'env' in ref ? fromEnv(ref.env, env) : fromFile(ref.file);
}

export function refText(ref: SecretRef): string {
  return 'env' in ref ? `environment variable ${ref.env}` : ref.file;
}

function fromEnv(name: string, env: Env): SecretRead {
  const value = env[name];
  if (value === undefined) return none('missing', `environment variable ${name} is not set`);
  return given(value, `environment variable ${name}`);
}

async function fromFile(file: string): Promise<SecretRead> {
  try {
    const { mode, size } = await stat(file);
    if (size > LARGEST_BYTES) return none('unreadable', `${file} is larger than 64 KiB; that is no secret`);
    const read = given(await readFile(file, 'utf8'), file);
    const open = process.platform !== 'win32' && (mode & 0o077) !== 0;
    if (read.kind === 'none' || !open) return read;
    return { ...read, warning: `${file} can be read by others (mode ${(mode & 0o777).toString(8)}): chmod 600 it` };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return none('missing', `there is no file ${file}`);
    return none('unreadable', `${file} cannot be read (${code ?? 'unknown fault'})`);
  }
}

function given(text: string, where: string): SecretRead {
  const value = text.trim();
  return value === '' ? none('empty', `${where} is empty`) : { kind: 'value', value };
}

function none(why: 'missing' | 'empty' | 'unreadable', message: string): SecretRead {
  return { kind: 'none', why, message };
}
