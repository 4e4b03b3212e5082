/** Sends one update so that its sender learns its fate: own quick retry, one deadline over all of it, causes as values. */
import {
  ApplicationFailure,
  WorkflowNotFoundError,
  WorkflowUpdateFailedError,
  WorkflowUpdateRPCTimeoutOrCancelledError,
} from '@temporalio/client';
import { isLate, pause, withDeadline } from './call.ts';
import type { TemporalLine } from './connection.ts';

export type UpdateFate<T> =
  | { kind: 'answered'; answer: T }
  /** The validator (or the handler) said no. */
  | { kind: 'refused'; type: string; message: string }
  /** No worker took it in time. */
  | { kind: 'not_taken' }
  /** The workflow is closed or never was. */
  | { kind: 'gone' }
  | { kind: 'unreachable'; why: string };

/** Repeats `send` (with the same update id) while the turn hands over to its next run (`Closing`), which passes at once. */
export async function sendUpdate<T>(line: TemporalLine, ms: number, send: () => Promise<T>): Promise<UpdateFate<T>> {
  const until = Date.now() + ms;
  for (;;) {
    try {
      return { kind: 'answered', answer: await withDeadline(line, until - Date.now(), send) };
    } catch (error) {
      const fate = fateOf(error);
      const closing = fate.kind === 'refused' && fate.type === 'Closing';
      if (!closing) return fate;
      if (!(await pause(line, until))) return { kind: 'not_taken' };
    }
  }
}

function fateOf(error: unknown): Exclude<UpdateFate<never>, { kind: 'answered' }> {
  if (error instanceof WorkflowUpdateFailedError) {
    const { cause } = error;
    const type = cause instanceof ApplicationFailure ? (cause.type ?? 'Error') : 'Error';
    return { kind: 'refused', type, message: cause?.message ?? error.message };
  }
  if (error instanceof WorkflowNotFoundError) return { kind: 'gone' };
  if (error instanceof WorkflowUpdateRPCTimeoutOrCancelledError || isLate(error)) return { kind: 'not_taken' };
  return { kind: 'unreachable', why: error instanceof Error ? error.message : String(error) };
}
