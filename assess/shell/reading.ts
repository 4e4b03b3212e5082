/** What has been found so far in a line and in the texts inside it. Raised only, never lowered. */
import type { RiskLevel } from '../../core/assessment.ts';
import { displayName } from '../../core/unknown-tool.ts';
import type { Judged } from './judge-command.ts';
import type { PathWish } from './shell-paths.ts';
import { higher, type Where } from './types.ts';

export type Reading = {
  level: RiskLevel;
  /** The worst first. */
  reasons: string[];
  blocked: string[];
  /** Names of the programs that are started, in order. */
  programs: string[];
  /** Nothing found so far can change anything. */
  readOnly: boolean;
  /** Something runs that is not among the programs. */
  opaque: boolean;
  wishes: PathWish[];
  /** Names that mean a function of the line by now. */
  functions: Set<string>;
};

export function newReading(): Reading {
  return {
    level: 'low',
    reasons: [],
    blocked: [],
    programs: [],
    readOnly: true,
    opaque: false,
    wishes: [],
    functions: new Set(),
  };
}

/** High, whatever is listed. */
export function alarm(reading: Reading, reason: string): void {
  reading.opaque = true;
  raise(reading, 'high', reason);
}

export function raise(reading: Reading, level: RiskLevel, reason: string): void {
  const before = reading.level;
  reading.level = higher(level, before);
  if (reason === '') return;
  if (reading.level !== before) reading.reasons.unshift(reason);
  else reading.reasons.push(reason);
}

export function note(reading: Reading, judged: Judged, where: Where): void {
  if (judged.program !== undefined) reading.programs.push(displayName(judged.program));
  if (judged.blocked !== undefined) reading.blocked.push(judged.blocked);
  if (!judged.readOnly) reading.readOnly = false;
  if (judged.opaque) reading.opaque = true;
  if (judged.level !== 'low') raise(reading, judged.level, judged.reason ?? '');
  const enters = judged.program === undefined && judged.enters === true;
  for (const path of judged.paths ?? []) reading.wishes.push({ ...path, where, ...(enters ? { enters } : {}) });
}
