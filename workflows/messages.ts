/** Signals, updates and queries of a turn and a session (I5). Every one takes one object; texts go by reference. */
import { defineQuery, defineSignal, defineUpdate } from '@temporalio/workflow';
import type { TurnStatus } from '../core/outcome.ts';
import type { SlotStatus } from '../core/slot.ts';

/** An answer to a question; the signed decision is in the store under `decisionId`. */
export type DecideMessage = { approvalId: string; decisionId: string };
/** A steering message; the text is in the store under `id`, or given here (at most 4 KiB) by somebody's own workflow. */
export type SteerMessage = { id: string; text?: string; by?: string };
/** `native`: Temporal's own cancel follows, so the workflow closes as Canceled. */
export type CancelMessage = { by?: string; reason?: string; native?: boolean };
/** `at`: ms since the epoch of the flag in the store, so that a slower report of an older hold is known as stale. */
export type ControlMessage = { state: 'paused' | 'resumed' | 'estop'; by?: string; at?: number };

export type DecideAnswer =
  | { state: 'accepted' }
  | { state: 'already_decided'; by: string; at: string }
  | { state: 'expired' | 'withdrawn' }
  | { state: 'invalid'; reason: string };

export type SteerAnswer = { state: 'accepted' | 'repeated' };

export const decide = defineSignal<[DecideMessage]>('decide');
export const steer = defineSignal<[SteerMessage]>('steer');
export const cancel = defineSignal<[CancelMessage]>('cancel');
export const control = defineSignal<[ControlMessage]>('control');

/** Refused with type `NotOpen`, `Closing` (send again with the same id) or `TurnEnded`. */
export const decideApproval = defineUpdate<DecideAnswer, [DecideMessage]>('decideApproval');
/** Refused with type `TurnEnded`, `Closing` or `QueueFull`. */
export const steerTurn = defineUpdate<SteerAnswer, [SteerMessage]>('steerTurn');

export type TurnView = {
  turnId: string;
  status: TurnStatus;
  iteration: number;
  step: number;
  slots: { callId: string; tool: string; status: SlotStatus }[];
  questions: string[];
};

export const turnState = defineQuery<TurnView>('turnState');

/** A turn for a session's queue; the update id is the turn id. Refused with `QueueFull` or `Closing`. */
export type EnqueueMessage = { turnId: string };
export const enqueueTurn = defineUpdate<{ position: number }, [EnqueueMessage]>('enqueueTurn');
export const sessionState = defineQuery<{ running: string | null; queued: string[] }>('sessionState');

/** What starts a turn workflow. `start` only when no gateway has made the row (somebody's own workflow). */
export type TurnInput = {
  turnId: string;
  start?: {
    agent: string;
    text: string;
    session?: string;
    allowedTools?: string[];
    approvals?: 'ask' | 'park' | 'deny';
    by?: string;
  };
};
