/** Resolves an agent into the execution that a turn runs with (C2.1): once, from configuration and this worker's tools. */
import { effectiveTools } from '../core/effective-tools.ts';
import type { Asking, Execution, ModelRef, ToolSpec } from '../core/execution.ts';
import { askingOf } from './asking.ts';
import { type AgentConfig, agentOf, type Config, modelOf } from './config.ts';

export type ResolveInput = {
  config: Config;
  agent: string;
  /** What this worker can run, by name; a registry of tools fits. */
  tools: ReadonlyMap<string, ToolSpec>;
  perRun: {
    /** C2.4: undefined = no further limit, [] = no tools. */
    allowedTools?: readonly string[] | undefined;
    approvals?: Asking['mode'] | undefined;
    origin: { surface: string };
  };
  /** Parts of the system message around the agent's own instructions, in order. */
  prompts?: { before?: readonly string[]; after?: readonly string[] };
};

export type Resolved =
  | { kind: 'ok'; execution: Execution }
  | { kind: 'error'; type: 'ConfigurationGone'; message: string };

export function resolveExecution(input: ResolveInput): Resolved {
  const agent = agentOf(input.config, input.agent);
  if (!agent) return gone(`there is no agent ${JSON.stringify(input.agent)}; configured: ${names(input.config)}`);
  const chain = agent.models.map((ref) => modelRef(input.config, ref));
  const missing = agent.models.find((_, index) => chain[index] === undefined);
  if (missing !== undefined) return gone(`the model ${missing} of agent ${agent.name} is no longer configured`);
  return {
    kind: 'ok',
    execution: {
      version: 1,
      agent: agent.name,
      chain: chain.filter((ref) => ref !== undefined),
      instructions: instructionsOf(agent, input.prompts ?? {}),
      workspace: agent.workspace,
      tools: toolsOf(agent, input),
      policy: agent.policy,
      knobs: {
        parallelTools: agent.parallelTools,
        maxParallelTools: agent.maxParallelTools,
        maxToolIterations: agent.maxToolIterations,
        maxToolResultChars: agent.maxToolResultChars,
        dedupExempt: agent.dedupExempt,
        cancelGraceMs: agent.cancelGraceMs,
        onUnknown: input.config.approvals.onUnknown,
      },
      asking: askingOf(input.config.approvals, {
        approvals: input.perRun.approvals,
        surface: input.perRun.origin.surface,
      }),
    },
  };
}

function modelRef(config: Config, ref: string): ModelRef | undefined {
  const found = modelOf(config, ref);
  if (!found) return undefined;
  const { provider, model, facts } = found;
  return {
    name: ref,
    provider: provider.name,
    model,
    nativeTools: facts.nativeTools,
    contextTokens: facts.contextTokens,
  };
}

function toolsOf(agent: AgentConfig, { tools, perRun }: ResolveInput): ToolSpec[] {
  const left = effectiveTools({
    known: [...tools.keys()],
    allowed: agent.allowedTools,
    excluded: agent.excludedTools,
    perRun: perRun.allowedTools,
  });
  return left.flatMap((name) => {
    const tool = tools.get(name);
    return tool ? [specOf(tool, agent)] : [];
  });
}

/** Field by field: a registry's tools also carry functions, and an execution is data. */
function specOf(tool: ToolSpec, agent: AgentConfig): ToolSpec {
  const { name, description, parameters, effect, executor, provenance } = tool;
  const timeoutMs = name === 'shell' ? agent.policy.shell.timeoutMs : tool.timeoutMs;
  return { name, description, parameters, effect, executor, timeoutMs, provenance };
}

function instructionsOf(
  agent: AgentConfig,
  prompts: { before?: readonly string[]; after?: readonly string[] },
): string {
  const parts = [...(prompts.before ?? []), agent.instructions, ...(prompts.after ?? [])];
  return parts.filter((part) => part.trim() !== '').join('\n\n');
}

function names(config: Config): string {
  return Object.keys(config.agents).join(', ');
}

function gone(message: string): Resolved {
  return { kind: 'error', type: 'ConfigurationGone', message };
}
