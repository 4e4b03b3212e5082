/** Sends one update so that its sender learns its fate: own quick retry, one deadline over all of it, causes as values. */
import {
  ApplicationFailure,
  isGrpcDeadlineError,
  isGrpcServiceError,
  WorkflowNotFoundError,
  WorkflowUpdateFailedError,
  WorkflowUpdateRPCTimeoutOrCancelledError,
} from '@temporalio/client';
import { type TemporalLine, withDeadline } from './connection.ts';

export type UpdateFate<T> =
  | { kind: 'answered'; answer: T }
  /** The validator (or the handler) said no. */
  | { kind: 'refused'; type: string; message: string }
  /** No worker took it in time. */
  | { kind: 'not_taken' }
  /** The workflow is closed or never was. */
  | { kind: 'gone' }
  | { kind: 'unreachable'; why: string };

const RESOURCE_EXHAUSTED = 8;
const DEADLINE_EXCEEDED = 4;

/**
 * Repeats `send` (with the same update id) while the turn hands over to its next run (`Closing`) or has too many
 * updates in flight; both pass within moments.
 */
export async function sendUpdate<T>(line: TemporalLine, ms: number, send: () => Promise<T>): Promise<UpdateFate<T>> {
  const until = Date.now() + ms;
  for (;;) {
    const left = until - Date.now();
    if (left <= 0) return { kind: 'not_taken' };
    try {
      return { kind: 'answered', answer: await withDeadline(line, left, send) };
    } catch (error) {
      const fate = fateOf(error);
      if (fate !== 'again') return fate;
      await new Promise((resolve) => setTimeout(resolve, 60 + Math.random() * 60));
    }
  }
}

function fateOf(error: unknown): Exclude<UpdateFate<never>, { kind: 'answered' }> | 'again' {
  if (error instanceof WorkflowUpdateFailedError) {
    const cause = error.cause;
    const type = cause instanceof ApplicationFailure ? (cause.type ?? 'Error') : 'Error';
    if (type === 'Closing') return 'again';
    return { kind: 'refused', type, message: cause?.message ?? error.message };
  }
  if (error instanceof WorkflowNotFoundError) return { kind: 'gone' };
  if (error instanceof WorkflowUpdateRPCTimeoutOrCancelledError || isGrpcDeadlineError(error)) {
    return { kind: 'not_taken' };
  }
  const service = isGrpcServiceError(error) ? error : (error as { cause?: unknown } | null)?.cause;
  const code = isGrpcServiceError(service) ? service.code : undefined;
  if (code === RESOURCE_EXHAUSTED) return 'again';
  if (code === DEADLINE_EXCEEDED) return { kind: 'not_taken' };
  return { kind: 'unreachable', why: error instanceof Error ? error.message : String(error) };
}
