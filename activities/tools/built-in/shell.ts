/** `shell`: a command line in the workspace, judged before (C11.2), in its own process group, sandboxed where that is possible. */
import { z } from 'zod';
import { assessShell } from '../../../assess/shell/assess-shell.ts';
import type { Assessment } from '../../../core/assessment.ts';
import type { JsonObject } from '../../../core/json.ts';
import { shellProgram } from '../find-program.ts';
import { sandboxed, sandboxState } from '../sandbox.ts';
import { ToolFault } from '../tool-fault.ts';
import type { AssessContext, ProcessResult, Tool, ToolContext, ToolResult } from '../types.ts';
import { allowedPath, native, type Own } from './native.ts';
import { safeEnvironment } from './safe-environment.ts';

/** Bytes kept of each stream (C11.2). */
const MOST_OUTPUT = 1024 * 1024;
const DEFAULT_TIMEOUT_MS = 60_000;

export function shell(own: Own): Tool {
  const tool = native({
    name: 'shell',
    description:
      'Runs a command line in the workspace with bash (sh where there is none) and gives back what it wrote: standard output, then standard error under "[stderr]". Nothing can be typed into it, and a time limit applies. Commands in the background (&) are refused, and nothing that it starts outlives it. To read, write and search files the file tools are better.',
    parameters: z.strictObject({
      command: z.string().min(1).max(32_768).describe('The command line'),
      directory: z.string().optional().describe('Where to run it, relative to the workspace (default: the workspace)'),
    }),
    effect: 'once',
    timeoutMs: DEFAULT_TIMEOUT_MS,
    async execute({ command, directory = '.' }, context) {
      const { path: cwd } = await allowedPath(directory, 'read', { ...context, ...own });
      // Checked again: since it was assessed a link may have been put where a harmless file was. Blocks only, never asks.
      const { blocked } = await assessShell(command, { ...context, ...own, directory });
      if (blocked !== undefined) throw new ToolFault(`Blocked: ${blocked}`);
      const env = safeEnvironment(process.env, context.policy.shell.envPassthrough);
      const plan = await sandboxed([shellProgram(), '-c', command], { ...context, ...own, env });
      const result = await context.run({
        command: plan.command,
        cwd,
        env,
        timeoutMs: context.timeoutMs,
        maxOutputBytes: MOST_OUTPUT,
        onOutput: (_, text) => context.progress(text),
      });
      return resultOf(result, context, plan.sandboxed);
    },
  });
  return { ...tool, assess: (args, context) => assess(args, { ...context, ...own }) };
}

async function assess({ command, directory }: JsonObject, context: AssessContext & Own): Promise<Assessment> {
  const where = typeof directory === 'string' ? directory : '.';
  const found = await assessShell(String(command), { ...context, directory: where });
  const sandbox = await sandboxState();
  if (sandbox.kind === 'bubblewrap') return found;
  const reasons = [...found.risk.reasons, `not sandboxed: ${sandbox.why}`];
  return { ...found, risk: { ...found.risk, reasons } };
}

function resultOf(result: ProcessResult, context: ToolContext, isSandboxed: boolean): ToolResult {
  const output = [result.stdout, result.stderr === '' ? '' : `[stderr]\n${result.stderr}`]
    .filter((part) => part !== '')
    .map((part, index, all) => (index < all.length - 1 && !part.endsWith('\n') ? `${part}\n` : part))
    .join('');
  const data = { exitCode: result.exitCode, signal: result.signal, sandboxed: isSandboxed };
  const error = errorOf(result, context);
  return error === undefined ? { success: true, output, data } : { success: false, output, error, data };
}

function errorOf({ ended, exitCode, signal }: ProcessResult, context: ToolContext): string | undefined {
  if (ended === 'timeout')
    return `timed out after ${context.timeoutMs / 1000} s and was ended. Its outcome is unknown: it may have taken effect. Check before you repeat it`;
  if (ended === 'cancelled') return 'the command was ended because the turn was cancelled; what it had done stays done';
  if (signal !== null) return `the command was ended by signal ${signal}`;
  return exitCode === 0 ? undefined : `exit code ${exitCode}`;
}
