/** What the built-in tools share: who they are, how they judge a path, how an expected failure becomes a result. */
import type { z } from 'zod';
import { judgePath } from '../../../assess/paths.ts';
import { isVersionControl } from '../../../assess/places.ts';
import { defineTool, type ToolAssessment, type ToolDefinition } from '../define-tool.ts';
import { ToolFault } from '../tool-fault.ts';
import type { AssessContext, Tool } from '../types.ts';

export type Own = {
  /** The product's own configuration and state, closed to tools (C11.3). Absolute paths. */
  ownState: readonly string[];
};

/** A tool of ours. A `ToolFault` is its way to fail; anything else it throws is a fault of ours and goes on. */
export function native<const Schema extends z.ZodType>(
  definition: ToolDefinition<Schema>,
  executor: Tool['executor'] = 'activity',
): Tool {
  const tool = defineTool(definition);
  return {
    ...tool,
    provenance: 'native',
    executor,
    async execute(args, context) {
      try {
        return await tool.execute(args, context);
      } catch (error) {
        if (!(error instanceof ToolFault)) throw error;
        return { success: false, output: '', error: error.message };
      }
    },
  };
}

type Judged = { workspace: string; policy: AssessContext['policy'] };

/** The real path to work on. @throws ToolFault when it is closed by now */
export async function allowedPath(
  path: string,
  access: 'read' | 'write',
  context: Judged & Own,
): Promise<{ path: string; exists: boolean }> {
  const { workspace, policy, ownState } = context;
  const judged = await judgePath(path, access, { workspace, policy, ownState });
  if (judged.kind === 'blocked') throw new ToolFault(`Blocked: ${judged.reason}`);
  return { path: judged.resolved, exists: judged.exists };
}

/** The part of an assessment that a path decides. */
export async function assessPath(
  path: string,
  access: 'read' | 'write',
  context: Judged & Own,
): Promise<ToolAssessment> {
  const { workspace, policy, ownState } = context;
  const judged = await judgePath(path, access, { workspace, policy, ownState });
  if (judged.kind === 'blocked') return { blocked: judged.reason };
  const paths = [{ path: judged.resolved, access }];
  if (access === 'write' && isVersionControl(judged.resolved)) {
    return { paths, risk: 'high', reasons: ['writes into the version control folder, which can run programs later'] };
  }
  return access === 'write' ? { paths, reasons: ['writes a file'] } : { paths };
}
