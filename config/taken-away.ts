/** What a changed configuration takes away holds at once, also for turns that run (C2.11): asked before each tool. */
import { whyNot } from '../core/effective-tools.ts';
import { agentOf, type Config } from './config.ts';

/** Why a tool may no longer be used by an agent; undefined when it may. */
export function takenAway(config: Config, agentName: string, toolName: string): string | undefined {
  const agent = agentOf(config, agentName);
  if (!agent) return `agent ${agentName} is no longer configured`;
  const why = whyNot(toolName, { allowed: agent.allowedTools, excluded: agent.excludedTools });
  return why === undefined ? undefined : `the configuration no longer offers ${toolName} to this agent`;
}
