/** Ends process groups for certain, also ones that another worker left behind, without ever hitting a stranger. */
import { setTimeout as sleep } from 'node:timers/promises';
import { pidsWithMark, startTimeOf } from './process-table.ts';

/** As the ledger keeps it; the host was compared by the caller. */
export type GroupId = { pgid: number; startTime: string };

/** The mark in the environment of everything that a group starts, so that what left the group is found too. */
export function markOf({ pgid, startTime }: GroupId): string {
  return `${pgid}-${startTime.replaceAll(' ', '_')}`;
}

/**
 * Kills a group and what escaped from it (a child that made itself a session of its own; on Linux).
 * A group whose leader has another start time is somebody else's and is left alone.
 * @returns `killed` once nothing of it is left, `gone` when nothing was, `stuck` when something outlived SIGKILL for 5 s
 */
export async function killGroup(group: GroupId): Promise<'killed' | 'gone' | 'stuck'> {
  if (group.pgid <= 1) return 'gone';
  if (!killNow(group)) return 'gone';
  for (let waited = 0, pause = 2; waited < STUCK_MS; waited += pause, pause = Math.min(50, pause * 2)) {
    await sleep(pause);
    if (!killNow(group)) return 'killed';
  }
  return 'stuck';
}

/** Only what hangs inside the system (a dead network disk) outlives SIGKILL for so long. */
const STUCK_MS = 5000;

/** One blow. @returns whether there was anything to hit */
export function killNow(group: GroupId): boolean {
  const leads = startTimeOf(group.pgid) === group.startTime && signalGroup(group.pgid, 'SIGKILL');
  const escaped = pidsWithMark(`EVERTURN_GROUP=${markOf(group)}`).filter((pid) => pid !== process.pid);
  for (const pid of escaped) signal(pid, 'SIGKILL');
  return leads || escaped.length > 0;
}

export function signalGroup(pgid: number, name: NodeJS.Signals): boolean {
  return signal(-pgid, name);
}

function signal(pid: number, name: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, name);
  } catch {
    return false;
  }
}
