// What a start of the stack is to use: where Temporal is, on which ports, on which file.
import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import type { Config } from '../../config/config.ts';
import type { Store } from '../../store/api.ts';
import { plural } from '../durations.ts';
import { CliError, EXIT } from '../exit.ts';
import type { TemporalCli } from '../temporal-cli.ts';
import { freePort } from './ports.ts';

/** 0 is any free port; undefined the configured or usual one. */
export type WantedPorts = { gateway?: number; temporal?: number };

export const LOCAL = '127.0.0.1';
const USUAL_TEMPORAL_PORT = 7233;
const UI_OFFSET = 1_000;

export type TemporalPorts = { port: number; uiPort: number };

/**
 * When the gateway may be anywhere, so may the server.
 * @throws CliError when a port that was named, or the usual one, is taken
 */
export async function temporalPorts(wanted: WantedPorts): Promise<TemporalPorts> {
  const port = wanted.temporal ?? (wanted.gateway === 0 ? 0 : USUAL_TEMPORAL_PORT);
  if (port === 0) return { port: await freePort(), uiPort: await freePort() };
  await requireFree(port, LOCAL, '--temporal-port');
  const usualUi = port + UI_OFFSET;
  return { port, uiPort: (await isFree(usualUi, LOCAL)) ? usualUi : await freePort() };
}

/** @throws CliError when something listens there already */
export async function requireFree(port: number, host: string, flag: string): Promise<void> {
  if (port === 0 || (await isFree(port, host))) return;
  throw new CliError(EXIT.failed, `Port ${port} on ${host} is in use by another program.`, {
    code: 'port_in_use',
    hint: `End that program, or choose another port with ${flag} (0: any free one).`,
  });
}

function isFree(port: number, host: string): Promise<boolean> {
  return new Promise((answer) => {
    const probe = createServer();
    // Only a port that is taken is our concern here; other faults are told by who listens in earnest.
    probe.once('error', (error: NodeJS.ErrnoException) => answer(error.code !== 'EADDRINUSE'));
    probe.listen(port, host, () => probe.close(() => answer(true)));
  });
}

const FILE_FACT = 'dev.temporal-file';

/**
 * The server's file, named by the version of its CLI: the file of one version may not suit the next.
 * @throws CliError while turns are open in the file of another version
 */
export async function temporalFile(config: Config, store: Store, cli: TemporalCli): Promise<string> {
  const name = `temporal-${cli.version}.db`;
  const last = await store.meta.get(FILE_FACT);
  if (last !== undefined && last !== name && existsSync(join(config.data, last))) {
    const open = (await store.turns.open()).filter(({ status }) => status !== 'queued').length;
    if (open > 0) throw refusal({ open, last, cli });
  }
  if (last !== name) await store.meta.set(FILE_FACT, name);
  return join(config.data, name);
}

function refusal({ open, last, cli }: { open: number; last: string; cli: TemporalCli }): CliError {
  const old = last.replace(/^temporal-|\.db$/g, '');
  const are = open === 1 ? 'is' : 'are';
  return new CliError(
    EXIT.failed,
    `${plural(open, 'turn')} ${are} open in ${last}, which Temporal CLI ${old} wrote; the CLI found now is ${cli.version} (${cli.path}).`,
    {
      code: 'temporal_cli_changed',
      hint: `Set EVERTURN_TEMPORAL_CLI to a Temporal CLI ${old} and let them end, or cancel them; then start again with the new one.`,
    },
  );
}
