/** A shell that is started by a command: what it runs. */
import type { Arg, FoundCommand } from './types.ts';
import { isStatic } from './words.ts';
import type { Unwrapped } from './wrappers.ts';

export type ShellRuns = Unwrapped | { kind: 'file'; file: Arg };

const TAKES_VALUE = /^[+-][a-zA-Z]*[oO]$/;
const HARMLESS_LONG = /^--(?:norc|noprofile|posix|login|restricted|verbose|version|help)$/;

/** Shells whose language is read the way the line itself is. */
const ALIKE = /^(?:sh|bash|rbash|dash|ash)$/;

export function shellRuns(name: string, { args, more }: FoundCommand): ShellRuns {
  if (!ALIKE.test(name)) return { kind: 'unknown', why: `${name} has a language of its own` };
  for (let at = 0; at < args.length; at += 1) {
    const arg = args[at];
    if (!arg || !isStatic(arg)) return { kind: 'unknown', why: 'a shell runs what cannot be read' };
    const { text } = arg;
    if (text === '--version' || text === '--help') return { kind: 'plain' };
    if (/^-[a-zA-Z]*c[a-zA-Z]*$/.test(text))
      return commandText(args.slice(at + 1).find(({ text: t }) => !/^[-+]/.test(t)));
    if (/^-[a-zA-Z]*s[a-zA-Z]*$/.test(text) || text === '-') return FED;
    if (text.startsWith('--') && !HARMLESS_LONG.test(text)) {
      return { kind: 'unknown', why: `a shell is started with ${text}` };
    }
    if (TAKES_VALUE.test(text)) at += 1;
    if (!/^[-+]/.test(text)) return /^\/(?:dev|proc)\//.test(text) ? FED : { kind: 'file', file: arg };
  }
  return more ? { kind: 'unknown', why: 'a shell runs what cannot be read' } : FED;
}

const FED: ShellRuns = { kind: 'unknown', why: 'a shell runs whatever it is sent' };

function commandText(arg: FoundCommand['args'][number] | undefined): ShellRuns {
  if (!arg) return FED;
  return isStatic(arg)
    ? { kind: 'script', text: arg.text }
    : { kind: 'unknown', why: 'a shell runs text that is made at run time' };
}
