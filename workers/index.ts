/** `everturn/worker`: a worker inside one's own program (I6). */
import type { Loaded } from '../config/check.ts';
import { loadSealKeys } from '../config/deployment-key.ts';
import { formatConfigError } from '../config/errors.ts';
import { liveConfig } from '../config/live.ts';
import { loadConfig } from '../config/load.ts';
import { heldValues, loadSecrets } from '../config/secrets.ts';
import { createScrubber } from '../core/redact.ts';
import { redactPatterns } from '../core/redact-patterns.ts';
import { openStore } from '../store/open.ts';
import { type Log, silent } from './log.ts';
import { type RunningWorker, startWorker, type WorkerTarget } from './main.ts';

export type CreateWorkerOptions = {
  /** Path of `everturn.yaml`; default: found as the program finds it. */
  config?: string;
  /** Which Temporal; default: what the configuration says, else 127.0.0.1:7233 and namespace `default`. */
  temporal?: Partial<WorkerTarget>;
  /** How the worker is named at Temporal and in the ledger; unique among living workers. */
  identity?: string;
  log?: Log;
};

/**
 * Starts a worker that runs turns: connects, opens the store, polls.
 * @returns a running worker; `shutdown()` drains it and closes the store
 * @throws Error when the configuration has mistakes (each named), or Temporal or the store cannot be used
 */
export async function createWorker(options: CreateWorkerOptions = {}): Promise<RunningWorker> {
  const loaded = await readConfig(options.config);
  const { config } = loaded;
  const keys = await loadSealKeys(config);
  if (keys.kind === 'error') throw new Error(keys.message);
  const secrets = await loadSecrets(config);
  const scrubber = createScrubber(heldValues(secrets, keys.keys));
  const store = await openStore({
    url: `sqlite:${config.store.path}`,
    keys: keys.keys,
    render: (text) => redactPatterns(scrubber.scrub(text)),
  });
  const { address = '127.0.0.1:7233', namespace = 'default', taskQueue } = config.temporal;
  const worker = await startWorker({
    config,
    live: liveConfig(loaded),
    store,
    secrets,
    keys: keys.keys,
    identity: options.identity ?? `everturn-${process.pid}`,
    log: options.log ?? silent,
    temporal: { address, namespace, taskQueue, ...options.temporal },
  });
  return {
    ...worker,
    shutdown: async () => {
      await worker.shutdown();
      await store.close();
    },
  };
}

async function readConfig(path: string | undefined): Promise<Loaded> {
  const loaded = await loadConfig(path === undefined ? {} : { path });
  if (loaded.kind === 'ok') return loaded;
  if (loaded.kind === 'missing') throw new Error(loaded.message);
  throw new Error(loaded.errors.map(formatConfigError).join('\n'));
}

export type { Log } from './log.ts';
export type { RunningWorker, WorkerTarget } from './main.ts';
