// Holding everything: pause, resume, estop.
import { type ReachOptions, reachGateway } from '../api/reach.ts';
import type { Context } from '../context.ts';
import { plural } from '../durations.ts';

type Options = ReachOptions & { reason?: string };

export async function pause(context: Context, options: Options): Promise<void> {
  const { client } = await reachGateway(context, options);
  const held = await client.pause(options.reason);
  if (context.json) return context.emit({ state: 'paused', ...held });
  context.print('Paused: running calls end, no next step begins. `everturn resume` goes on.');
}

export async function resume(context: Context, options: Options): Promise<void> {
  const { client } = await reachGateway(context, options);
  const state = await client.resume(options.reason);
  if (context.json) return context.emit(state);
  context.print('Running.');
}

export async function estop(context: Context, options: Options): Promise<void> {
  const { client } = await reachGateway(context, options);
  const outcome = await client.estop(options.reason);
  if (context.json) return context.emit(outcome);
  context.print(
    `Stopped: ${plural(outcome.cancelled.length, 'turn')} cancelled. Nothing runs until \`everturn resume\`.`,
  );
}
