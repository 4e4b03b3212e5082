/** A worker: connects, polls, runs turns and their activities, drains when told (design "Processes"). */

import { join } from 'node:path';
import {
  makeTelemetryFilterString,
  NativeConnection,
  type NativeConnectionOptions,
  Runtime,
  Worker,
} from '@temporalio/worker';
import { createActivities } from '../activities/create.ts';
import { workflowBundle } from './bundle.ts';
import { type EngineParts, engineDeps } from './deps.ts';

export type WorkerTarget = {
  address: string;
  namespace: string;
  taskQueue: string;
  /** Credentials, as the SDK takes them. */
  connection?: Omit<NativeConnectionOptions, 'address'>;
};

export type StartWorker = Omit<EngineParts, 'attributes'> & {
  temporal: WorkerTarget;
  /** Where the workflow bundle is kept; default: in the data folder. */
  bundleFolder?: string;
};

export type RunningWorker = {
  identity: string;
  /** Resolves when the worker has stopped by itself; rejects with what broke it. */
  stopped: Promise<void>;
  /** Stops polling, lets running work end within the configured grace. */
  shutdown: () => Promise<void>;
};

/** Cancel reaches an activity with its heartbeat; the SDK's own throttle would hold it back for up to a minute. */
const HEARTBEAT_THROTTLE = '500ms';
/** What a dead worker's sticky queue may cost a turn when no supervisor releases it. */
const STICKY_TIMEOUT = '2s';

/** Resolves when the worker polls. @throws when Temporal cannot be reached or the namespace is not there */
export async function startWorker(parts: StartWorker): Promise<RunningWorker> {
  installRuntime(parts);
  const { config, temporal, identity } = parts;
  const [connection, bundle] = await Promise.all([
    NativeConnection.connect({ ...temporal.connection, address: temporal.address }),
    workflowBundle(parts.bundleFolder ?? join(config.data, 'cache')),
  ]);
  const attributes = await hasAttributes(connection, temporal.namespace);
  const deps = await engineDeps({ ...parts, attributes });
  const { maxCachedWorkflows, maxConcurrentActivities, shutdownGraceMs } = config.worker;
  const worker = await Worker.create({
    connection,
    namespace: temporal.namespace,
    taskQueue: temporal.taskQueue,
    identity,
    workflowBundle: bundle,
    activities: createActivities(deps),
    maxHeartbeatThrottleInterval: HEARTBEAT_THROTTLE,
    defaultHeartbeatThrottleInterval: HEARTBEAT_THROTTLE,
    stickyQueueScheduleToStartTimeout: STICKY_TIMEOUT,
    maxConcurrentActivityTaskExecutions: maxConcurrentActivities,
    shutdownGraceTime: shutdownGraceMs,
    ...(maxCachedWorkflows === null ? {} : { maxCachedWorkflows }),
  });
  const stopped = worker.run().finally(() => connection.close());
  stopped.catch(() => {});
  return {
    identity,
    stopped,
    shutdown: async () => {
      if (worker.getState() === 'RUNNING') worker.shutdown();
      await stopped;
    },
  };
}

let installed = false;

/** Once a process. The SDK must not take the process's signals: whoever started the worker drains it. */
function installRuntime({ log }: StartWorker): void {
  if (installed) return;
  installed = true;
  const tell = (level: 'info' | 'warn' | 'error') => (message: string, meta?: Record<string, unknown>) =>
    log(level, message, meta ?? {});
  const nothing = () => {};
  Runtime.install({
    shutdownSignals: [],
    logger: { log: nothing, trace: nothing, debug: nothing, info: nothing, warn: tell('warn'), error: tell('error') },
    telemetryOptions: { logging: { filter: makeTelemetryFilterString({ core: 'ERROR', other: 'ERROR' }) } },
  });
}

export const SEARCH_ATTRIBUTES = ['EverturnAgent', 'EverturnSession', 'EverturnStatus', 'EverturnOrigin'] as const;

/** Without them the worker runs all the same; it just sets none. */
async function hasAttributes(connection: NativeConnection, namespace: string): Promise<boolean> {
  try {
    const { customAttributes } = await connection.operatorService.listSearchAttributes({ namespace });
    return SEARCH_ATTRIBUTES.every((name) => name in (customAttributes ?? {}));
  } catch {
    return false;
  }
}
