/** Programs that run another command: what they run, so that it is judged too (C11.2). */
import { type Arg, type FoundCommand, UNKNOWN } from './types.ts';
import { isStatic, plain, unknownArg } from './words.ts';

export type Unwrapped =
  | { kind: 'plain' }
  /** Another command with its words. */
  | { kind: 'command'; inner: FoundCommand; folders: Arg[]; writes: Arg[] }
  /** A text that is read as a command line again. */
  | { kind: 'script'; text: string }
  /** It runs something that cannot be told. */
  | { kind: 'unknown'; why: string };

/** Options of a wrapper that take the next word as their value; all others stand alone. */
type Wrapper = {
  values: readonly string[];
  /** Options whose value is a folder to work in, or a file that is written. */
  folders?: readonly string[];
  writes?: readonly string[];
  /** Words before the command: `timeout 5 ls`. */
  operands?: number;
  /** Options that turn it into a question only: `command -v`. */
  asks?: readonly string[];
  /** `NAME=value` words before the command. */
  assigns?: boolean;
  /** It adds words at run time. */
  more?: boolean;
};

const WRAPPERS: Record<string, Wrapper> = {
  env: { values: ['-u', '--unset', '-C', '--chdir'], folders: ['-C', '--chdir'], assigns: true },
  nice: { values: ['-n', '--adjustment'] },
  nohup: { values: [] },
  ionice: { values: ['-c', '-n', '-p', '--class', '--classdata'] },
  chrt: { values: ['-T', '-P', '-D'], operands: 1 },
  taskset: { values: [], operands: 1 },
  stdbuf: { values: ['-i', '-o', '-e', '--input', '--output', '--error'] },
  timeout: { values: ['-s', '--signal', '-k', '--kill-after'], operands: 1 },
  time: { values: ['-f', '--format', '-o', '--output'], writes: ['-o', '--output'] },
  command: { values: [], asks: ['-v', '-V'] },
  builtin: { values: [] },
  exec: { values: ['-a'] },
  sudo: { values: ['-u', '-g', '-h', '-p', '-C', '-D', '-R', '-T', '-U', '-r', '-t'], assigns: true },
  doas: { values: ['-u', '-C'] },
  setsid: { values: [] },
  xargs: {
    values: [
      '-I',
      '-n',
      '-P',
      '-L',
      '-s',
      '-d',
      '-E',
      '-a',
      '--max-args',
      '--max-procs',
      '--max-lines',
      '--delimiter',
      '--arg-file',
    ],
    more: true,
  },
  busybox: { values: [] },
  toybox: { values: [] },
};

export function unwrap(name: string, command: FoundCommand): Unwrapped {
  if (name === 'watch') return watched(command);
  if (name === 'trap') return trapped(command);
  if (name === 'env') return envCommand(command);
  const wrapper = WRAPPERS[name];
  return wrapper ? inside(wrapper, command) : { kind: 'plain' };
}

function inside(wrapper: Wrapper, command: FoundCommand): Unwrapped {
  const { args } = command;
  const folders: Arg[] = [];
  const writes: Arg[] = [];
  const assigns: string[] = [];
  let at = 0;
  for (; at < args.length; at += 1) {
    const arg = args[at] as Arg;
    if (!isStatic(arg)) break;
    const { text } = arg;
    if (text === '--') {
      at += 1;
      break;
    }
    if (wrapper.asks?.includes(text)) return { kind: 'plain' };
    if (text.startsWith('-') && text !== '-') {
      const { option, value, taken } = optionAt(args, at, wrapper.values);
      at += taken;
      if (value && wrapper.folders?.includes(option)) folders.push(value);
      if (value && wrapper.writes?.includes(option)) writes.push(value);
      continue;
    }
    const variable = wrapper.assigns ? /^([A-Za-z_]\w*)=/.exec(text)?.[1] : undefined;
    if (variable === undefined) break;
    assigns.push(variable);
  }
  const [name, ...rest] = args.slice(at + (wrapper.operands ?? 0));
  const more = wrapper.more ?? false;
  if (more) return fedByXargs(args.slice(0, at), args.slice(at), command);
  if (!name) return assigns.length > 0 ? commandOf({ args: [], assigns }, { folders, writes }) : { kind: 'plain' };
  return commandOf({ name, args: rest, assigns, fed: command.fed, more: command.more }, { folders, writes });
}

/** xargs adds words that it reads, at the end or wherever its mark (`-I {}`) stands. */
function fedByXargs(options: readonly Arg[], words: readonly Arg[], command: FoundCommand): Unwrapped {
  const at = options.findIndex(({ text }) => /^-[Ii]|^--replace/.test(text));
  const given =
    options[at]?.text.replace(/^(?:-[Ii]|--replace=?)/, '') || (options[at]?.text === '-I' && options[at + 1]?.text);
  const mark = at === -1 ? undefined : given || '{}';
  const open = (word: Arg) =>
    mark !== undefined && word.text.includes(mark) ? { ...word, text: UNKNOWN, dynamic: true } : word;
  const [name, ...rest] = words.map(open);
  if (!name) return { kind: 'plain' };
  const args = mark === undefined ? [...rest, unknownArg] : rest;
  return commandOf({ name, args, more: true, fed: command.fed }, { folders: [], writes: [] });
}

function commandOf(inner: Partial<FoundCommand>, { folders, writes }: { folders: Arg[]; writes: Arg[] }): Unwrapped {
  const command = { name: undefined, args: [], assigns: [], redirects: [], fed: false, more: false, ...inner };
  return { kind: 'command', inner: command, folders, writes };
}

/** An option, its value (glued, after `=`, or the next word) and how many further words it took. */
function optionAt(args: readonly Arg[], at: number, values: readonly string[]) {
  const { text } = args[at] as Arg;
  const long = /^(--[^=]+)=(.*)$/s.exec(text);
  if (long) return { option: long[1] as string, value: plain(long[2] as string), taken: 0 };
  if (values.includes(text)) return { option: text, value: args[at + 1], taken: 1 };
  const short = text.slice(0, 2);
  if (!text.startsWith('--') && values.includes(short)) return { option: short, value: plain(text.slice(2)), taken: 0 };
  return { option: text, value: undefined, taken: 0 };
}

/** `env -S "a b"` splits a text into words by itself. */
function envCommand(command: FoundCommand): Unwrapped {
  const at = command.args.findIndex(({ text }) => /^(?:-[a-zA-Z0]*S|--split-string)/.test(text));
  if (at === -1) return inside(WRAPPERS.env as Wrapper, command);
  const [option, ...rest] = command.args.slice(at);
  const glued = option?.text.replace(/^(?:-[a-zA-Z0]*S|--split-string=?)/, '');
  const all = glued ? [plain(glued), ...rest] : rest;
  if (!option || ![option, ...all].every(isStatic)) return { kind: 'unknown', why: 'env -S runs what cannot be read' };
  return { kind: 'script', text: all.map(({ text }) => text).join(' ') };
}

function watched(command: FoundCommand): Unwrapped {
  const words = command.args.filter(({ text }) => !text.startsWith('-') && !/^\d/.test(text));
  if (!words.every(isStatic)) return { kind: 'unknown', why: 'watch runs what cannot be read' };
  return { kind: 'script', text: words.map(({ text }) => text).join(' ') };
}

function trapped(command: FoundCommand): Unwrapped {
  const [action] = command.args.filter(({ text }) => text !== '--');
  if (!action || action.text.startsWith('-') || action.text === '') return { kind: 'plain' };
  if (!isStatic(action)) return { kind: 'unknown', why: 'trap runs what cannot be read' };
  return { kind: 'script', text: action.text };
}
