/** Small questions that the rules ask of a command's words. */
import type { Arg, FoundCommand } from '../types.ts';

/** Words up to `--`, and those after it, which are never options. */
export function splitAtDashes(args: readonly Arg[]): { before: Arg[]; after: Arg[] } {
  const at = args.findIndex(({ text }) => text === '--');
  return at === -1 ? { before: [...args], after: [] } : { before: args.slice(0, at), after: args.slice(at + 1) };
}

export function operandsOf({ args }: FoundCommand, valued: readonly string[] = []): Arg[] {
  const { before, after } = splitAtDashes(args);
  const operands = before.filter(({ text }, index) => {
    if (text.startsWith('-') && text !== '-') return false;
    return !valued.includes(before[index - 1]?.text ?? '');
  });
  return [...operands, ...after];
}

export function optionsOf({ args }: FoundCommand): string[] {
  return splitAtDashes(args)
    .before.map(({ text }) => text)
    .filter((text) => text.startsWith('-') && text !== '-');
}

/** Whether a word is the long option or a beginning of it: many programs take any unique one. */
export function isLong(text: string, option: string): boolean {
  const name = text.split('=')[0] as string;
  return name.length > 2 && name.startsWith('--') && option.startsWith(name);
}

/** Whether a group of single letters (`-rn`) holds one of `letters`. */
export function hasLetter(text: string, letters: string): boolean {
  return /^-[a-zA-Z0-9]+/.test(text) && [...text.slice(1)].some((letter) => letters.includes(letter));
}

export function isAsking(options: readonly string[]): boolean {
  return options.length > 0 && options.every((text) => /^(?:--version|--help|-V+|-h|-v|--v8-options)$/.test(text));
}

/** The value of an option: after `=`, glued to its letter, or the next word. */
export function valuesOf({ args }: FoundCommand, short: string, long: string): Arg[] {
  return args.flatMap((arg, index): Arg[] => {
    const { text } = arg;
    const next = args[index + 1];
    if (text === short || (isLong(text, long) && !text.includes('='))) return next ? [next] : [];
    if (isLong(text, long)) return [{ ...arg, text: text.slice(text.indexOf('=') + 1), tilde: false }];
    const glued = short !== '' && text.startsWith(short) && !text.startsWith('--');
    return glued ? [{ ...arg, text: text.slice(short.length), tilde: false }] : [];
  });
}
