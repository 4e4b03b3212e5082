/** What the reader of a command line finds, and what judging a found command says. */
import type { RiskLevel } from '../../core/assessment.ts';

/** A word as it will be when the command runs, as far as that can be known. */
export type Arg = {
  /** With UNKNOWN in place of what is only known at run time. */
  text: string;
  /** Something in it is only known at run time. */
  dynamic: boolean;
  /** Holds an unquoted pattern or braces, so it may become several words. */
  expands: boolean;
  /** Begins with an unquoted `~`. */
  tilde: boolean;
  /** All texts that a dynamic word can have, when its variables are set to known ones only. */
  values?: string[];
};

/** Stands for text that only running the command would tell. */
export const UNKNOWN = '\ufffc';

export type RedirectTarget = { access: 'read' | 'write'; target: Arg };

/** A shell process: what is entered in a subshell is left with it. */
export type Scope = { parent?: Scope };

/** Where a command stands, as far as it matters for the folder it works in. */
export type Where = {
  scope: Scope;
  /** It may be passed over: behind `||`, in an `if`. */
  conditional: boolean;
  /** It may run several times or elsewhere: in a loop, in a function. */
  repeats: boolean;
};

export type FoundCommand = {
  where: Where;
  /** No command but the definition of a function. */
  defines?: string;
  /** Undefined for an assignment or a redirect by itself. */
  name: Arg | undefined;
  args: Arg[];
  /** Names of variables that are set for it, or by it. */
  assigns: string[];
  redirects: RedirectTarget[];
  /** It reads what another part writes: a pipe, a here-document. */
  fed: boolean;
  /** Its words came through a wrapper such as xargs, which adds more at run time. */
  more: boolean;
};

/** What a whole line was found to hold. */
export type Found = {
  /** In the order of the text; the bodies of functions too. */
  commands: FoundCommand[];
  /** What makes the line high by itself. */
  alarms: string[];
  /** What no policy can allow. */
  blocked: string[];
};

export type Finding = {
  level: RiskLevel;
  reason?: string;
  /** It cannot change anything. */
  readOnly?: boolean;
  /** It runs something that is not among the parts that were found: listing every part by name does not cover it. */
  opaque?: boolean;
  blocked?: string;
  /** Words that are paths. */
  paths?: { arg: Arg; access: 'read' | 'write' }[];
};

const RANK = { low: 0, medium: 1, high: 2 } as const;

export function higher(a: RiskLevel, b: RiskLevel): RiskLevel {
  return RANK[a] >= RANK[b] ? a : b;
}

export const low = (readOnly = false): Finding => ({ level: 'low', readOnly });
export const medium = (reason: string): Finding => ({ level: 'medium', reason });
export const high = (reason: string): Finding => ({ level: 'high', reason });
/** High, because it runs what cannot be told or was not judged. */
export const opaque = (reason: string): Finding => ({ level: 'high', reason, opaque: true });
export const blocked = (reason: string): Finding => ({ level: 'high', reason, blocked: reason });
