// A worker, put together from a configuration: used by `everturn worker` and by the supervisor's worker process.
import { accessSync, constants, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { ensureSearchAttributes, openTemporal, type TemporalTarget } from '../../client/temporal.ts';
import type { Config } from '../../config/config.ts';
import { type RunningWorker, startWorker } from '../../workers/main.ts';
import { cacheFolder } from '../cache-folder.ts';
import { CliError, EXIT } from '../exit.ts';
import type { Ground } from '../ground.ts';
import type { Log } from '../log.ts';

export type WorkerRole = {
  config: Config;
  ground: Ground;
  temporal: TemporalTarget;
  identity: string;
  log: Log;
  /** Whether to add the search attributes first; false where somebody has just done it. */
  addAttributes: boolean;
};

/** @throws CliError when Temporal cannot be reached, or the namespace is not there */
export async function startWorkerRole(role: WorkerRole): Promise<RunningWorker> {
  const { config, ground, temporal, identity, log } = role;
  if (role.addAttributes) await addSearchAttributes(temporal, log);
  const { store, keys, secrets } = ground;
  const { address, namespace, taskQueue, connection } = temporal;
  try {
    return await startWorker({
      ...{ config, store, keys, secrets, identity, log },
      ...sharedBundles(),
      // The SDK's two connections take the same credentials under the same names.
      temporal: { address, namespace, taskQueue, ...(connection ? { connection: connection as object } : {}) },
    });
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new CliError(EXIT.failed, `The worker cannot use Temporal at ${address}, namespace ${namespace}: ${why}`, {
      code: 'temporal_unreachable',
      hint: 'Check that it runs, and `temporal` in everturn.yaml, TEMPORAL_* and temporal.toml; `everturn doctor` looks at each.',
    });
  }
}

/** Before the worker looks for them: without them its turns would carry none. */
async function addSearchAttributes(temporal: TemporalTarget, log: Log): Promise<void> {
  const line = openTemporal(temporal);
  try {
    const state = await ensureSearchAttributes(line);
    if (!state.registered) log('warn', 'turns run without search attributes', { ...state });
  } finally {
    await line.close();
  }
}

/** The bundle is named by its content, so all data folders of a user share it; where that cannot be, each has its own. */
function sharedBundles(): { bundleFolder?: string } {
  const folder = join(cacheFolder(), 'workflows');
  try {
    mkdirSync(folder, { recursive: true });
    accessSync(folder, constants.W_OK);
    return { bundleFolder: folder };
  } catch {
    return {};
  }
}
