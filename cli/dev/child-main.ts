// The frame of a process that the supervisor starts: reads its order, beats, drains when told, and ends with its parent.
import { CliError, EXIT } from '../exit.ts';
import { BEAT_MS, type ChildOrder, type FromChild, type ToChild } from './child-protocol.ts';

export type Running = { ready: Omit<Extract<FromChild, { type: 'ready' }>, 'type'>; drain: () => Promise<void> };

/**
 * @param start resolves when the process does its work; a rejection is told to the supervisor. `told` resolves with the
 * identity that a standby is given
 */
export function runAsChild(start: (order: ChildOrder, told: Promise<string>) => Promise<Running>): void {
  const order = JSON.parse(process.argv[2] ?? '') as ChildOrder;
  // Whatever this process is in the middle of, without its supervisor it must not go on.
  process.once('disconnect', () => process.exit(EXIT.failed));
  const beat = setInterval(() => tell({ type: 'beat' }), BEAT_MS);
  const running = start(order, identityTold());
  running.then(({ ready }) => tell({ type: 'ready', ...ready })).catch((error: unknown) => fail(error));
  process.on('message', (message: ToChild) => {
    if (message.type !== 'drain') return;
    running
      .then(({ drain }) => drain())
      .then(() => {
        clearInterval(beat);
        process.exit(EXIT.ok);
      })
      .catch(fail);
  });
}

function identityTold(): Promise<string> {
  return new Promise((resolve) => {
    process.on('message', (message: ToChild) => {
      if (message.type === 'go') resolve(message.identity);
    });
  });
}

function tell(message: FromChild): void {
  if (process.connected) process.send?.(message, undefined, {}, () => {});
}

function fail(error: unknown): void {
  const known = error instanceof CliError;
  const message = error instanceof Error ? error.message : String(error);
  if (!known && error instanceof Error) process.stderr.write(`${error.stack ?? message}\n`);
  const exitCode = known ? error.exitCode : EXIT.failed;
  const hint = known ? error.hint : undefined;
  const told: FromChild = { type: 'failed', message, exitCode, ...(hint === undefined ? {} : { hint }) };
  process.send?.(told, undefined, {}, () => process.exit(exitCode));
}
