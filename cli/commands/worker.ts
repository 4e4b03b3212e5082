// `everturn worker`: one worker until it is stopped, for production.
import { hostname } from 'node:os';
import { configured } from '../configuration.ts';
import type { Context } from '../context.ts';
import { EXIT, type ExitCode } from '../exit.ts';
import { openGround } from '../ground.ts';
import { openLog } from '../log.ts';
import { startWorkerRole } from '../roles/worker-role.ts';
import { listenForStops } from '../stops.ts';
import { temporalTarget } from '../temporal-target.ts';

export async function worker(context: Context): Promise<ExitCode> {
  const { config } = await configured({ path: context.flags.config });
  const temporal = temporalTarget(config, context.env);
  const ground = await openGround(config);
  const log = openLog({ role: 'worker', level: context.quiet ? 'error' : 'info', held: ground.held });
  for (const warning of ground.warnings) log('warn', warning);
  // Never the same twice: a new worker under an old name would be taken for the one that is gone.
  const identity = `everturn-worker:${process.pid}-${Date.now().toString(36)}@${hostname()}`;
  const stops = listenForStops();
  stops.second.addEventListener('abort', () => process.exit(EXIT.interrupted));
  const running = await startWorkerRole({ config, ground, temporal, identity, log, addAttributes: true });
  const drain = () => {
    log('info', 'draining', { graceMs: config.worker.shutdownGraceMs });
    void running.shutdown();
  };
  stops.first.addEventListener('abort', drain);
  if (stops.first.aborted) drain();
  if (context.json) context.emit({ type: 'ready', role: 'worker', identity, ...placeOf(temporal) });
  log('info', 'worker ready', { identity, ...placeOf(temporal) });
  try {
    await running.stopped;
  } finally {
    await ground.store.close();
  }
  return EXIT.ok;
}

const placeOf = ({ address, namespace, taskQueue }: ReturnType<typeof temporalTarget>) => ({
  temporal: address,
  namespace,
  taskQueue,
});
