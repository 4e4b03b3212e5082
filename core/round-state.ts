/** The slots of a round as the workflow keeps them: a tagged union, one per call, in the model's order. */
import type { OpenQuestion } from './question.ts';
import type { CallNotice, Fill, SlotResult } from './slot.ts';

/** How the calls of a round may run (C6.1): at once; one at a time, past those that wait; one at a time in strict order. */
export type RoundMode = 'parallel' | 'sequential' | 'strict';

export type SlotState =
  | { is: 'ready' }
  | { is: 'asking'; question: OpenQuestion }
  | { is: 'settling'; question: OpenQuestion }
  | { is: 'running'; since: number }
  /** `wait`: carried out by the workflow's own clock. */
  | { is: 'timing'; until: number }
  | { is: 'recording' }
  /** Its activity ended without an outcome: the ledger is to be asked. */
  | { is: 'lost' }
  | { is: 'resolving' }
  /** Closed by the workflow, not recorded yet. */
  | { is: 'decided'; fill: Fill }
  /** Closed, recorded in the store. */
  | { is: 'filled'; result: SlotResult };

export type Slot = {
  call: CallNotice;
  /** How often it was scheduled. */
  attempt: number;
  /** The accepted decision that lets it run. */
  decisionId?: string;
  /** Questions asked about an unknown outcome so far. */
  unknowns?: number;
  /** An attempt of it began and left no outcome: "it did not run" is never said of it. */
  begun?: true;
} & SlotState;

export type Round = {
  step: number;
  mode: RoundMode;
  slots: Slot[];
  /** Questions, starts and fills up to now are written. */
  announced: string[];
  /** What the model is told beside the results. */
  tell?: string;
};

export const isClosed = (slot: Slot): boolean => slot.is === 'decided' || slot.is === 'filled';

/** The start of a call is announced apart from its end. */
export const startKey = (callId: string): string => `start ${callId}`;

/** What has been announced of a slot: a question about an unknown outcome is a new thing on the same call. */
export function announceKey(slot: Slot): string {
  if (slot.is === 'asking' || slot.is === 'settling') return slot.question.approvalId;
  return slot.is === 'timing' ? startKey(slot.call.callId) : slot.call.callId;
}
