// Starts one of our own processes and listens to it.
import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cacheFolder } from '../cache-folder.ts';
import { CliError, EXIT, type ExitCode } from '../exit.ts';
import type { ChildOrder, FromChild, ToChild } from './child-protocol.ts';
import { type ProcessStamp, signalProcess, stampOf } from './process-stamp.ts';

export type Child = {
  stamp: ProcessStamp;
  /** Resolves when it does its work; rejects with what it said when it cannot, or when it ended before. */
  ready: Promise<{ url?: string }>;
  exited: Promise<string>;
  /** Milliseconds, `performance.now()`, of the last sign of life. */
  lastBeat: () => number;
  drain: () => void;
  /** Tells a standby to become the worker of that name. */
  go: (identity: string) => void;
  /** At once, with everything in its group. */
  kill: () => void;
};

/** Where its words go: to our own stderr, or behind what a file holds. */
export type Log = 'inherit' | { file: string };

export type ChildModule = './worker-process.ts' | './gateway-process.ts';

/** From the source, or from what was built of it: like this very file. */
const pathOf = (module: ChildModule): string => {
  const own = import.meta.url.endsWith('.ts') ? module : module.replace(/\.ts$/, '.js');
  return fileURLToPath(new URL(own, import.meta.url));
};

export function startChild(module: ChildModule, order: ChildOrder, log: Log): Child {
  const out = log === 'inherit' ? 2 : openSync(log.file, 'a', 0o600);
  const child = spawn(process.execPath, [...nodeFlags(), pathOf(module), JSON.stringify(order)], {
    // Its own session: Ctrl-C at the terminal reaches the supervisor alone, which drains in order.
    detached: true,
    // What this process has compiled before, the next one need not: loading is most of a start.
    env: { ...process.env, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? join(cacheFolder(), 'compile-cache') },
    stdio: ['ignore', out, out, 'ipc'],
  });
  if (out !== 2) closeSync(out);
  let lastBeat = performance.now();
  child.on('message', () => {
    lastBeat = performance.now();
  });
  // The end of a process shows itself as its exit; the pipe's own errors tell nothing more.
  child.on('error', () => {});
  const exited = exitOf(child);
  return {
    stamp: stampOf(child.pid ?? 0) ?? { pid: child.pid ?? 0, startTime: '' },
    ready: readinessOf(child, exited),
    exited,
    lastBeat: () => lastBeat,
    drain: () => tell(child, { type: 'drain' }),
    go: (identity) => tell(child, { type: 'go', identity }),
    kill: () => killGroup(child),
  };
}

/** What this Node needs to read our source; not what a person gave it to look into it. */
const nodeFlags = (): string[] => process.execArgv.filter((flag) => flag.startsWith('--experimental-'));

function tell(child: ChildProcess, message: ToChild): void {
  if (child.connected) child.send(message, () => {});
}

function exitOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('exit', (code, signal) => resolve(signal ?? `code ${code}`));
  });
}

function readinessOf(child: ChildProcess, exited: Promise<string>): Promise<{ url?: string }> {
  const ready = new Promise<{ url?: string }>((resolve, reject) => {
    child.on('message', (message: FromChild) => {
      if (message.type === 'ready') resolve(message);
      if (message.type === 'failed') {
        const more = message.hint === undefined ? {} : { hint: message.hint };
        reject(new CliError(message.exitCode as ExitCode, message.message, more));
      }
    });
    void exited.then((how) => reject(new CliError(EXIT.failed, `ended with ${how} before it was ready`)));
  });
  // Not everybody waits for it: a restart looks at the exit only.
  ready.catch(() => {});
  return ready;
}

function killGroup(child: ChildProcess): void {
  const ended = child.pid === undefined || child.exitCode !== null || child.signalCode !== null;
  const stamp = ended || child.pid === undefined ? undefined : stampOf(child.pid);
  if (stamp) signalProcess(stamp, 'SIGKILL', true);
}
