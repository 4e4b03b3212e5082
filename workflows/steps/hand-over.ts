/** Continues as new between iterations, with nothing in flight; senders are refused for the moment it takes (C8.9). */
import { continueAsNew } from '@temporalio/workflow';
import type { Desk } from '../desk.ts';

export async function handOver(desk: Desk): Promise<never> {
  desk.closing = true;
  await desk.quiet();
  await desk.handlersDone();
  return continueAsNew({ turnId: desk.state.turnId }, desk.state);
}
