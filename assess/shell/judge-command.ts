/** Judges one command that was found (C11.2): its level, whether it only looks, which of its words are paths. */
import {
  BUILD_VARIABLE,
  BUILTINS,
  FILE_COMMANDS,
  HIGH,
  MEDIUM,
  NO_PATHS,
  PATTERN_FIRST,
  PROGRAM_FOLDERS,
  READ_ONLY,
  SHELLS,
  STEERING_VARIABLE,
  WRITES_ALL,
  WRITES_LAST,
} from './lists.ts';
import { operandsOf, optionsOf, valuesOf } from './rules/arguments.ts';
import { judgeBuiltin, steering } from './rules/builtins.ts';
import { judgeGit } from './rules/git.ts';
import { judgeInterpreter } from './rules/interpreters.ts';
import { judgePackageManager } from './rules/packages.ts';
import { judgeProgram } from './rules/programs.ts';
import { type Arg, type Finding, type FoundCommand, high, low, medium, opaque } from './types.ts';
import { isStatic, plain } from './words.ts';
import { WRAPPERS } from './wrapper-list.ts';

export type Judged = Finding & {
  /** The program, by the name that lists hold; undefined when no program is started. */
  program?: string;
  /** Its operand is the folder that later words start from. */
  enters?: boolean;
};

/** What a name stands for. */
export type Named =
  | { kind: 'none' }
  | { kind: 'unclear'; finding: Finding; shown: string }
  /** A program of a known folder, or of the search path, or a builtin. */
  | { kind: 'known'; name: string }
  /** Run by its place. */
  | { kind: 'file'; path: string; arg: Arg };

export function nameOf({ name }: FoundCommand): Named {
  if (!name) return { kind: 'none' };
  const { text } = name;
  if (!isStatic(name)) return unclear('the name of a command is only known when it runs', '(dynamic)');
  if (RESERVED.has(text)) return unclear(`"${text}" stands where a command should`, text);
  if (!/^[\x21-\x7e]+$/.test(text))
    return unclear('the name of a command holds characters that only look like letters', text);
  if (!text.includes('/') && !name.tilde) return { kind: 'known', name: text };
  const known = PROGRAM_FOLDERS.test(text) && !text.includes('..');
  return known
    ? { kind: 'known', name: text.slice(text.lastIndexOf('/') + 1) }
    : { kind: 'file', path: text, arg: name };
}

/** Where such a word is read as the name of a command, another shell may read a command after it. */
const RESERVED = new Set([
  '!',
  '{',
  '}',
  'if',
  'then',
  'else',
  'elif',
  'fi',
  'do',
  'done',
  'case',
  'esac',
  'while',
  'until',
  'for',
  'in',
  'function',
  'select',
  'coproc',
  '[[',
  ']]',
]);

function unclear(reason: string, shown: string): Named {
  return { kind: 'unclear', finding: opaque(reason), shown };
}

/** A command that is no wrapper and no shell. */
export function judgeCommand(command: FoundCommand): Judged {
  const set = command.assigns.find((variable) => STEERING_VARIABLE.test(variable));
  const judged = judgeNamed(nameOf(command), command);
  if (set !== undefined) return { ...judged, ...steering(set), readOnly: false };
  const builds = command.assigns.find((variable) => BUILD_VARIABLE.test(variable));
  if (builds === undefined || judged.level !== 'low') return judged;
  return { ...judged, ...medium(`${builds} decides what a build runs`), readOnly: false };
}

function judgeNamed(named: Named, command: FoundCommand): Judged {
  if (named.kind === 'none') return low(true);
  if (named.kind === 'unclear') return { ...named.finding, program: named.shown };
  if (named.kind === 'file') {
    return { ...medium(`runs ${named.path}`), program: named.path, paths: [{ arg: named.arg, access: 'read' }] };
  }
  const { name } = named;
  const finding = judgeByRule(name, command) ?? judgeByList(name, command);
  if (name === 'cd' || name === 'pushd') return { ...finding, paths: entered(command), enters: true };
  const paths = [...(finding.paths ?? []), ...pathsOf(name, command)];
  return { ...finding, paths, ...(BUILTINS.has(name) ? {} : { program: name }) };
}

/** Without an operand `cd` goes home. */
function entered(command: FoundCommand): PathWord[] {
  const [folder = plain('~')] = operandsOf(command);
  return [{ arg: folder, access: 'read' }];
}

/** A name that already means something, so that a function of the line could hide it. */
export function isKnownName(name: string): boolean {
  const command = { ...NOTHING, name: plain(name) };
  const known = [HIGH, MEDIUM, READ_ONLY, BUILTINS, SHELLS].some((list) => list.has(name));
  return known || name in WRAPPERS || judgeByRule(name, command) !== undefined;
}

const NOTHING: FoundCommand = {
  where: { scope: {}, conditional: false, repeats: false },
  name: undefined,
  args: [],
  assigns: [],
  redirects: [],
  fed: false,
  more: false,
};

function judgeByRule(name: string, command: FoundCommand): Finding | undefined {
  if (name === 'git') return judgeGit(command);
  return (
    judgeBuiltin(name, command) ??
    judgeInterpreter(name, command) ??
    judgePackageManager(name, command) ??
    judgeProgram(name, command)
  );
}

function judgeByList(name: string, command: FoundCommand): Finding {
  if (HIGH.has(name) || HIGH.has(name.toLowerCase())) return high(`${name} is high risk`);
  if (SHELLS.has(name)) return opaque('a shell runs what cannot be read');
  if (MEDIUM.has(name)) return medium(`${name} changes something`);
  return low(READ_ONLY.has(name) && !command.more);
}

type PathWord = { arg: Arg; access: 'read' | 'write' };

function pathsOf(name: string, command: FoundCommand): PathWord[] {
  if (NO_PATHS.has(name)) return [];
  const operands = operandsOf(command);
  const files = PATTERN_FIRST.has(name) && !hasPatternOption(command) ? operands.slice(1) : operands;
  const every = FILE_COMMANDS.has(name) && name !== 'find';
  const target = WRITES_LAST.has(name) ? valuesOf(command, '-t', '--target-directory') : [];
  const words = files.map((arg, index): PathWord => {
    const isLast = index === files.length - 1 && target.length === 0;
    const writes = WRITES_ALL.has(name) || (WRITES_LAST.has(name) && isLast);
    return { arg, access: writes ? 'write' : 'read' };
  });
  const judged = words.filter(({ arg }) => every || looksLikePath(arg));
  return [...judged, ...target.map((arg): PathWord => ({ arg, access: 'write' })), ...optionPaths(command)];
}

function hasPatternOption(command: FoundCommand): boolean {
  return optionsOf(command).some((text) => /^-[a-zA-Z]*[ef]|^--(?:regexp|file|expression)/.test(text));
}

/** `--file=/etc/shadow` and `-f/etc/shadow`. */
function optionPaths(command: FoundCommand): PathWord[] {
  return optionsOf(command).flatMap((text): PathWord[] => {
    const value = text.startsWith('--') ? text.slice(text.indexOf('=') + 1) : text.slice(2);
    const found = text.startsWith('--') && !text.includes('=') ? '' : value;
    const arg = { ...plain(found), tilde: /^~/.test(found) };
    return found !== '' && looksLikePath(arg) ? [{ arg, access: 'read' }] : [];
  });
}

function looksLikePath({ text, tilde }: Arg): boolean {
  return tilde || text === '..' || /^(?:\.\.?)?\//.test(text) || /(?:^|\/)\.\.(?:\/|$)/.test(text);
}
