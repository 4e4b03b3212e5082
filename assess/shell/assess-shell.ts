/** What is known of a command line before it runs (C11.2): every part is found and judged; the highest part wins. */
import type { Assessment } from '../../core/assessment.ts';
import type { PathPolicy, ShellPolicy } from '../../core/execution.ts';
import { DEFAULT_ALLOWED } from './lists.ts';
import { readLine } from './read-line.ts';
import { alarm, newReading, type Reading, raise } from './reading.ts';
import { judgeShellPaths } from './shell-paths.ts';

export type ShellContext = {
  workspace: string;
  policy: { shell: ShellPolicy; paths: PathPolicy };
  ownState: readonly string[];
  /** Where the line runs, relative to the workspace. */
  directory?: string;
};

const LONGEST = 32_768;

/** Never throws for a bad line; only looks at the file system, to resolve paths. */
export async function assessShell(line: string, context: ShellContext): Promise<Assessment> {
  const operator = context.policy.shell.allowedCommands;
  const reading = newReading();
  const scope = {};
  if (line.length > LONGEST) alarm(reading, 'longer than can be judged');
  else readLine(line, reading, { workspace: context.workspace, depth: 0, scope });
  const unlisted = [...new Set(reading.programs.filter((name) => !isListed(name, operator)))];
  if (unlisted.length > 0) raise(reading, 'medium', `not on the list of commands: ${unlisted.join(', ')}`);
  const touched = await judgeShellPaths(reading.wishes, context);
  reading.blocked.push(...touched.blocked);
  for (const reason of touched.alarms) alarm(reading, reason);
  for (const reason of touched.doubts) raise(reading, 'medium', reason);
  if (touched.writes) raise(reading, 'medium', 'writes a file');
  const harmless = reading.readOnly && !touched.writes;
  return assessmentOf(reading, { harmless, unlisted, paths: touched.paths, operator });
}

type Facts = {
  harmless: boolean;
  unlisted: string[];
  paths: NonNullable<Assessment['paths']>;
  operator: string[] | null;
};

function assessmentOf(reading: Reading, { harmless, unlisted, paths, operator }: Facts): Assessment {
  const [blocked] = reading.blocked;
  return {
    effect: harmless && reading.level !== 'high' && blocked === undefined ? 'none' : 'once',
    risk: { level: reading.level, reasons: [...new Set(reading.reasons)] },
    assessed: true,
    ...(blocked === undefined ? {} : { blocked }),
    ...(unlisted.length > 0 ? { unlisted } : {}),
    ...(isEveryPartListed(reading, operator) ? { everyPartListed: true } : {}),
    commands: reading.programs,
    paths,
  };
}

function isListed(name: string, operator: string[] | null): boolean {
  const list = operator ?? DEFAULT_ALLOWED;
  return list.includes(name) || list.includes('*');
}

/** By name, in a list that the operator wrote; never when something runs that has no name. */
function isEveryPartListed({ opaque, programs }: Reading, operator: string[] | null): boolean {
  return operator !== null && !opaque && programs.length > 0 && programs.every((name) => operator.includes(name));
}
