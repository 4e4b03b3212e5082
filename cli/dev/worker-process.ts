// The worker as a process of the supervisor.
import { configured } from '../configuration.ts';
import { openGround } from '../ground.ts';
import { openLog } from '../log.ts';
import { temporalTarget } from '../temporal-target.ts';
import { type Running, runAsChild } from './child-main.ts';
import type { ChildOrder } from './child-protocol.ts';
import { waitForPort } from './ports.ts';

const SERVER_MS = 30_000;

runAsChild(async (order: ChildOrder, told: Promise<string>): Promise<Running> => {
  // Loading takes longer than the server needs to come up, so it is done meanwhile.
  const [{ startWorkerRole }, first] = await Promise.all([
    import('../roles/worker-role.ts'),
    configured(order.load),
    awaitServer(order),
  ]);
  const identity = order.identity ?? (await told);
  // A standby may have waited for days: what it read then is no longer what counts.
  const { config } = order.identity === undefined ? await configured(order.load) : first;
  const ground = await openGround(config);
  const log = openLog({ role: 'worker', level: order.logLevel, held: ground.held });
  const temporal = { ...temporalTarget(config), ...order.temporal };
  const worker = await startWorkerRole({
    addAttributes: order.attributesReady !== true,
    config,
    ground,
    temporal,
    log,
    identity,
  });
  // A worker that stops by itself is of no use; the supervisor starts another.
  worker.stopped.catch((error: unknown) => {
    log('error', 'the worker stopped', { error });
    process.exit(1);
  });
  return {
    ready: {},
    drain: async () => {
      await worker.shutdown();
      await ground.store.close();
    },
  };
});

/** The embedded server is being started at the same time. */
async function awaitServer({ temporal }: ChildOrder): Promise<void> {
  if (!temporal) return;
  const [host = '', port = ''] = temporal.address.split(':');
  await waitForPort({ host, port: Number(port) }, SERVER_MS);
}
