// Something that serves a data folder: what runs there already, or a stack of our own for as long as it is needed.
import { join } from 'node:path';
import { killGroup } from '../../activities/tools/launcher/kill-group.ts';
import { createClient, type EverturnClient } from '../../client/client.ts';
import type { Config } from '../../config/config.ts';
import { runningOn } from '../api/reach.ts';
import type { ConfigRequest } from '../configuration.ts';
import { CliError } from '../exit.ts';
import { isLive } from './dev-record.ts';
import { readLocalToken } from './local-token.ts';
import { startStack } from './stack.ts';

export type Serving = {
  client: EverturnClient;
  /** Whose it is: `other` goes on without us. */
  whose: 'own' | 'other';
  /** Fires when what served is gone. */
  gone: AbortSignal;
  /** Ends it if it is ours. */
  end: (how: 'drain' | 'now') => Promise<void>;
};

export type ServingOptions = {
  config: Config;
  request: ConfigRequest;
  notice: (text: string) => void;
  signal: AbortSignal;
};

const LOOK_AGAIN_MS = 300;
const LONGEST_WAIT_MS = 30_000;

/** What runs on the folder; undefined when nothing does. */
export async function findServing({ config }: Pick<ServingOptions, 'config'>): Promise<Serving | undefined> {
  const found = await runningOn(config.data, config.gateway);
  const token = await readLocalToken(config.data);
  if (!found || token === undefined) return undefined;
  const { url, record } = found;
  const gone = new AbortController();
  const watch = setInterval(() => {
    if (record && !isLive(record)) gone.abort();
  }, 1_000);
  return {
    client: createClient({ url, token, surface: 'cli' }),
    whose: 'other',
    gone: gone.signal,
    end: async () => clearInterval(watch),
  };
}

/** Finds or starts; waits while another one is just starting or ending there. */
export async function findOrStart(options: ServingOptions): Promise<Serving> {
  const deadline = Date.now() + LONGEST_WAIT_MS;
  for (;;) {
    const found = await findServing(options);
    if (found) return found;
    try {
      return await startOwn(options);
    } catch (error) {
      const busy = error instanceof CliError && error.code === 'folder_in_use';
      if (!busy || Date.now() > deadline || options.signal.aborted) throw error;
      await new Promise((resume) => setTimeout(resume, LOOK_AGAIN_MS));
    }
  }
}

/** Free ports, and its logs in a file of the data folder: this terminal shows the turn. */
async function startOwn({ config, request, notice, signal }: ServingOptions): Promise<Serving> {
  const stack = await startStack(
    {
      config,
      request,
      kind: 'run',
      ports: { gateway: 0, temporal: 0 },
      log: { file: join(config.data, 'run.log') },
      logLevel: 'warn',
      notice,
      killGroup: async (group) => void (await killGroup(group)),
    },
    signal,
  );
  const { gateway: url, token } = stack.ready;
  return {
    client: createClient({ url, token, surface: 'cli' }),
    whose: 'own',
    gone: new AbortController().signal,
    end: (how) => stack.stop(how),
  };
}
