// A worker of its own process for the figures: the engine's, or the hand-written loop's. Says `ready` over its pipe.

import { fileURLToPath } from 'node:url';
import { NativeConnection, Worker } from '@temporalio/worker';
import { loadSealKeys } from '../../config/deployment-key.ts';
import { loadConfig } from '../../config/load.ts';
import { loadSecrets } from '../../config/secrets.ts';
import { openStore } from '../../store/open.ts';
import { startWorker } from '../../workers/main.ts';
import { handWrittenActivities } from './hand-written/activities.ts';

export type WorkerOrder =
  | { kind: 'engine'; config: string; address: string; taskQueue: string; identity: string }
  | { kind: 'hand-written'; address: string; taskQueue: string };

const order = JSON.parse(process.argv[2] ?? '') as WorkerOrder;
process.once('disconnect', () => process.exit(0));
await (order.kind === 'engine' ? engine(order) : handWritten(order));
process.send?.('ready');

async function engine({
  config: path,
  address,
  taskQueue,
  identity,
}: Extract<WorkerOrder, { kind: 'engine' }>): Promise<void> {
  const loaded = await loadConfig({ path, env: {} });
  if (loaded.kind !== 'ok') throw new Error(JSON.stringify(loaded));
  const { config } = loaded;
  const keys = await loadSealKeys(config);
  if (keys.kind === 'error') throw new Error(keys.message);
  const store = await openStore({ url: `sqlite:${config.store.path}`, keys: keys.keys });
  const secrets = await loadSecrets(config);
  const log = (level: string, message: string, fields: Record<string, unknown>) => {
    if (process.env.BENCH_LOG) process.stderr.write(`${level} ${message} ${JSON.stringify(fields)}\n`);
  };
  await startWorker({
    config,
    store,
    keys: keys.keys,
    secrets,
    identity,
    log,
    temporal: { address, namespace: 'default', taskQueue },
  });
}

async function handWritten({ address, taskQueue }: Extract<WorkerOrder, { kind: 'hand-written' }>): Promise<void> {
  const worker = await Worker.create({
    connection: await NativeConnection.connect({ address }),
    taskQueue,
    workflowsPath: fileURLToPath(new URL('./hand-written/workflows.ts', import.meta.url)),
    activities: handWrittenActivities,
    maxHeartbeatThrottleInterval: '500ms',
    stickyQueueScheduleToStartTimeout: '2s',
  });
  worker.run().catch((error: unknown) => {
    process.stderr.write(`${String(error)}\n`);
    process.exit(1);
  });
}
