// Which Temporal a command talks to: the configuration, else TEMPORAL_* and temporal.toml (through the SDK's own loader).
import type { ConnectionOptions } from '@temporalio/client';
import { loadClientConnectConfig } from '@temporalio/envconfig';
import type { TemporalTarget } from '../client/temporal.ts';
import type { Config } from '../config/config.ts';
import { CliError, EXIT } from './exit.ts';

const USUAL_ADDRESS = '127.0.0.1:7233';

/**
 * Credentials of a profile go only to the server that the profile names.
 * @throws CliError when the profile file cannot be read
 */
export function temporalTarget(config: Config, env: NodeJS.ProcessEnv = process.env): TemporalTarget {
  const profile = loadProfile(env);
  const { address: theirs, ...connection } = profile.connectionOptions as ConnectionOptions;
  const address = config.temporal.address ?? theirs ?? USUAL_ADDRESS;
  return {
    address,
    namespace: config.temporal.namespace ?? profile.namespace ?? 'default',
    taskQueue: config.temporal.taskQueue,
    ...(theirs === undefined || theirs === address ? { connection } : {}),
  };
}

function loadProfile(env: NodeJS.ProcessEnv): ReturnType<typeof loadClientConnectConfig> {
  const given = Object.entries(env).filter((pair): pair is [string, string] => pair[1] !== undefined);
  try {
    return loadClientConnectConfig({ overrideEnvVars: Object.fromEntries(given) });
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new CliError(EXIT.configuration, `The Temporal profile cannot be used: ${why}`, {
      hint: 'Look at temporal.toml and the TEMPORAL_* variables, or set temporal.address in everturn.yaml.',
    });
  }
}
