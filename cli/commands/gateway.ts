// `everturn gateway`: one gateway until it is stopped, for production.

import { configured } from '../configuration.ts';
import type { Context } from '../context.ts';
import { ensureLocalToken, tokenFile } from '../dev/local-token.ts';
import { EXIT, type ExitCode } from '../exit.ts';
import { openGround } from '../ground.ts';
import { openLog } from '../log.ts';
import { startGatewayRole } from '../roles/gateway-role.ts';
import { listenForStops, stopped } from '../stops.ts';
import { temporalTarget } from '../temporal-target.ts';

export async function gateway(context: Context, options: { host?: string; port?: number }): Promise<ExitCode> {
  const loaded = await configured({
    path: context.flags.config,
    flags: { 'gateway.host': options.host, 'gateway.port': options.port },
  });
  const { config } = loaded;
  const stops = listenForStops();
  const temporal = temporalTarget(config, context.env);
  const ground = await openGround(config);
  const log = openLog({ role: 'gateway', level: context.quiet ? 'error' : 'info', held: ground.held });
  for (const warning of ground.warnings) log('warn', warning);
  // Commands on this machine use it; others get tokens of their own.
  await ensureLocalToken(config.data, ground.store);
  const running = await startGatewayRole({ loaded, ground, temporal, log, listen: config.gateway });
  const { address, namespace, taskQueue } = temporal;
  if (context.json)
    context.emit({ type: 'ready', role: 'gateway', gateway: running.url, temporal: address, namespace, taskQueue });
  log('info', 'gateway ready', {
    url: running.url,
    temporal: address,
    namespace,
    taskQueue,
    tokenFile: tokenFile(config.data),
  });
  stops.second.addEventListener('abort', () => process.exit(EXIT.interrupted));
  await stopped(stops.first);
  await running.close();
  await ground.store.close();
  return EXIT.ok;
}
