// A worker process that kills itself (SIGKILL, no clean-up) at one exact place: before or after a write to the store.
import { readFileSync } from 'node:fs';
import { loadSealKeys } from '../../config/deployment-key.ts';
import { loadConfig } from '../../config/load.ts';
import { loadSecrets } from '../../config/secrets.ts';
import type { Store } from '../../store/api.ts';
import { openStore } from '../../store/open.ts';
import { startWorker } from '../../workers/main.ts';

export type CrashPlan = {
  /** `room.method` of the store, for example `transcript.closeStep`. */
  at: string;
  when: 'before' | 'after';
  /** The how manieth call, from 1. */
  nth?: number;
  /** Only calls whose JSON holds this. */
  holding?: string;
};

export type CrashWorkerOrder = {
  config: string;
  temporal: { address: string; namespace: string; taskQueue: string };
  identity: string;
  crash?: CrashPlan;
};

const order = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as CrashWorkerOrder;
process.once('disconnect', () => process.exit(0));
const loaded = await loadConfig({ path: order.config, env: {} });
if (loaded.kind !== 'ok') throw new Error(JSON.stringify(loaded));
const { config } = loaded;
const keys = await loadSealKeys(config);
if (keys.kind === 'error') throw new Error(keys.message);
const store = await openStore({ url: `sqlite:${config.store.path}`, keys: keys.keys });
await startWorker({
  config,
  keys: keys.keys,
  store: order.crash ? crashing(store, order.crash) : store,
  secrets: await loadSecrets(config),
  identity: order.identity,
  temporal: order.temporal,
  log: () => {},
});
process.send?.('ready');

function crashing(real: Store, plan: CrashPlan): Store {
  const [room = '', method = ''] = plan.at.split('.');
  let seen = 0;
  const wrapped = new Proxy(real[room as keyof Store] as object, {
    get(target, name) {
      const own = Reflect.get(target, name) as unknown;
      if (name !== method || typeof own !== 'function') return typeof own === 'function' ? own.bind(target) : own;
      return async (...args: unknown[]) => {
        const hit =
          (plan.holding === undefined || JSON.stringify(args).includes(plan.holding)) && ++seen === (plan.nth ?? 1);
        if (hit && plan.when === 'before') die();
        const answer = await (own as (...all: unknown[]) => unknown).apply(target, args);
        if (hit) die();
        return answer;
      };
    },
  });
  return { ...real, [room]: wrapped };
}

function die(): never {
  process.kill(process.pid, 'SIGKILL');
  for (;;) {
    // The signal is on its way.
  }
}
