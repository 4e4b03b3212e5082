// How a long-running command is stopped: any signal that asks for an end drains it, a second one ends it at once.
import { CliError, EXIT } from './exit.ts';

export type Stops = { first: AbortSignal; second: AbortSignal };

export function listenForStops(): Stops {
  const [first, second] = [new AbortController(), new AbortController()];
  const onSignal = () => (first.signal.aborted ? second : first).abort(new CliError(EXIT.interrupted, 'Interrupted.'));
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, onSignal);
  // Started by a program of ours (the demo, a test) that is gone: nobody would ever end this.
  process.once('disconnect', () => {
    onSignal();
    onSignal();
  });
  // Listened to, but no reason to stay.
  process.channel?.unref();
  return { first: first.signal, second: second.signal };
}

/** Resolves when the signal has fired. */
export function stopped(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
