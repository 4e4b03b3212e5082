// Notices a worker that lives and does nothing: stopped, or stuck. Such a one swallows tasks and must be ended.
import type { Child } from './child.ts';

const LOOK_MS = 500;
export const STALL_MS = 5_000;
/** Loading and bundling keep a starting process busy; only one that hangs takes this long. */
const START_STALL_MS = 60_000;

/** Calls back once when there was no sign of life for {@link STALL_MS}. Returns how to stop watching. */
export function watchForStall(child: Pick<Child, 'lastBeat' | 'exited' | 'ready'>, onStall: () => void): () => void {
  let lookedAt = performance.now();
  let excusedUntil = 0;
  let limit = START_STALL_MS;
  child.ready.then(
    () => {
      limit = STALL_MS;
    },
    () => {},
  );
  const timer = setInterval(() => {
    const now = performance.now();
    // When we ourselves were held up (a suspended machine), the beats are still on their way.
    if (now - lookedAt > 4 * LOOK_MS) excusedUntil = now + limit;
    lookedAt = now;
    if (now < excusedUntil || now - child.lastBeat() < limit) return;
    stop();
    onStall();
  }, LOOK_MS);
  const stop = () => clearInterval(timer);
  void child.exited.then(stop);
  return stop;
}
