/** Runs commands for tools: through the launcher, in a recorded group, bounded in output and time, ended as a whole. */
import { type ChildProcess, spawn } from 'node:child_process';
import { hostname } from 'node:os';
import type { Duplex, Readable } from 'node:stream';
import { ToolFault } from '../tool-fault.ts';
import type { ProcessRequest, ProcessResult, ProcessRunner } from '../types.ts';
import { CappedOutput } from './capped-output.ts';
import { type GroupId, killNow, markOf, signalGroup } from './kill-group.ts';
import { startTimeOf } from './process-table.ts';
import { LAUNCHER } from './script.ts';

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
/** How long output may still come in once the command has ended: what holds its pipes open then was left behind. */
const LEFT_BEHIND_MS = 300;

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

type Exit = { exitCode: number | null; signal: string | null };

/** Follows a launched command to the point where nothing of its group is left. */
function watchEnd(child: ChildProcess, group: GroupId) {
  const control = child.stdio[3] as Duplex;
  const timers: NodeJS.Timeout[] = [];
  let said = '';
  let alive = true;
  // The leader lives until we kill it and is ours until it is collected: its number cannot be another's.
  const now = () => void (alive && signalGroup(group.pgid, 'SIGKILL'));
  const over = new Promise<Exit>((resolve) => {
    const outputs = [child.stdout, child.stderr] as Readable[];
    const pending = new Set(outputs);
    for (const output of outputs) {
      output.once('close', () => {
        pending.delete(output);
        if (pending.size === 0) now();
      });
    }
    control.on('error', () => {});
    control.on('data', (chunk: Buffer) => {
      said += chunk.toString('latin1');
      if (said.includes('exit ')) timers.push(setTimeout(now, LEFT_BEHIND_MS));
    });
    child.once('exit', (_, signal) => {
      alive = false;
      // What made itself a session of its own is no longer in the group, but still carries its mark.
      killNow(group);
      const exit = exitOf(said, signal);
      if (pending.size === 0) return resolve(exit);
      // What left the group may hold the pipes for ever.
      timers.push(setTimeout(() => outputs.forEach((output) => void output.destroy()), LEFT_BEHIND_MS));
      child.once('close', () => resolve(exit));
    });
  });
  return {
    over: over.finally(() => {
      timers.forEach(clearTimeout);
      control.destroy();
    }),
    now,
    escalate(killAfterMs: number) {
      signalGroup(group.pgid, 'SIGTERM');
      timers.push(setTimeout(() => void (alive && killNow(group)), killAfterMs));
    },
  };
}

/** The command's own end as the launcher told it; without a word, the launcher was killed with it. */
function exitOf(said: string, launcher: string | null): Exit {
  const code = /exit (\d+)/.exec(said)?.[1];
  if (code === undefined) return { exitCode: null, signal: launcher };
  return { exitCode: Number(code), signal: null };
}
