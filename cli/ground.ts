// What every part that touches the state of a deployment stands on: its keys, its secrets, its store.
import type { Config } from '../config/config.ts';
import { loadSealKeys, type SealKeys } from '../config/deployment-key.ts';
import { heldValues, loadSecrets, type Secrets } from '../config/secrets.ts';
import type { Store } from '../store/api.ts';
import { StoreError } from '../store/errors.ts';
import { openStore } from '../store/open.ts';
import { CliError, EXIT } from './exit.ts';
import { scrubber } from './scrubber.ts';

export type Ground = {
  store: Store;
  keys: SealKeys;
  secrets: Secrets;
  /** Values that are never shown. */
  held: string[];
  /** What was noticed about key files, without their content. */
  warnings: string[];
};

/** @throws CliError when a key or the store cannot be used */
export async function openGround(config: Config): Promise<Ground> {
  const [loaded, secrets] = await Promise.all([loadSealKeys(config), loadSecrets(config)]);
  if (loaded.kind === 'error') throw new CliError(EXIT.failed, capital(loaded.message), { code: 'deployment_key' });
  const held = heldValues(secrets, loaded.keys);
  const store = await storeOf(config, loaded.keys, scrubber(held).text);
  const warnings = [...loaded.warnings, ...secrets.problems.map(({ path, message }) => `${path}: ${message}`)];
  return { store, keys: loaded.keys, secrets, held, warnings };
}

async function storeOf(config: Config, keys: SealKeys, render: (text: string) => string): Promise<Store> {
  try {
    return await openStore({ url: `sqlite:${config.store.path}`, keys, render });
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    throw new CliError(EXIT.failed, error.message, { code: error.code });
  }
}

const capital = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
