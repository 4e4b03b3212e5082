/** Turns the words of the parser into what is known of them before the command runs. */
import { homedir } from 'node:os';
import type { DoubleQuotedChild, Word, WordPart } from 'unbash';
import { type Arg, UNKNOWN } from './types.ts';

/** @param workspace what `$PWD` is at the start */
export function argOf(word: Word, workspace: string): Arg {
  const { parts } = word;
  const tilde = word.text.startsWith('~');
  if (!parts) return { text: word.value, dynamic: false, expands: false, tilde };
  const known = parts.map((part) => textOf(part, workspace));
  return {
    text: known.join(''),
    dynamic: known.some((text) => text.includes(UNKNOWN)),
    expands: parts.some((part) => EXPANDS.has(part.type)),
    tilde,
  };
}

const EXPANDS: ReadonlySet<string> = new Set(['Glob', 'ExtendedGlob', 'BraceExpansion']);

function textOf(part: WordPart | DoubleQuotedChild, workspace: string): string {
  switch (part.type) {
    case 'Literal':
    case 'SingleQuoted':
    case 'AnsiCQuoted':
      return part.value;
    case 'DoubleQuoted':
    case 'LocaleString':
      return part.parts.map((child) => textOf(child, workspace)).join('');
    case 'SimpleExpansion':
      return variable(part.text.slice(1), workspace);
    case 'ParameterExpansion':
      return part.operation || part.prefix || part.index ? UNKNOWN : variable(part.parameter, workspace);
    case 'Glob':
    case 'ExtendedGlob':
    case 'BraceExpansion':
      return part.text;
    default:
      return UNKNOWN;
  }
}

function variable(name: string, workspace: string): string {
  if (name === 'HOME') return homedir();
  return name === 'PWD' ? workspace : UNKNOWN;
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
