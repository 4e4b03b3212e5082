// The tools of an agent as a turn of it would have them, without starting anything.
import { createRegistry } from '../activities/tools/registry.ts';
import type { ToolRegistry } from '../activities/tools/types.ts';
import { agentOf, type Config, defaultAgent } from '../config/config.ts';
import { resolveExecution } from '../config/resolve-execution.ts';
import type { Execution } from '../core/execution.ts';
import { CliError, EXIT, usageError } from './exit.ts';

export type AgentTools = {
  execution: Execution;
  registry: ToolRegistry;
  problems: { file: string; message: string }[];
};

/** @throws CliError for an agent that is not configured */
export async function agentTools(config: Config, named: string | undefined): Promise<AgentTools> {
  const agent = named ?? defaultAgent(config);
  const known = Object.keys(config.agents).join(', ');
  if (agent === undefined)
    throw usageError('Which agent? There is none named main.', `Give --agent; there are ${known}.`);
  if (!agentOf(config, agent)) throw usageError(`There is no agent ${JSON.stringify(agent)}.`, `There are ${known}.`);
  const { registry, problems } = await createRegistry({
    modules: config.toolModules,
    ownState: [config.data, config.file],
  });
  const made = resolveExecution({ config, agent, tools: registry, perRun: { origin: { surface: 'cli' } } });
  if (made.kind === 'error') throw new CliError(EXIT.configuration, made.message);
  return { execution: made.execution, registry, problems };
}
