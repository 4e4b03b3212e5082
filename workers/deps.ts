/** Puts an engine together from configuration, secrets, store and tools: the one place where they meet. */
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { EngineDeps } from '../activities/deps.ts';
import { Cooldowns } from '../activities/provider/cooldowns.ts';
import { createAdapters } from '../activities/provider/create-adapters.ts';
import { killGroup } from '../activities/tools/launcher/kill-group.ts';
import { createProcessRunner } from '../activities/tools/launcher/process-runner.ts';
import { createRegistry } from '../activities/tools/registry.ts';
import type { Tool } from '../activities/tools/types.ts';
import type { Config } from '../config/config.ts';
import type { SealKeys } from '../config/deployment-key.ts';
import { resolveExecution } from '../config/resolve-execution.ts';
import { heldValues, type Secrets } from '../config/secrets.ts';
import { takenAway } from '../config/taken-away.ts';
import { createScrubber } from '../core/redact.ts';
import { redactPatterns } from '../core/redact-patterns.ts';
import type { Store } from '../store/api.ts';
import { createSealer, verifyDecision } from '../store/seals.ts';
import type { Log } from './log.ts';

export type EngineParts = {
  config: Config;
  /** The configuration as it stands now (C2.11); default: the one of the start. */
  live?: () => Config;
  store: Store;
  keys: SealKeys;
  secrets: Secrets;
  identity: string;
  attributes: boolean;
  log: Log;
};

/** A tool module that cannot be used is logged and left out; everything else works. */
export async function engineDeps(parts: EngineParts): Promise<EngineDeps> {
  const { config, live = () => config, store, secrets, keys, identity, attributes, log } = parts;
  const scrubber = createScrubber(heldValues(secrets, keys));
  const render = (text: string) => redactPatterns(scrubber.scrub(text));
  const { registry, problems } = await createRegistry({
    modules: config.toolModules,
    ownState: config.ownPlaces,
    effectFolder: join(config.data, 'effects'),
  });
  for (const { file, message } of problems) log('error', render(message), { file });
  await warmUp(registry.get('shell'), config);
  const sealer = createSealer(keys);
  return {
    store,
    tools: registry,
    scrubber,
    render,
    identity,
    attributes,
    log,
    host: hostname(),
    resolve: (turn) => {
      const { agent, allowedTools, approvals, origin } = turn;
      const made = resolveExecution({
        config: live(),
        agent,
        tools: registry,
        perRun: { allowedTools, approvals, origin },
      });
      return made.kind === 'ok' ? made : { kind: 'error', error: { type: made.type, message: made.message } };
    },
    takenAway: (agent, tool) => takenAway(live(), agent, tool),
    adapters: createAdapters(providerSettings(config, secrets), {
      scrub: render,
      log: (message) => log('warn', message, {}),
    }),
    cooldowns: new Cooldowns(),
    verifyDecision: (decision) => verifyDecision(decision, sealer),
    createRunner: (options) => createProcessRunner(options),
    killGroup: async (group) => void (await killGroup(group)),
    secret: () => undefined,
  };
}

function providerSettings(config: Config, secrets: Secrets) {
  return Object.values(config.providers).map((provider) => {
    if (provider.kind === 'scripted') return provider;
    const key = secrets.apiKey(provider.name);
    return { ...provider, apiKey: key?.kind === 'value' ? key.value : undefined };
  });
}

/** The first command line to be read loads the parser, which on a busy machine takes most of the time an assessment may. */
async function warmUp(shell: Tool | undefined, config: Config): Promise<void> {
  const [agent] = Object.values(config.agents);
  if (shell && agent)
    await shell.assess({ command: 'ls | wc -l' }, { workspace: agent.workspace, policy: agent.policy });
}
