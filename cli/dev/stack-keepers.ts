// The three processes of a stack, each kept running, each noted in the folder's record when it starts.
import { join } from 'node:path';
import type { ChildOrder } from './child-protocol.ts';
import { type Keeper, keepRunning, type StopHow } from './keeper.ts';
import { workerIdentity } from './names.ts';
import { LOCAL } from './plan.ts';
import { startGatewayProcess, startStandbyProcess, startWorkerProcess } from './processes.ts';
import type { Parts } from './stack-parts.ts';
import type { Place } from './stack-place.ts';
import { recoverFully } from './stack-recovery.ts';
import { keepStandby, type Standby } from './standby.ts';
import { startTemporalServer } from './temporal-server.ts';

export function keepTemporal(parts: Parts, server: NonNullable<Place['server']>): Keeper {
  return keepRunning({
    name: 'Temporal server',
    notice: parts.notice,
    start: async () => {
      const started = await startTemporalServer({
        cli: server.cli,
        ip: LOCAL,
        port: server.port,
        uiPort: server.uiPort,
        dbFilename: server.file,
        namespace: server.namespace,
        logFile: join(parts.config.data, 'temporal.log'),
      });
      return { ...started, ready: Promise.resolve(), stop: (how) => started.stop(how === 'drain' ? 5_000 : 0) };
    },
    onStart: ({ stamp }) => {
      parts.pids.temporal = stamp.pid;
      parts.folder.setChild('temporal', stamp);
    },
  });
}

export type WorkerPlan = { order: ChildOrder; deployment: string };

/** A stack that serves until it is stopped keeps a second worker process at hand. */
function standbyFor(parts: Parts, order: ChildOrder): Standby | undefined {
  if (parts.kind !== 'dev') return undefined;
  const start = () => startStandbyProcess({ ...order, attributesReady: true }, parts.log);
  return keepStandby(start, ({ stamp }) => parts.folder.setChild('standby', stamp));
}

export function keepWorker(parts: Parts, { order, deployment }: WorkerPlan): Keeper {
  const standby = standbyFor(parts, order);
  const keeper = keepRunning({
    name: 'worker',
    notice: parts.notice,
    start: async (nth) => {
      parts.worker = workerIdentity(deployment, nth);
      return startWorkerProcess({
        standby: standby?.take(),
        order: { ...order, identity: parts.worker, attributesReady: nth > 0 },
        log: parts.log,
        graceMs: parts.config.worker.shutdownGraceMs,
        onStall: () => parts.notice('The worker shows no sign of life; it is ended.'),
      });
    },
    onStart: ({ stamp, ready }) => {
      parts.pids.worker = stamp.pid;
      parts.folder.setChild('worker', stamp);
      ready.then(standby?.renew, () => {});
    },
    onLost: () => {
      parts.worker = '';
      void recoverFully(parts, deployment);
    },
  });
  const stop = (how: StopHow) => {
    standby?.end();
    return keeper.stop(how);
  };
  return { ...keeper, stop };
}

export function keepGateway(parts: Parts, order: ChildOrder): { keeper: Keeper; url: () => string } {
  let url = '';
  const keeper = keepRunning({
    name: 'gateway',
    notice: parts.notice,
    start: async () => {
      // After the first start the port is known, and readers come back to it.
      const port = url === '' ? order.port : Number(new URL(url).port);
      const onUrl = (given: string) => {
        url = given;
      };
      return startGatewayProcess({
        order: { ...order, ...(port === undefined ? {} : { port }) },
        log: parts.log,
        onUrl,
      });
    },
    onStart: ({ stamp }) => {
      parts.pids.gateway = stamp.pid;
      parts.folder.setChild('gateway', stamp);
    },
  });
  return { keeper, url: () => url };
}
