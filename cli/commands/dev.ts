// `everturn dev`: the whole of Everturn on this machine until it is stopped.
import { killGroup } from '../../activities/tools/launcher/kill-group.ts';
import type { Loaded } from '../../config/check.ts';
import { configured } from '../configuration.ts';
import type { Context } from '../context.ts';
import { tokenFile } from '../dev/local-token.ts';
import { startStack } from '../dev/stack.ts';
import type { Ready } from '../dev/stack-parts.ts';
import { EXIT, type ExitCode } from '../exit.ts';
import { listenForStops, stopped } from '../stops.ts';

type Options = { data?: string; port?: number; temporalPort?: number; open?: boolean };

export async function dev(context: Context, options: Options): Promise<ExitCode> {
  const request = { path: context.flags.config, flags: { data: options.data } };
  const { config, notes } = await configured(request);
  const stops = listenForStops();
  if (!context.json) context.note('Starting Temporal, a worker and a gateway …');
  const stack = await startStack(
    {
      config,
      request,
      kind: 'dev',
      ports: {
        ...(options.port === undefined ? {} : { gateway: options.port }),
        ...(options.temporalPort === undefined ? {} : { temporal: options.temporalPort }),
      },
      log: 'inherit',
      logLevel: context.quiet ? 'error' : 'warn',
      notice: (text) => context.note(text),
      killGroup: async (group) => void (await killGroup(group)),
    },
    stops.first,
  );
  announce(context, stack.ready, { config, notes });
  if (options.open) context.note('The dashboard is not built yet; there is nothing to open.');
  await stopped(stops.first);
  context.note('Ending what runs; Ctrl-C again ends at once.');
  stops.second.addEventListener('abort', () => void stack.stop('now'), { once: true });
  await stack.stop('drain');
  return EXIT.ok;
}

function announce(context: Context, ready: Ready, { config, notes }: Pick<Loaded, 'config' | 'notes'>): void {
  if (context.json) context.emit(ready);
  for (const note of notes) context.note(`Note: ${note}`);
  if (context.json) return;
  const { green, bold, dim } = context.colours;
  context.print(
    `${green('ready')}  ${bold(ready.gateway)}  ${dim(`namespace ${ready.namespace}, task queue ${ready.taskQueue}`)}`,
  );
  context.print(`       Temporal ${ready.temporal}${ready.temporalUi ? `, its web page ${ready.temporalUi}` : ''}`);
  context.print(dim(`       token in ${tokenFile(config.data)}; commands on this machine find it`));
  context.print(dim('       everturn run "…" starts a turn; Ctrl-C ends everything in order'));
}
