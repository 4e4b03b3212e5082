/** A heartbeat for the whole body of an activity, on a timer: also while nothing arrives (cancel and loss are told by it). */
import { Context } from '@temporalio/activity';

const BEAT_MS = 200;
/** Most activities are over before; each beat costs the server a write. */
const FIRST_BEAT_MS = 100;

/** @param details what a later attempt may read of this one */
export async function withHeartbeat<T>(details: () => unknown, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const context = Context.current();
  let timer = setTimeout(beat, FIRST_BEAT_MS);
  function beat(): void {
    context.heartbeat(details());
    timer = setTimeout(beat, BEAT_MS);
  }
  try {
    return await work(context.cancellationSignal);
  } finally {
    clearTimeout(timer);
  }
}
