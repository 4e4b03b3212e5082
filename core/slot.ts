/** The ordered result vector: one slot per call, in the model's order (C0, C4, C6.7, C7.4). */
import type { CallFacts } from './assessment.ts';

export type SlotStatus =
  | 'empty'
  | 'waiting_approval'
  | 'running'
  | 'done'
  | 'failed'
  | 'denied'
  | 'expired'
  | 'replaced'
  | 'duplicate'
  | 'blocked'
  | 'hook_cancelled'
  | 'interrupted'
  | 'unknown';

/** Ways a slot ends. Each slot ends exactly once. */
export type FilledStatus = Exclude<SlotStatus, 'empty' | 'waiting_approval' | 'running'>;

/** Who decided (C5.4); only an operator's "no" is worded as a person's. */
export type Decider = 'operator' | 'timeout' | 'unreachable' | 'policy' | 'withdrawn';

/** A recorded result by reference; the bytes are in the store. */
export type SlotResult = {
  status: FilledStatus;
  success: boolean;
  /** sha256 hex of the text; the blob's key. */
  ref: string;
  /** Characters of the text as the model will read it. */
  size: number;
  /** Scrubbed, at most 200 characters. */
  preview: string;
  durationMs: number;
  receipt?: string;
};

/** A call of one reply as the workflow knows it. */
export type CallNotice = {
  /** `c<step>-<slot>` */
  callId: string;
  slot: number;
  /** The resolved name; what the model wrote when it is unknown (cut at 64, control characters removed). */
  name: string;
  /** sha256 hex of `name` + canonical arguments. */
  argumentHash: string;
  /** C5.9; at most 200 characters. */
  summary: string;
  facts: CallFacts;
  executor: 'activity' | 'ask_user' | 'wait';
  timeoutMs: number;
  /** `wait`: milliseconds. */
  waitMs?: number;
  /** Already answered when the reply was read (unknown tool, bad arguments, cut): recorded with the reply. */
  filled?: SlotResult;
};

/** A slot that the workflow itself fills; the words are made by `fillText`, the record by an activity. */
export type Fill = {
  callId: string;
  status: FilledStatus;
  by?: Decider;
  /** Extra words: the reason of a block, the earlier decision of a repeated prompt. At most 300 characters. */
  reason?: string;
  /** Whether the call had begun: decides whether `interrupted` says "It did not run." */
  began?: boolean;
};
