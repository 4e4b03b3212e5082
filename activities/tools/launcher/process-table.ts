/** What the system says of processes: when one began, which carry a mark. Linux reads /proc; elsewhere `ps` is asked. */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

const HAS_PROC = process.platform === 'linux';

/**
 * When a process began, in the system's own words: with the pid it names one process for as long as the machine runs.
 * @returns undefined when there is no such process (one that has ended and was not yet collected counts as none)
 */
export function startTimeOf(pid: number): string | undefined {
  return HAS_PROC ? startTimeFromProc(pid) : startTimeFromPs(pid);
}

function startTimeFromProc(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name in brackets may hold anything; fields are counted after its last bracket: state is the first, start time the 20th.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields[0] === 'Z' || fields[0] === 'X' ? undefined : fields[19];
  } catch {
    return undefined;
  }
}

function startTimeFromPs(pid: number): string | undefined {
  try {
    const said = execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8', stdio: 'pipe' }).trim();
    return said === '' ? undefined : said.replace(/\s+/g, ' ');
  } catch {
    return undefined;
  }
}

/** Pids of processes whose environment carries `mark` (`NAME=value`). Linux only; others' processes are passed over. */
export function pidsWithMark(mark: string): number[] {
  if (!HAS_PROC) return [];
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => environmentOf(pid).includes(mark))
    .map(Number);
}

function environmentOf(pid: string): string[] {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'latin1').split('\0');
  } catch {
    return [];
  }
}
