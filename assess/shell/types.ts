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
};

/** Stands for text that only running the command would tell. */
export const UNKNOWN = '\ufffc';

export type RedirectTarget = { access: 'read' | 'write'; target: Arg };

export type FoundCommand = {
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
  commands: FoundCommand[];
  /** Functions that the line defines; their bodies are among the commands. */
  functions: Set<string>;
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
export const blocked = (reason: string): Finding => ({ level: 'high', reason, blocked: reason });
