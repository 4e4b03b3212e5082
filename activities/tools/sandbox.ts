/** Puts a command into a sandbox where there is one (C11.2). */
import type { Policy } from '../../core/execution.ts';

export type SandboxRequest = { workspace: string; policy: Policy; ownState: readonly string[]; cwd: string };

export type SandboxPlan = { command: [string, ...string[]]; sandboxed: boolean };

export async function sandboxed(command: [string, ...string[]], _request: SandboxRequest): Promise<SandboxPlan> {
  return { command, sandboxed: false };
}
