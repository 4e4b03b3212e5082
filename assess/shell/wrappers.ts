/** Programs that run another command: what they run, so that it is judged too (C11.2). */
import { type Arg, type FoundCommand, UNKNOWN } from './types.ts';
import { isStatic, plain, unknownArg } from './words.ts';
import { WRAPPERS, type Wrapper } from './wrapper-list.ts';

/** Words of a wrapper that are paths; it works in `folders`. */
type Paths = { folders: Arg[]; reads: Arg[]; writes: Arg[] };

export type Unwrapped =
  | { kind: 'plain' }
  /** Another command with its words. */
  | ({ kind: 'command'; inner: Partial<FoundCommand> } & Paths)
  /** A text that is read as a command line again. */
  | { kind: 'script'; text: string }
  /** It runs something that cannot be told. */
  | { kind: 'unknown'; why: string };

export function unwrap(name: string, command: FoundCommand): Unwrapped {
  if (name === 'watch') return watched(command);
  if (name === 'trap') return trapped(command);
  const wrapper = WRAPPERS[name];
  return wrapper ? inside(name, wrapper, command) : { kind: 'plain' };
}

function inside(name: string, wrapper: Wrapper, { args, fed, more }: FoundCommand): Unwrapped {
  const paths: Paths = { folders: [], reads: [], writes: [] };
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
    if (wrapper.asks?.test(text)) return { kind: 'plain' };
    if (wrapper.splits?.test(text)) return split(text.replace(wrapper.splits, ''), args.slice(at + 1));
    if (text.startsWith('-') && text !== '-') {
      const { option, value, taken } = optionAt(args, at, wrapper.values);
      at += taken;
      for (const kind of ['folders', 'reads', 'writes'] as const) {
        if (value && wrapper[kind]?.includes(option)) paths[kind].push(value);
      }
      continue;
    }
    const variable = wrapper.assigns ? /^([A-Za-z_]\w*)=/.exec(text)?.[1] : undefined;
    if (variable === undefined) break;
    assigns.push(variable);
  }
  const operands = wrapper.operands ?? 0;
  // What stands before the command may become several words, and then something else is the command.
  if (args.slice(at, at + operands).some(({ dynamic, expands }) => dynamic || expands)) {
    return { kind: 'unknown', why: `what ${name} runs is only known when it runs` };
  }
  const words = args.slice(at + operands);
  const inner = wrapper.more ? fedWords(args.slice(0, at), words) : { words, more };
  const [first, ...rest] = inner.words;
  if (!first && assigns.length === 0) return { kind: 'plain' };
  return {
    kind: 'command',
    ...paths,
    inner: { ...(first ? { name: first } : {}), args: rest, assigns, fed, more: inner.more },
  };
}

/** xargs adds words that it reads, at the end or wherever its mark (`-I {}`) stands. */
function fedWords(options: readonly Arg[], words: readonly Arg[]): { words: Arg[]; more: true } {
  const at = options.findIndex(({ text }) => /^-[IiJ]|^--replace/.test(text));
  const option = options[at]?.text;
  if (option === undefined) return { words: words.length > 0 ? [...words, unknownArg] : [], more: true };
  const glued = option.replace(/^(?:-[IiJ]|--replace=?)/, '');
  const mark = glued || (/^-[IJ]$/.test(option) ? options[at + 1]?.text : undefined) || '{}';
  const open = (word: Arg) => (word.text.includes(mark) ? { ...word, text: UNKNOWN, dynamic: true } : word);
  return { words: words.map(open), more: true };
}

/** An option, its value (glued, after `=`, or the next word) and how many further words it took. */
function optionAt(args: readonly Arg[], at: number, values: readonly string[]) {
  const { text } = args[at] as Arg;
  const long = /^(--[^=]+)=(.*)$/s.exec(text);
  if (long) return { option: long[1] as string, value: plain(long[2] as string), taken: 0 };
  if (text.startsWith('--')) {
    return values.includes(text)
      ? { option: text, value: args[at + 1], taken: 1 }
      : { option: text, value: undefined, taken: 0 };
  }
  for (let letter = 1; letter < text.length; letter += 1) {
    const option = `-${text[letter]}`;
    if (!values.includes(option)) continue;
    const glued = text.slice(letter + 1);
    return glued === '' ? { option, value: args[at + 1], taken: 1 } : { option, value: plain(glued), taken: 0 };
  }
  return { option: text, value: undefined, taken: 0 };
}

/** `env -S "a b"` splits a text into words by itself. */
function split(glued: string, rest: readonly Arg[]): Unwrapped {
  const all = glued === '' ? rest : [plain(glued), ...rest];
  if (!all.every(isStatic)) return { kind: 'unknown', why: 'env -S runs what cannot be read' };
  // Quotes and escapes mean something to it, and not the same as to a shell.
  const [first = plain(''), ...others] = all;
  if (/["'\\$#]/.test(first.text)) return { kind: 'unknown', why: 'env -S runs what cannot be read' };
  return { kind: 'script', text: [first.text, ...others.map(({ text }) => quote(text))].join(' ') };
}

const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

function watched({ args }: FoundCommand): Unwrapped {
  const at = args.findIndex(
    ({ text }, index) => !text.startsWith('-') && !/^-(?:n|-interval)$/.test(args[index - 1]?.text ?? ''),
  );
  const words = at === -1 ? [] : args.slice(at);
  if (!args.every(isStatic)) return { kind: 'unknown', why: 'watch runs what cannot be read' };
  return { kind: 'script', text: words.map(({ text }) => text).join(' ') };
}

function trapped({ args }: FoundCommand): Unwrapped {
  const [action] = args.filter(({ text }) => text !== '--');
  if (!action || action.text.startsWith('-') || action.text === '') return { kind: 'plain' };
  if (!isStatic(action)) return { kind: 'unknown', why: 'trap runs what cannot be read' };
  return { kind: 'script', text: action.text };
}
