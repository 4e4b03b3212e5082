// Commands that work on the store itself, beside whatever else runs on it.
import type { Config } from '../config/config.ts';
import type { Store } from '../store/api.ts';
import { configured } from './configuration.ts';
import type { Context } from './context.ts';
import { openGround } from './ground.ts';

export type FolderOptions = { data?: string };

export async function withStore<T>(
  context: Context,
  options: FolderOptions,
  work: (store: Store, config: Config) => Promise<T>,
): Promise<T> {
  const { config } = await configured({ path: context.flags.config, flags: { data: options.data } });
  const { store } = await openGround(config);
  try {
    return await work(store, config);
  } finally {
    await store.close();
  }
}
