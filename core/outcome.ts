/** How a turn stands and how it ends (C8.11). */
import type { FailureType } from './failures.ts';
import type { Usage } from './usage.ts';

export type TurnStatus =
  | 'queued'
  | 'running'
  | 'waiting_approval'
  | 'waiting_user'
  | 'paused'
  | 'completed'
  | 'failed'
  | 'cancelled';

export type StopReason =
  | 'answer'
  | 'iteration_cap'
  | 'budget'
  | 'loop'
  | 'repeated_prompt'
  | 'malformed'
  | 'cancelled'
  | 'error';

/** `message` is scrubbed and says what to do. */
export type TurnError = { type: FailureType; message: string };

export type Outcome = {
  status: 'completed' | 'failed' | 'cancelled';
  stopReason: StopReason;
  error?: TurnError;
  usage: Usage;
};

const STATUS: Record<StopReason, Outcome['status']> = {
  answer: 'completed',
  iteration_cap: 'completed',
  malformed: 'completed',
  cancelled: 'cancelled',
  repeated_prompt: 'failed',
  loop: 'failed',
  budget: 'failed',
  error: 'failed',
};

export function outcomeOf(stopReason: StopReason, usage: Usage, error?: TurnError): Outcome {
  return { status: STATUS[stopReason], stopReason, usage, ...(error ? { error } : {}) };
}

export const OPEN_STATUSES: readonly TurnStatus[] = ['queued', 'running', 'waiting_approval', 'waiting_user', 'paused'];
