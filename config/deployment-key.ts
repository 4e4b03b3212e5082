/** The deployment key: seals executions, calls and decisions. Made on first start, 0600; retired ones verify only. */
import { createHash, randomBytes } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Config, SecretRef } from './config.ts';
import type { Env } from './locate.ts';
import { readSecret, refText } from './secret-source.ts';
import { createOnce } from './whole-file.ts';

/** `id`: the first 8 hex digits of the key's SHA-256. `key`: at least 32 bytes. */
export type SealKey = { id: string; key: Buffer };
export type SealKeys = { current: SealKey; retired: SealKey[] };

export type SealKeysResult =
  | { kind: 'ok'; keys: SealKeys; created: boolean; warnings: string[] }
  /** One sentence with what to do; without the key. */
  | { kind: 'error'; message: string };

const KEY_BYTES = 32;
type KeyRead =
  | { kind: 'key'; key: SealKey; warning?: string | undefined }
  | { kind: 'error'; missing: boolean; message: string };

/**
 * Reads the keys; a key file that is not there is made. Safe when several processes start at once: all get the same key.
 * A key that is referred to by environment variable is never made.
 */
export async function loadSealKeys(config: Config, env: Env = process.env): Promise<SealKeysResult> {
  const { deploymentKey, retiredKeys } = config.security;
  let created = false;
  let current = await readKey(deploymentKey, env);
  if (current.kind === 'error' && current.missing && 'file' in deploymentKey) {
    const made = await makeKey(deploymentKey.file);
    if (made.kind === 'error') return made;
    created = made.created;
    current = await readKey(deploymentKey, env);
  }
  if (current.kind === 'error')
    return { kind: 'error', message: `the deployment key cannot be used: ${current.message}` };
  const retired: KeyRead[] = [];
  for (const ref of retiredKeys) retired.push(await readKey(ref, env));
  const bad = retired.find((read) => read.kind === 'error');
  if (bad?.kind === 'error') {
    return {
      kind: 'error',
      message: `a retired deployment key cannot be used: ${bad.message}; without it, what it sealed cannot be verified`,
    };
  }
  const all = [current, ...retired.filter((read) => read.kind === 'key')];
  const warnings = all.flatMap(({ warning }) => warning ?? []);
  return { kind: 'ok', keys: { current: current.key, retired: all.slice(1).map(({ key }) => key) }, created, warnings };
}

export function sealKey(key: Buffer): SealKey {
  return { id: createHash('sha256').update(key).digest('hex').slice(0, 8), key };
}

async function readKey(ref: SecretRef, env: Env): Promise<KeyRead> {
  const read = await readSecret(ref, env);
  if (read.kind === 'none') return { kind: 'error', missing: read.why === 'missing', message: read.message };
  const key = Buffer.from(read.value, 'base64');
  const isBase64 = /^[A-Za-z0-9+/_-]+={0,2}$/.test(read.value);
  if (!isBase64 || key.length < KEY_BYTES) {
    return {
      kind: 'error',
      missing: false,
      message: `${refText(ref)} must hold at least ${KEY_BYTES} bytes in base64`,
    };
  }
  return { kind: 'key', key: sealKey(key), warning: read.warning };
}

async function makeKey(file: string): Promise<{ kind: 'made'; created: boolean } | { kind: 'error'; message: string }> {
  try {
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    return { kind: 'made', created: await createOnce(file, `${randomBytes(KEY_BYTES).toString('base64')}\n`) };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return {
      kind: 'error',
      message: `the deployment key cannot be written to ${file} (${code ?? 'unknown fault'}): make its folder writable, or name another with security.deployment_key`,
    };
  }
}
