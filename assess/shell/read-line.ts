/** Reads a line into a `Reading`: every command, and what it runs in turn. */
import { bare, findCommands } from './find-commands.ts';
import { isKnownName, type Judged, judgeCommand, nameOf } from './judge-command.ts';
import { SHELLS, STEERING_VARIABLE } from './lists.ts';
import { alarm, note, type Reading, raise } from './reading.ts';
import type { PathWish } from './shell-paths.ts';
import { shellRuns } from './shells.ts';
import type { Arg, FoundCommand, Scope } from './types.ts';
import { TRANSPARENT } from './wrapper-list.ts';
import { unwrap } from './wrappers.ts';

const DEEPEST_TEXT = 6;

export type At = { workspace: string; depth: number; scope: Scope };

export function readLine(line: string, reading: Reading, at: At): void {
  const found = findCommands(line, at.workspace, at.scope);
  for (const reason of [...found.alarms, ...found.blocked]) alarm(reading, reason);
  reading.blocked.push(...found.blocked);
  if (found.alarms.length > 0 || found.blocked.length > 0) reading.readOnly = false;
  for (const command of found.commands) take(command, reading, { ...at, direct: true });
}

/** `direct`: named by the line itself, so that a function of this name would be meant. */
type Taking = At & { direct: boolean };

function take(command: FoundCommand, reading: Reading, at: Taking): void {
  const { where, redirects, defines } = command;
  for (const { access, target } of redirects) reading.wishes.push({ arg: target, access, where, redirect: true });
  if (defines !== undefined) define(defines, command, reading);
  else if (!(at.direct && meansFunction(command, reading))) takeProgram(command, reading, at);
}

function takeProgram(command: FoundCommand, reading: Reading, at: At): void {
  const { where } = command;
  const named = nameOf(command);
  const name = named.kind === 'known' ? named.name : '';
  const runs = SHELLS.has(name) ? shellRuns(name, command) : unwrap(name, command);
  note(reading, runs.kind === 'plain' ? judgeCommand(command) : itself(name, command), where);
  if (runs.kind === 'unknown') alarm(reading, runs.why);
  if (runs.kind === 'file') note(reading, runsFile(runs.file), where);
  if (runs.kind === 'script') inside(runs.text, reading, at);
  if (runs.kind !== 'command') return;
  // It may work in another folder than what comes after it.
  const inner = { ...bare({ ...where, scope: { parent: where.scope } }), ...runs.inner };
  wish(reading, runs.folders, { access: 'read', where: inner.where, enters: true });
  wish(reading, runs.reads, { access: 'read', where });
  wish(reading, runs.writes, { access: 'write', where });
  take(inner, reading, { ...at, direct: false, scope: inner.where.scope });
}

function wish(reading: Reading, args: readonly Arg[], as: Omit<PathWish, 'arg'>): void {
  for (const arg of args) reading.wishes.push({ arg, ...as });
}

function runsFile(file: Arg): Judged {
  return { level: 'medium', reason: 'runs a script', paths: [{ arg: file, access: 'read' }] };
}

/** A text that a process of its own runs. */
function inside(text: string, reading: Reading, at: At): void {
  if (at.depth >= DEEPEST_TEXT) alarm(reading, 'commands inside commands, deeper than can be judged');
  else readLine(text, reading, { ...at, depth: at.depth + 1, scope: { parent: at.scope } });
}

/** Only a definition that is surely made, for the whole line, by a name that means nothing else. */
function define(name: string, { where }: FoundCommand, reading: Reading): void {
  if (where.conditional || where.scope.parent) raise(reading, 'medium', 'defines a function in a part of the line');
  else if (!isKnownName(name)) reading.functions.add(name);
}

function meansFunction({ name }: FoundCommand, { functions }: Reading): boolean {
  return name !== undefined && !name.dynamic && functions.has(name.text);
}

/** A wrapper without what it runs: whether it is listed, what it sets, what it is worth by itself (sudo: high). */
function itself(name: string, command: FoundCommand): Judged {
  const alone = judgeCommand({ ...command, args: [], more: false });
  const sets = command.assigns.some((variable) => STEERING_VARIABLE.test(variable));
  if (sets || !(TRANSPARENT.has(name) || SHELLS.has(name))) return alone;
  return { level: 'low', readOnly: true, ...(alone.program === undefined ? {} : { program: alone.program }) };
}
