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

export const keepRunning = (options: KeeperOptions): Keeper => new Kept(options);

class Kept implements Keeper {
  readonly first: Promise<void>;
  readonly #options: KeeperOptions;
  readonly #stopping = new AbortController();
  readonly #looping: Promise<void>;
  #current: Started | undefined;
  #firstReady: () => void = () => {};
  #neverReady: (error: unknown) => void = () => {};

  constructor(options: KeeperOptions) {
    this.#options = options;
    this.first = new Promise<void>((resolve, reject) => {
      this.#firstReady = resolve;
      this.#neverReady = (error) => reject(named(options.name, error));
    });
    this.first.catch(() => {});
    this.#looping = this.#loop();
  }

  async stop(how: StopHow): Promise<void> {
    this.#stopping.abort();
    await this.#current?.stop(how);
    await this.#looping;
  }

  async #loop(): Promise<void> {
    const { signal } = this.#stopping;
    let short = 0;
    for (let nth = 0; !signal.aborted; nth += 1) {
      try {
        const how = await this.#once(nth);
        if (how === 'over') return;
        short = how === 'steady' ? 0 : short + 1;
      } catch (error) {
        if (nth === 0) return this.#neverReady(error);
        this.#options.notice(`The ${this.#options.name} could not be started: ${textOf(error)}`);
        short += 1;
      }
      if (short > 1) await pause(Math.min(250 * 2 ** short, LONGEST_DELAY_MS), signal);
    }
  }

  async #once(nth: number): Promise<'steady' | 'short' | 'over'> {
    const { name, start, onStart, onLost, notice } = this.#options;
    const started = await start(nth);
    this.#current = started;
    if (this.#stopping.signal.aborted) {
      await started.stop('now');
      return 'over';
    }
    onStart(started);
    let readyAt: number | undefined;
    const onReady = () => {
      readyAt = performance.now();
      this.#firstReady();
    };
    started.ready.then(onReady, (error: unknown) => nth === 0 && this.#neverReady(error));
    const how = await started.exited;
    if (this.#stopping.signal.aborted || (nth === 0 && readyAt === undefined)) return 'over';
    notice(`The ${name} ended (${how}); it is started again.`);
    onLost?.();
    if (readyAt === undefined) return 'short';
    return fromOutside(how) || performance.now() - readyAt > STEADY_MS ? 'steady' : 'short';
  }
}

/** Somebody killed it: nothing that it would do again at once. */
const fromOutside = (how: string): boolean => how.includes('SIGKILL');

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
