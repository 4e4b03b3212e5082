// The embedded Temporal server as a process: started on a file, ended with us however we end.
import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { waitForPort } from './ports.ts';
import { type ProcessStamp, signalProcess, stampOf, waitUntilGone } from './process-stamp.ts';
import { type TemporalDevOptions, temporalDevArgs } from './temporal-flags.ts';

export type TemporalServer = {
  stamp: ProcessStamp;
  exited: Promise<string>;
  /** In order; after `graceMs` by force. */
  stop: (graceMs: number) => Promise<void>;
};

export type TemporalServerOptions = TemporalDevOptions & {
  /** Path of the CLI. */
  cli: string;
  /** What it says goes to this file, which is begun anew. */
  logFile: string;
};

/**
 * The server does not watch any pipe, so a shell does it for it: it kills the server when our end closes.
 * The first line of its output is the server's process id.
 */
const GUARD = [
  'umask 077',
  'exec 3<&0',
  '"$@" </dev/null 3<&- >&2 & server=$!',
  'echo $server',
  '(cat <&3 >/dev/null 2>&1; kill -9 $server 2>/dev/null) & guard=$!',
  'exec 3<&-',
  'wait $server; code=$?',
  'kill $guard 2>/dev/null',
  'exit $code',
].join('\n');

const START_MS = 30_000;

/** @throws Error with the server's own last words when it does not come up */
export async function startTemporalServer(options: TemporalServerOptions): Promise<TemporalServer> {
  const args = await temporalDevArgs(options);
  const log = openSync(options.logFile, 'w', 0o600);
  const guard = spawn('sh', ['-c', GUARD, 'everturn-temporal', options.cli, ...args], {
    detached: true,
    stdio: ['pipe', 'pipe', log],
  });
  closeSync(log);
  const { stdin } = guard;
  stdin?.on('error', () => {});
  const exited = exitOf(guard);
  const gone = new AbortController();
  void exited.then((how) =>
    gone.abort(new Error(`The Temporal server ended with ${how}.${lastWords(options.logFile)}`)),
  );
  const pid = await Promise.race([firstNumber(guard), exited.then(() => 0)]);
  await waitForPort({ host: options.ip, port: options.port }, START_MS, gone.signal);
  gone.signal.throwIfAborted();
  const stamp = stampOf(pid) ?? { pid, startTime: '' };
  return {
    stamp,
    exited,
    stop: async (graceMs) => {
      signalProcess(stamp, 'SIGTERM');
      if (graceMs === 0 || !(await waitUntilGone(stamp, graceMs))) signalProcess(stamp, 'SIGKILL');
      await exited;
      stdin?.end();
    },
  };
}

function exitOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('exit', (code, signal) => resolve(signal ?? `code ${code}`));
  });
}

function firstNumber(child: ChildProcess): Promise<number> {
  return new Promise((resolve) => child.stdout?.once('data', (chunk: Buffer) => resolve(Number(chunk.toString()))));
}

function lastWords(file: string): string {
  try {
    const lines = readFileSync(file, 'utf8').trimEnd().split('\n').slice(-3).join(' | ');
    return lines === '' ? '' : ` It said: ${lines.slice(0, 500)}`;
  } catch {
    return '';
  }
}
