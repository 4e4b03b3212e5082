/** What is known of a command line before it runs (C11.2): every part is found and judged; the highest part wins. */
import type { Assessment, RiskLevel } from '../../core/assessment.ts';
import type { PathPolicy, ShellPolicy } from '../../core/execution.ts';
import { displayName } from '../../core/unknown-tool.ts';
import { findCommands } from './find-commands.ts';
import { type Judged, judgeCommand, nameOf } from './judge-command.ts';
import { DEFAULT_ALLOWED, SHELLS, STEERING_VARIABLE } from './lists.ts';
import { judgeShellPaths, type PathWish } from './shell-paths.ts';
import { shellRuns } from './shells.ts';
import { type FoundCommand, higher } from './types.ts';
import { unwrap } from './wrappers.ts';

export type ShellContext = {
  workspace: string;
  policy: { shell: ShellPolicy; paths: PathPolicy };
  ownState: readonly string[];
  /** Where the line runs, relative to the workspace. */
  directory?: string;
};

const DEEPEST_TEXT = 6;
const LONGEST = 32_768;

/** All that was found in a line and in the texts inside it. */
type Reading = {
  level: RiskLevel;
  reasons: string[];
  blocked: string[];
  programs: string[];
  readOnly: boolean;
  wishes: PathWish[];
  functions: Set<string>;
};

/** Never throws for a bad line; only looks at the file system, to resolve paths. */
export async function assessShell(line: string, context: ShellContext): Promise<Assessment> {
  const reading: Reading = {
    level: 'low',
    reasons: [],
    blocked: [],
    programs: [],
    readOnly: true,
    wishes: [],
    functions: new Set(),
  };
  if (line.length > LONGEST) raise(reading, 'high', 'longer than can be judged');
  else read(line, reading, { workspace: context.workspace, depth: 0 });
  const programs = reading.programs.filter((name) => !reading.functions.has(name));
  const unlisted = [...new Set(programs.filter((name) => !isListed(name, context.policy.shell.allowedCommands)))];
  if (unlisted.length > 0) raise(reading, 'medium', `not on the list of commands: ${unlisted.join(', ')}`);
  const touched = await judgeShellPaths(reading.wishes, context);
  reading.blocked.push(...touched.blocked);
  if (touched.writes) {
    raise(reading, 'medium', 'writes a file');
    reading.readOnly = false;
  }
  for (const reason of touched.alarms) raise(reading, 'high', reason);
  return assessmentOf(reading, {
    programs,
    unlisted,
    paths: touched.paths,
    operator: context.policy.shell.allowedCommands,
  });
}

type Facts = {
  programs: string[];
  unlisted: string[];
  paths: NonNullable<Assessment['paths']>;
  operator: string[] | null;
};

function assessmentOf(reading: Reading, { programs, unlisted, paths, operator }: Facts): Assessment {
  const [blocked] = reading.blocked;
  const harmless = reading.readOnly && reading.level !== 'high' && blocked === undefined;
  return {
    effect: harmless ? 'none' : 'once',
    risk: { level: reading.level, reasons: [...new Set(reading.reasons)] },
    assessed: true,
    ...(blocked === undefined ? {} : { blocked }),
    ...(unlisted.length > 0 ? { unlisted } : {}),
    ...(operator !== null && programs.length > 0 && programs.every((name) => operator.includes(name))
      ? { everyPartListed: true }
      : {}),
    commands: programs,
    paths,
  };
}

type At = { workspace: string; depth: number };

function read(line: string, reading: Reading, at: At): void {
  const found = findCommands(line, at.workspace);
  for (const alarm of found.alarms) raise(reading, 'high', alarm);
  for (const reason of found.blocked) raise(reading, 'high', reason);
  reading.blocked.push(...found.blocked);
  if (found.alarms.length > 0 || found.blocked.length > 0) reading.readOnly = false;
  for (const name of found.functions) reading.functions.add(name);
  for (const command of found.commands) take(command, reading, at);
  if (hidesText(line)) raise(reading, 'high', 'holds text that the shell may run later');
}

