/** Continues as new between iterations, with nothing in flight; senders are refused for the moment it takes (C8.9). */
import { continueAsNew } from '@temporalio/workflow';
import type { Desk } from '../desk.ts';

/** A cancel that comes in meanwhile ends the turn in this run: Temporal's own does not follow it into the next one. */
export async function handOver(desk: Desk): Promise<void> {
  desk.closing = true;
  await desk.quiet();
  await desk.handlersDone();
  if (desk.state.cancel) {
    desk.closing = false;
    return;
  }
  await continueAsNew({ turnId: desk.state.turnId }, desk.state);
}
