/** A heartbeat for the whole body of an activity, on a timer: also while nothing arrives (cancel and loss are told by it). */
import { Context } from '@temporalio/activity';

const BEAT_MS = 200;

/** @param details what a later attempt may read of this one */
export async function withHeartbeat<T>(details: () => unknown, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const context = Context.current();
  context.heartbeat(details());
  const timer = setInterval(() => context.heartbeat(details()), BEAT_MS);
  try {
    return await work(context.cancellationSignal);
  } finally {
    clearInterval(timer);
  }
}
