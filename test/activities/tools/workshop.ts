// A place for tools to work in: a throw-away workspace, real processes, the same context that a worker gives.
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createProcessRunner, type LedGroup } from '../../../activities/tools/launcher/process-runner.ts';
import { createRegistry } from '../../../activities/tools/registry.ts';
import type { ToolContext, ToolRegistry, ToolResult } from '../../../activities/tools/types.ts';
import type { Assessment } from '../../../core/assessment.ts';
import type { Policy } from '../../../core/execution.ts';
import type { JsonObject } from '../../../core/json.ts';

export type Workshop = {
  folder: string;
  workspace: string;
  registry: ToolRegistry;
  context: ToolContext;
  cancel: () => void;
  groups: LedGroup[];
  progress: string[];
  results: Map<string, string>;
  run: (tool: string, args: JsonObject, change?: Partial<ToolContext>) => Promise<ToolResult>;
  assess: (tool: string, args: JsonObject, change?: Partial<ToolContext>) => Promise<Assessment>;
  close: () => Promise<void>;
};

export const POLICY: Policy = {
  autonomy: 'supervised',
  alwaysAsk: [],
  autoApprove: [],
  blockHighRisk: true,
  askMediumRisk: true,
  shell: { allowedCommands: null, envPassthrough: [], timeoutMs: 60_000 },
  paths: { workspaceOnly: true, read: [], write: [], forbidden: [] },
  hosts: null,
};

export async function openWorkshop(options: { modules?: string[]; graceMs?: number } = {}): Promise<Workshop> {
  const folder = await mkdtemp(join(tmpdir(), 'everturn-tools-'));
  const workspace = join(folder, 'workspace');
  await mkdir(join(workspace, '.everturn'), { recursive: true });
  const ownState = [join(workspace, '.everturn'), join(workspace, 'everturn.yaml')];
  const { registry } = await createRegistry({
    ownState,
    effectFolder: join(folder, 'effects'),
    modules: options.modules ?? [],
  });
  const cancelling = new AbortController();
  const groups: LedGroup[] = [];
  const progress: string[] = [];
  const results = new Map<string, string>();
  const { signal } = cancelling;
  let calls = 0;
  const base = (): ToolContext => {
    calls += 1;
    return {
      workspace,
      policy: POLICY,
      signal,
      idempotencyKey: `turn/1/${calls}`,
      turnId: 'turn',
      callId: `c1-${calls}`,
      timeoutMs: 30_000,
      progress: (text) => void progress.push(text),
      secret: () => undefined,
      approved: false,
      run: createProcessRunner({
        onGroup: async (group) => void groups.push(group),
        graceMs: options.graceMs ?? 5000,
        signal,
      }),
      readResult: async (ref) => results.get(ref),
    };
  };
  const toolOf = (name: string) => {
    const tool = registry.get(name);
    if (!tool) throw new Error(`no tool ${name}`);
    return tool;
  };
  return {
    folder,
    workspace,
    registry,
    context: base(),
    cancel: () => cancelling.abort(),
    groups,
    progress,
    results,
    run: (tool, args, change) => toolOf(tool).execute(args, { ...base(), ...change }),
    assess: async (tool, args, change) => toolOf(tool).assess(args, { ...base(), ...change }),
    close: () => rm(folder, { recursive: true, force: true }),
  };
}

/** Waits until something is so; fails by the test's own time-out when it never is. */
export async function until(is: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await is())) await new Promise((resolve) => setTimeout(resolve, 10));
}
