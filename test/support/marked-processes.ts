// Which processes of this machine have a mark on their command line, whoever started them.
import { readdir, readFile } from 'node:fs/promises';

/** Ids of living processes; one that is only waiting to be collected no longer runs anything. */
export async function markedProcesses(mark: string): Promise<number[]> {
  const found: number[] = [];
  for (const name of await readdir('/proc')) {
    const pid = Number(name);
    if (!Number.isInteger(pid)) continue;
    const line = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
    if (line.split('\0').some((word) => word.includes(mark))) found.push(pid);
  }
  return found;
}
