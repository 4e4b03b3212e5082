// Keeps one process of the stack running: starts it again when it ends, sooner or later depending on how long it lived.
import { CliError, EXIT } from '../exit.ts';
import type { ProcessStamp } from './process-stamp.ts';

export type Started = {
  stamp: ProcessStamp;
  /** Resolves when it does its work. */
  ready: Promise<unknown>;
  /** How it ended, in words. */
  exited: Promise<string>;
  /** Resolves when it is gone. */
  stop: (how: StopHow) => Promise<void>;
};

/** In order, letting work end; or this instant. */
export type StopHow = 'drain' | 'now';

export type KeeperOptions = {
  name: string;
  start: (nth: number) => Promise<Started>;
  onStart: (started: Started) => void;
  /** Runs beside the next start, not before it. */
  onLost?: () => void;
  notice: (text: string) => void;
};

export type Keeper = {
  /** The first start is ready; rejects with why it never was. */
  first: Promise<void>;
  stop: (how: StopHow) => Promise<void>;
};

/** One that did its work for this long ended for a reason from outside: it is started again at once. */
const STEADY_MS = 2_000;
const LONGEST_DELAY_MS = 10_000;

export function keepRunning(options: KeeperOptions): Keeper {
  const stopping = new AbortController();
  let current: Started | undefined;
  let isReady: () => void = () => {};
  let isLost: (error: unknown) => void = () => {};
  const first = new Promise<void>((resolve, reject) => {
    isReady = resolve;
    isLost = reject;
  });
  first.catch(() => {});

  const once = async (nth: number): Promise<'steady' | 'short' | 'over'> => {
    const started = await options.start(nth);
    current = started;
    if (stopping.signal.aborted) {
      await started.stop('now');
      return 'over';
    }
    options.onStart(started);
    let readyAt: number | undefined;
    started.ready.then(
      () => {
        readyAt = performance.now();
        isReady();
      },
      (error: unknown) => {
        if (nth === 0) isLost(named(options.name, error));
      },
    );
    const how = await started.exited;
    if (stopping.signal.aborted || (nth === 0 && readyAt === undefined)) return 'over';
    options.notice(`The ${options.name} ended (${how}); it is started again.`);
    options.onLost?.();
    return readyAt !== undefined && performance.now() - readyAt > STEADY_MS ? 'steady' : 'short';
  };

  const loop = async (): Promise<void> => {
    let short = 0;
    for (let nth = 0; !stopping.signal.aborted; nth += 1) {
      try {
        const how = await once(nth);
        if (how === 'over') return;
        short = how === 'steady' ? 0 : short + 1;
      } catch (error) {
        if (nth === 0) return isLost(named(options.name, error));
        options.notice(`The ${options.name} could not be started: ${textOf(error)}`);
        short += 1;
      }
      if (short > 1) await pause(Math.min(250 * 2 ** short, LONGEST_DELAY_MS), stopping.signal);
    }
  };
  const looping = loop();
  return {
    first,
    stop: async (how) => {
      stopping.abort();
      await current?.stop(how);
      await looping;
    },
  };
}

function named(name: string, error: unknown): unknown {
  if (error instanceof CliError) {
    const hint = error.hint === undefined ? {} : { hint: error.hint };
    return new CliError(error.exitCode, `The ${name} cannot start: ${error.message}`, { code: error.code, ...hint });
  }
  return new CliError(EXIT.failed, `The ${name} cannot start: ${textOf(error)}`);
}

const textOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener('abort', done, { once: true });
    if (signal.aborted) done();
  });
}
