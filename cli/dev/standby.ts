// A worker process that has loaded everything and waits, so that a lost worker is replaced in a moment: loading is most
// of a start. It polls nothing until it is told to.
import type { Child } from './child.ts';
import { signalProcess } from './process-stamp.ts';

export type Standby = {
  /** The process, if there is one that lives; it is no longer ours then. */
  take: () => Child | undefined;
  /** Starts one a little later, when there is none. */
  renew: () => void;
  end: () => void;
};

/** The machine has better things to do in the moment of a start. */
const LATER_MS = 2_000;
/** One that does not beat would not hear either. */
const DEAF_MS = 2_000;

export function keepStandby(start: () => Child, onStart: (child: Child) => void): Standby {
  let child: Child | undefined;
  let timer: NodeJS.Timeout | undefined;
  let ended = false;
  const begin = () => {
    timer = undefined;
    if (ended || child) return;
    const started = start();
    child = started;
    onStart(started);
    void started.exited.then(() => {
      if (child === started) child = undefined;
    });
  };
  return {
    take: () => {
      const taken = child;
      child = undefined;
      if (taken === undefined || performance.now() - taken.lastBeat() < DEAF_MS) return taken;
      signalProcess(taken.stamp, 'SIGKILL', true);
      return undefined;
    },
    renew: () => {
      timer ??= setTimeout(begin, LATER_MS);
    },
    end: () => {
      ended = true;
      clearTimeout(timer);
      child?.kill();
    },
  };
}
