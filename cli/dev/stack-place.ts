// Which Temporal a stack uses: its own server on a file of the data folder, or the one that the configuration names.
import type { TemporalTarget } from '../../client/temporal.ts';
import type { Store } from '../../store/api.ts';
import type { TemporalCli } from '../temporal-cli.ts';
import { temporalTarget } from '../temporal-target.ts';
import { LOCAL, type TemporalPorts, temporalFile, temporalPorts } from './plan.ts';
import type { StackOptions } from './stack-parts.ts';

export type Place = {
  target: Pick<TemporalTarget, 'address' | 'namespace' | 'taskQueue'>;
  temporalUi: string;
  cli: TemporalCli | undefined;
  server: (TemporalPorts & { cli: string; file: string; namespace: string }) | undefined;
};

/** @param cli undefined: somebody else's server */
export async function placeOf(
  { config, ports }: Pick<StackOptions, 'config' | 'ports'>,
  store: Store,
  cli: TemporalCli | undefined,
): Promise<Place> {
  if (cli === undefined) return { target: temporalTarget(config), temporalUi: '', cli, server: undefined };
  const file = await temporalFile(config, store, cli);
  const { port, uiPort } = await temporalPorts(ports);
  const namespace = config.temporal.namespace ?? 'default';
  return {
    target: { address: `${LOCAL}:${port}`, namespace, taskQueue: config.temporal.taskQueue },
    temporalUi: `http://${LOCAL}:${uiPort}`,
    cli,
    server: { port, uiPort, cli: cli.path, file, namespace },
  };
}
