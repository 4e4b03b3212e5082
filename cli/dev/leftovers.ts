// Ends what a supervisor left behind that did not end in order. Its children go by themselves when their pipe
// closes; this makes sure, before any file is opened.
import { hostname } from 'node:os';
import type { ChildName, DevRecord } from './dev-record.ts';
import { isRunning, type ProcessStamp, signalProcess, waitUntilGone } from './process-stamp.ts';

const GONE_MS = 5_000;

/**
 * @returns the names of the processes that had to be ended
 * @throws Error when one cannot be ended
 */
export async function endLeftovers(previous: DevRecord): Promise<ChildName[]> {
  // Another machine's ids say nothing here; its processes cannot be reached either.
  if (previous.host !== hostname()) return [];
  const ended: ChildName[] = [];
  // The worker first: while it lives it may still start something.
  for (const name of ['worker', 'standby', 'gateway', 'temporal'] as const) {
    const stamp = previous.children[name];
    if (stamp === undefined || !isRunning(stamp)) continue;
    await end(name, stamp);
    ended.push(name);
  }
  return ended;
}

async function end(name: ChildName, stamp: ProcessStamp): Promise<void> {
  signalProcess(stamp, 'SIGKILL', true);
  signalProcess(stamp, 'SIGKILL');
  if (await waitUntilGone(stamp, GONE_MS)) return;
  throw new Error(
    `The ${name} process ${stamp.pid} of the last start cannot be ended; end it yourself and start again.`,
  );
}
