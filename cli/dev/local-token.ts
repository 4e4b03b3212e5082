// The token by which commands on this machine talk to the gateway of a data folder: a file that only its owner reads.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { replaceWhole } from '../../config/whole-file.ts';
import type { Store } from '../../store/api.ts';

export const tokenFile = (data: string): string => join(data, 'cli-token');

export async function readLocalToken(data: string): Promise<string | undefined> {
  try {
    return (await readFile(tokenFile(data), 'utf8')).trim() || undefined;
  } catch {
    return undefined;
  }
}

/** The token of the file while the store knows it, else a new one. */
export async function ensureLocalToken(data: string, store: Store): Promise<string> {
  const kept = await readLocalToken(data);
  if (kept !== undefined && (await store.tokens.verify(kept))) return kept;
  const scopes = ['read', 'operate', 'approve', 'admin'] as const;
  const { token } = await store.tokens.create({ name: 'this machine', scopes: [...scopes], at: Date.now() });
  await replaceWhole(tokenFile(data), `${token}\n`, 0o600);
  return token;
}
