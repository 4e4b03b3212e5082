/** Questions to a person and what an answer may say (C5.3–C5.5, C5.11). */
import type { CallFacts } from './assessment.ts';
import type { QuestionKind } from './events.ts';
import type { Decider, SlotResult } from './slot.ts';

export type { QuestionKind } from './events.ts';

export const CHOICES: Record<QuestionKind, readonly string[]> = {
  tool: ['approve', 'deny', 'edit', 'replace'],
  question: ['answer'],
  budget: ['continue', 'stop'],
  unknown: ['done', 'not_done', 'retry'],
};

/** A question as the workflow keeps it. Times in milliseconds since the epoch, workflow clock. */
export type OpenQuestion = {
  approvalId: string;
  kind: QuestionKind;
  callId: string;
  askedAt: number;
  expiresAt: number;
};

/** Derived from turn and call, so that it is the same after any restart. */
export function approvalIdOf(turnId: string, callId: string, kind: QuestionKind, nth = 0): string {
  if (kind === 'unknown') return `${turnId}.${callId}.u${nth}`;
  return kind === 'question' ? `${turnId}.${callId}.q` : `${turnId}.${callId}`;
}

/**
 * The whole of a decision, as it is signed (C5.5). Texts, notes and arguments are in the store by hash.
 * `argumentHash` is what was shown; `newArgumentHash` is set for `edit`.
 */
export type DecisionBody = {
  decisionId: string;
  approvalId: string;
  turnId: string;
  callId: string;
  kind: QuestionKind;
  choice: string;
  argumentHash: string;
  policyHash: string;
  newArgumentHash?: string;
  textRef?: string;
  noteRef?: string;
  by: string;
  surface: string;
  at: string;
};

/** What settling made of an answer; the workflow follows this, not what was sent. */
export type Settled =
  | { outcome: 'discarded'; reason: string }
  /** Somebody (or the clock) was first. */
  | { outcome: 'late'; by: string; at: string; state: 'decided' | 'expired' | 'withdrawn' }
  | { outcome: 'accepted'; decisionId: string; by: string; at: string; verdict: Verdict };

export type Verdict =
  /** Run the call; after an edit with the new hash and facts. */
  | { kind: 'run'; argumentHash: string; edited?: { summary: string; facts: CallFacts } }
  /** The slot is filled with a recorded result: denied, replaced, answered, blocked after an edit, done by word of an operator. */
  | { kind: 'filled'; result: SlotResult; by: Decider }
  | { kind: 'continue' }
  | { kind: 'stop' }
  /** An unknown outcome is to be tried again as a new attempt. */
  | { kind: 'retry' };