/** One command, and what it runs in turn. */
function take(command: FoundCommand, reading: Reading, at: At): void {
  const named = nameOf(command);
  const name = named.kind === 'known' ? named.name : undefined;
  const runs =
    name === undefined || reading.functions.has(name)
      ? undefined
      : SHELLS.has(name)
        ? shellRuns(command)
        : unwrap(name, command);
  redirects(command, reading);
  if (!runs || runs.kind === 'plain') {
    note(
      reading,
      reading.functions.has(name ?? '') ? { level: 'low', readOnly: true } : judgeCommand(command),
      command,
    );
    return;
  }
  note(reading, itself(name ?? '', command), command);
  if (runs.kind === 'unknown') raise(reading, 'high', runs.why);
  if (runs.kind === 'file') note(reading, { level: 'medium', reason: 'runs a script' }, command);
  if (runs.kind === 'script') inner(runs.text, reading, at);
  if (runs.kind === 'command') {
    reading.wishes.push(...runs.folders.map((arg): PathWish => ({ arg, access: 'read' })));
    reading.wishes.push(...runs.writes.map((arg): PathWish => ({ arg, access: 'write' })));
    take(runs.inner, reading, at);
  }
}

/** A wrapper without what it runs: whether it is listed, what it sets, what it is worth by itself (sudo: high). */
function itself(name: string, command: FoundCommand): Judged {
  const alone = judgeCommand({ ...command, args: [], more: false });
  const sets = command.assigns.some((variable) => STEERING_VARIABLE.test(variable));
  const decides = sets || !(TRANSPARENT.has(name) || SHELLS.has(name));
  return decides
    ? alone
    : { level: 'low', readOnly: true, ...(alone.program === undefined ? {} : { program: alone.program }) };
}

/** Wrappers that add nothing of their own: what they run decides. */
const TRANSPARENT = new Set([
  'env',
  'nice',
  'nohup',
  'ionice',
  'chrt',
  'taskset',
  'stdbuf',
  'timeout',
  'time',
  'command',
  'builtin',
  'exec',
  'xargs',
  'busybox',
  'toybox',
  'watch',
  'trap',
]);

function inner(text: string, reading: Reading, at: At): void {
  if (at.depth >= DEEPEST_TEXT) raise(reading, 'high', 'commands inside commands, deeper than can be judged');
  else read(text, reading, { ...at, depth: at.depth + 1 });
}

function redirects(command: FoundCommand, reading: Reading): void {
  for (const { access, target } of command.redirects) reading.wishes.push({ arg: target, access, redirect: true });
}

function note(reading: Reading, judged: Judged, command: FoundCommand): void {
  if (judged.program !== undefined) reading.programs.push(displayName(judged.program));
  if (judged.blocked !== undefined) reading.blocked.push(judged.blocked);
  if (!judged.readOnly) reading.readOnly = false;
  if (judged.level !== 'low') raise(reading, judged.level, judged.reason ?? '');
  const isFolder = ['cd', 'pushd'].includes(command.name?.text ?? '');
  reading.wishes.push(
    ...(judged.paths ?? []).map((path): PathWish => ({ ...path, ...(isFolder ? { enters: true } : {}) })),
  );
}

function raise(reading: Reading, level: RiskLevel, reason: string): void {
  const before = reading.level;
  reading.level = higher(level, before);
  if (reason === '') return;
  // The worst comes first: only a few reasons are shown.
  if (reading.level !== before) reading.reasons.unshift(reason);
  else reading.reasons.push(reason);
}

function isListed(name: string, operator: string[] | null): boolean {
  const list = operator ?? DEFAULT_ALLOWED;
  return list.includes(name) || list.includes('*');
}

/** Arithmetic, tests and indirect names run substitutions that were only quoted text when they were read. */
function hidesText(line: string): boolean {
  const quoted = /'[^']*(?:\$\(|`)[^']*'|\\\$\(|\\`/.test(line);
  return (
    quoted && /\(\(|\[\[|\$\{!|\b(?:let|test|unset|printf\s+-v|read|declare|typeset|local|export)\b|\[ -v/.test(line)
  );
}
