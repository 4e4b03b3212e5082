/** Runs commands for tools: through the launcher, in a recorded group, bounded in output and time, ended as a whole. */
import { type ChildProcess, spawn } from 'node:child_process';
import { hostname } from 'node:os';
import type { Duplex } from 'node:stream';
import { ToolFault } from '../tool-fault.ts';
import type { ProcessRequest, ProcessResult, ProcessRunner } from '../types.ts';
import { CappedOutput } from './capped-output.ts';
import { type GroupId, markOf } from './kill-group.ts';
import { startTimeOf } from './process-table.ts';
import { LAUNCHER } from './script.ts';
import { watchEnd } from './watch-end.ts';

/** As `Ledger.group` takes it. */
export type LedGroup = { host: string; pgid: number; startTime: string };

export type RunnerOptions = {
  /** Records the group; the command starts only after it resolved, and never when it rejects or answers `void`. */
  // biome-ignore lint/suspicious/noConfusingVoidType: a recorder that answers nothing has recorded
  onGroup: (group: LedGroup) => Promise<'recorded' | 'void' | void>;
  /** Milliseconds from the end of patience (cancel, time-out) to the point where nothing may be left. */
  graceMs: number;
  /** Cancels every command that runs. */
  signal: AbortSignal;
};

/** The attempt was given up before its command began; nothing ran. */
export class GroupVoid extends Error {
  constructor() {
    super('This attempt was given up before its command began; nothing was run.');
    this.name = 'GroupVoid';
  }
}

/** SIGKILL comes this long before the grace is over, so that the result is there in time. */
const MARGIN_MS = 1500;
const SHORTEST_GRACE_MS = 250;

export function createProcessRunner(options: RunnerOptions): ProcessRunner {
  return (request) => {
    if (options.signal.aborted) return Promise.resolve(notStarted());
    return run(request, options);
  };
}

async function run(request: ProcessRequest, options: RunnerOptions): Promise<ProcessResult> {
  const killAfterMs = Math.max(SHORTEST_GRACE_MS, options.graceMs - MARGIN_MS);
  const child = await start(request, killAfterMs);
  const group = groupOf(child);
  const streams = { stdout: collect(child, 'stdout', request), stderr: collect(child, 'stderr', request) };
  const ending = watchEnd(child, group);
  const control = child.stdio[3] as Duplex;
  let ended: ProcessResult['ended'] = 'exit';
  const end = (why: 'timeout' | 'cancelled') => {
    if (ended === 'exit') ended = why;
    ending.escalate(killAfterMs);
  };
  const cancel = () => end('cancelled');
  let timer: NodeJS.Timeout | undefined;
  try {
    const recorded = await options.onGroup({ host: hostname(), ...group });
    if (recorded === 'void') throw new GroupVoid();
    if (options.signal.aborted) return notStarted();
    options.signal.addEventListener('abort', cancel);
    timer = setTimeout(() => end('timeout'), request.timeoutMs);
    control.write(`go ${markOf(group)}\n`);
    const { exitCode, signal } = await ending.over;
    const [stdout, stderr] = [streams.stdout, streams.stderr];
    const dropped = { stdout: stdout.dropped, stderr: stderr.dropped };
    return { exitCode, signal, stdout: stdout.text(), stderr: stderr.text(), dropped, ended };
  } finally {
    clearTimeout(timer);
    options.signal.removeEventListener('abort', cancel);
    ending.now();
  }
}

function notStarted(): ProcessResult {
  return {
    exitCode: null,
    signal: null,
    stdout: '',
    stderr: '',
    dropped: { stdout: 0, stderr: 0 },
    ended: 'cancelled',
  };
}

function start(request: ProcessRequest, killAfterMs: number): Promise<ChildProcess> {
  const grace = String(Math.ceil(killAfterMs / 1000));
  const child = spawn('/bin/sh', ['-c', LAUNCHER, 'everturn', grace, ...request.command], {
    cwd: request.cwd,
    env: request.env,
    // A session of its own, so that its pid is the number of its group.
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
  });
  return new Promise((resolve, reject) => {
    child.once('spawn', () => resolve(child));
    child.once('error', (error: Error & { code?: string }) => {
      const why = error.code === 'ENOENT' ? `the folder ${request.cwd} does not exist` : error.message;
      reject(new ToolFault(`The command could not be started: ${why}`));
    });
  });
}

function groupOf(child: ChildProcess): GroupId {
  const pgid = child.pid as number;
  return { pgid, startTime: startTimeOf(pgid) ?? 'unknown' };
}

function collect(child: ChildProcess, name: 'stdout' | 'stderr', request: ProcessRequest): CappedOutput {
  const output = new CappedOutput(request.maxOutputBytes);
  const decoder = new TextDecoder();
  child[name]?.on('data', (chunk: Buffer) => {
    output.add(chunk);
    request.onOutput?.(name, decoder.decode(chunk, { stream: true }));
  });
  return output;
}
