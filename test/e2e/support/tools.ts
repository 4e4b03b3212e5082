// The tools of these tests. Each notes in the workspace that it ran; the holding ones wait for a file to appear.
import { access, appendFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { defineTool } from '../../../activities/tools/define-tool.ts';
import type { ToolContext } from '../../../activities/tools/types.ts';
import type { Effect } from '../../../core/assessment.ts';

export const RUNS = 'runs.log';

const parameters = z.strictObject({
  name: z.string().min(1),
  /** Goes on in spite of a cancel. */
  stubborn: z.boolean().default(false),
  /** Ends with this instead of a success. */
  fail: z.string().optional(),
});
type Args = z.output<typeof parameters>;

async function ran({ name, fail }: Args, context: ToolContext, hold?: (name: string) => Promise<void>) {
  await mkdir(context.workspace, { recursive: true });
  await appendFile(join(context.workspace, RUNS), `${name}\n`);
  await hold?.(name);
  if (fail !== undefined) throw new Error(fail);
  return `ran ${name}`;
}

async function untilReleased({ name, stubborn }: Args, { workspace, signal }: ToolContext): Promise<void> {
  const there = () =>
    access(join(workspace, `release-${name}`)).then(
      () => true,
      () => false,
    );
  while (!(await there())) {
    if (signal.aborted && !stubborn) throw new Error('stopped');
    await pause(10);
  }
}

const make = (name: string, effect: Effect, holds: boolean) =>
  defineTool({
    name,
    description: `Notes that it ran${holds ? ', and waits until it is released' : ''}.`,
    parameters,
    effect,
    // Low where nothing is done; else medium, which asks.
    execute: (args, context) => ran(args, context, holds ? () => untilReleased(args, context) : undefined),
  });

/** `once`: asked for unless approved in advance. */
export const act = make('act', 'once', false);
export const actHeld = make('act_held', 'once', true);
/** No effect: never asked for. */
export const look = make('look', 'none', false);
export const lookHeld = make('look_held', 'none', true);

/** Dangerous when told so: what an edit may turn a harmless call into. */
export const risky = defineTool({
  name: 'risky',
  description: 'High risk when its level says so.',
  parameters: z.strictObject({ name: z.string(), level: z.enum(['medium', 'high']) }),
  assess: ({ level }) => ({ risk: level, reasons: [`level ${level}`] }),
  execute: ({ name }, context) => ran({ name, stubborn: false }, context),
});
