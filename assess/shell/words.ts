/** Turns the words of the parser into what is known of them before the command runs. */
import type { DoubleQuotedChild, Word, WordPart } from 'unbash';
import { type Arg, UNKNOWN } from './types.ts';

/** What variables are set to anywhere in the line; undefined for one that is also set to something unknown. */
export type Variables = ReadonlyMap<string, readonly Arg[] | undefined>;

export function argOf(word: Word, variables: Variables): Arg {
  const { parts } = word;
  const tilde = word.text.startsWith('~');
  if (!parts) return { text: word.value, dynamic: false, expands: false, tilde };
  const known = parts.map((part) => partOf(part, variables));
  const dynamic = known.some((part) => part.text.includes(UNKNOWN));
  const values = dynamic ? combined(known) : undefined;
  return {
    text: known.map(({ text }) => text).join(''),
    dynamic,
    expands: known.some(({ expands }) => expands),
    tilde,
    ...(values ? { values } : {}),
  };
}

type Part = { text: string; expands: boolean; values?: string[] };

const fixed = (text: string): Part => ({ text, expands: false });
const unknown: Part = fixed(UNKNOWN);

function partOf(part: WordPart | DoubleQuotedChild, variables: Variables): Part {
  switch (part.type) {
    case 'Literal':
    case 'SingleQuoted':
    case 'AnsiCQuoted':
      return fixed(part.value);
    case 'DoubleQuoted':
    case 'LocaleString':
      return quoted(part.parts.map((child) => partOf(child, variables)));
    case 'SimpleExpansion':
      return variable(part.text.slice(1), variables);
    case 'ParameterExpansion':
      return part.operation || part.prefix || part.index ? unknown : variable(part.parameter, variables);
    case 'Glob':
    case 'ExtendedGlob':
    case 'BraceExpansion':
      return { text: part.text, expands: true };
    case 'ProcessSubstitution':
      return fixed('/dev/fd/63');
    default:
      return unknown;
  }
}

function quoted(parts: readonly Part[]): Part {
  const values = combined(parts);
  return {
    text: parts.map(({ text }) => text).join(''),
    expands: parts.some((part) => part.expands),
    ...(values ? { values } : {}),
  };
}

/** `$HOME` and `$PWD` are written out where they are not set anew; all else stays unknown, with what it can be. */
function variable(name: string, variables: Variables): Part {
  const set = variables.get(name);
  if (!set) return unknown;
  const [only] = set;
  if (CONSTANT.has(name) && set.length === 1 && only) return fixed(only.text);
  // White space would make several words of it.
  if (set.some((arg) => arg.dynamic || arg.tilde || /\s/.test(arg.text))) return unknown;
  return { text: UNKNOWN, expands: set.some((arg) => arg.expands), values: set.map(({ text }) => text) };
}

const CONSTANT = new Set(['HOME', 'PWD']);
const MOST_VALUES = 32;

function combined(parts: readonly Part[]): string[] | undefined {
  let texts = [''];
  for (const part of parts) {
    const next = part.values ?? (part.text.includes(UNKNOWN) ? undefined : [part.text]);
    if (!next || texts.length * next.length > MOST_VALUES) return undefined;
    texts = texts.flatMap((text) => next.map((more) => text + more));
  }
  return texts;
}

/** A word that is exactly what it says. */
export function plain(text: string): Arg {
  return { text, dynamic: false, expands: false, tilde: text.startsWith('~') };
}

export const unknownArg: Arg = { text: UNKNOWN, dynamic: true, expands: true, tilde: false };

/** Known to the letter: neither told at run time nor possibly several words. */
export function isStatic(arg: Arg): boolean {
  return !arg.dynamic && !arg.expands;
}
