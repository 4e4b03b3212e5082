// The gateway, put together from a configuration: used by `everturn gateway` and by the supervisor's gateway process.
import { hostname } from 'node:os';
import { monotonicFactory } from 'ulid';
import { createRegistry } from '../../activities/tools/registry.ts';
import type { TemporalTarget } from '../../client/temporal.ts';
import type { Loaded } from '../../config/check.ts';
import { type Config, defaultAgent } from '../../config/config.ts';
import { createScrubber } from '../../core/redact.ts';
import { type Gateway, startGateway } from '../../gateway/main.ts';
import { CannotListen } from '../../gateway/server.ts';
import { createSealer } from '../../store/seals.ts';
import { CliError, EXIT } from '../exit.ts';
import type { Ground } from '../ground.ts';
import type { Log } from '../log.ts';
import { packageVersion } from '../package-version.ts';
import { scrubber } from '../scrubber.ts';
import { checkEdit } from './check-edit.ts';

export type GatewayRole = {
  loaded: Loaded;
  ground: Ground;
  temporal: TemporalTarget;
  listen: { host: string; port: number };
  log: Log;
};

/** @throws CliError when it cannot listen */
export async function startGatewayRole(role: GatewayRole): Promise<Gateway> {
  const { loaded, ground, temporal, listen, log } = role;
  const { config } = loaded;
  const { store, held } = ground;
  const { registry, problems } = await createRegistry({
    modules: config.toolModules,
    ownState: config.ownPlaces,
  });
  for (const { file, message } of problems) log('error', message, { file });
  const sealer = createSealer(ground.keys);
  const edits = { store, tools: registry, scrubber: createScrubber(held) };
  try {
    return await startGateway({
      store,
      temporal,
      listen,
      log,
      agents: { names: Object.keys(config.agents), default: defaultAgent(config) },
      onBusy: onBusyOf(loaded),
      render: scrubber(held),
      sign: (body, texts) => sealer.signDecision(body, texts),
      checkEdit: (question, args) => checkEdit(edits, question, args),
      version: packageVersion(),
      newId: monotonicFactory(),
      holder: `${hostname()}:${process.pid}`,
    });
  } catch (error) {
    if (!(error instanceof CannotListen)) throw error;
    throw new CliError(EXIT.failed, error.message, { code: 'cannot_listen' });
  }
}

/** A program that starts a turn gets its own, unless the file says otherwise (docs/decisions/0004). */
function onBusyOf({ config, origin }: Loaded): Config['session']['onBusy'] {
  return origin(['session', 'on_busy']).kind === 'default' ? 'queue' : config.session.onBusy;
}
