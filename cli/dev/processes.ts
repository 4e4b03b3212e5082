// The worker and the gateway as kept processes: how each is started, watched and stopped.
import { type Child, type Log, startChild } from './child.ts';
import type { ChildOrder } from './child-protocol.ts';
import type { Started, StopHow } from './keeper.ts';
import { watchForStall } from './stall-watch.ts';

export type WorkerStart = {
  order: ChildOrder & { identity: string };
  log: Log;
  graceMs: number;
  onStall: () => void;
  /** A process that has loaded everything and waits. */
  standby: Child | undefined;
};

export function startWorkerProcess({ order, log, graceMs, onStall, standby }: WorkerStart): Started {
  const child = standby ?? startChild('./worker-process.ts', order, log);
  standby?.go(order.identity);
  watchForStall(child, () => {
    onStall();
    child.kill();
  });
  return { ...partsOf(child), stop: stopper(child, graceMs) };
}

export type GatewayStart = { order: ChildOrder; log: Log; onUrl: (url: string) => void };

const GATEWAY_GRACE_MS = 3_000;

export function startGatewayProcess({ order, log, onUrl }: GatewayStart): Started {
  const child = startChild('./gateway-process.ts', order, log);
  const ready = child.ready.then(({ url = '' }) => onUrl(url));
  ready.catch(() => {});
  return { ...partsOf(child), ready, stop: stopper(child, GATEWAY_GRACE_MS) };
}

export const startStandbyProcess = (order: Omit<ChildOrder, 'identity'>, log: Log): Child =>
  startChild('./worker-process.ts', order, log);

const partsOf = ({ stamp, ready, exited }: Child) => ({ stamp, ready, exited });

/** What drains has its grace and a little more to say so; then it is killed. */
function stopper(child: Child, graceMs: number): (how: StopHow) => Promise<void> {
  return async (how) => {
    const timer = how === 'drain' ? setTimeout(() => child.kill(), graceMs + 1_000) : undefined;
    if (how === 'drain') child.drain();
    else child.kill();
    await child.exited;
    clearTimeout(timer);
  };
}
