// Names a process for certain: its id, and when it began. Ids are used again, also within seconds.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

export type ProcessStamp = { pid: number; startTime: string };

/** undefined: no such process, or it has ended and only waits to be collected. */
export function stampOf(pid: number): ProcessStamp | undefined {
  const startTime = process.platform === 'linux' ? linuxStart(pid) : portableStart(pid);
  return startTime === undefined ? undefined : { pid, startTime };
}

export function isRunning({ pid, startTime }: ProcessStamp): boolean {
  return stampOf(pid)?.startTime === startTime;
}

/** Signals the process if it is still the same one. Whole groups: `group` true, for processes that lead one. */
export function signalProcess(stamp: ProcessStamp, signal: NodeJS.Signals, group = false): boolean {
  if (!isRunning(stamp)) return false;
  try {
    process.kill(group ? -stamp.pid : stamp.pid, signal);
    return true;
  } catch {
    return false;
  }
}

/** Resolves when it is gone; false when it was not within `timeoutMs`. */
export async function waitUntilGone(stamp: ProcessStamp, timeoutMs: number): Promise<boolean> {
  const deadline = Date.now() + timeoutMs;
  while (isRunning(stamp)) {
    if (Date.now() > deadline) return false;
    await new Promise((resume) => setTimeout(resume, 10));
  }
  return true;
}

function linuxStart(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name in parentheses may hold anything; the fields after it are fixed.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const [state, ticks] = [fields[0], fields[19]];
    return state === 'Z' || state === 'X' || ticks === undefined ? undefined : `${bootId()}:${ticks}`;
  } catch {
    return undefined;
  }
}

/** Ticks count from the machine's start, so they mean something only together with it. */
function bootId(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim().slice(0, 8);
  } catch {
    return '';
  }
}

function portableStart(pid: number): string | undefined {
  try {
    const said = execFileSync('ps', ['-o', 'stat=,lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim();
    const [state = '', ...start] = said.split(/\s+/);
    return said === '' || state.startsWith('Z') ? undefined : start.join(' ');
  } catch {
    return undefined;
  }
}
