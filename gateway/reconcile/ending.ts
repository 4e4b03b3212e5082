/** How a turn ended whose workflow is closed but whose row is open: what Temporal knows, as an outcome. */
import type { WorkflowFate } from '../../client/temporal.ts';
import { type FailureType, failureTypeOf } from '../../core/failures.ts';
import { type Outcome, outcomeOf } from '../../core/outcome.ts';
import type { Usage } from '../../core/usage.ts';

export type ClosedFate = Exclude<WorkflowFate, { kind: 'open' }>;

/** @param usage what the store had counted by then */
export function endingOf(fate: ClosedFate, usage: Usage): Outcome {
  const failed = (type: FailureType, message: string) => outcomeOf('error', usage, { type, message });
  switch (fate.kind) {
    case 'cancelled':
      return outcomeOf('cancelled', usage);
    case 'terminated':
      return failed(
        'Terminated',
        `The workflow was terminated from Temporal's own tools: ${fate.reason}`.slice(0, 500),
      );
    case 'timed_out':
      return failed('TurnFailed', 'The workflow ran into a time limit of Temporal.');
    case 'failed':
      return failed(failureTypeOf(fate.type), fate.message.slice(0, 500));
    case 'missing':
      return failed(
        'TurnFailed',
        'The workflow is gone from Temporal: it was deleted there, or its retention has run out.',
      );
    case 'completed':
      return (
        ownWord(fate.result) ?? failed('TurnFailed', 'The workflow closed and its last save is not in this store.')
      );
  }
}

/** What the workflow itself returned, when that is an outcome. */
function ownWord(result: unknown): Outcome | undefined {
  const outcome = result as Partial<Outcome> | null | undefined;
  const known = ['completed', 'failed', 'cancelled'];
  if (!outcome?.usage || !outcome.stopReason || !known.includes(outcome.status ?? '')) return undefined;
  return outcome as Outcome;
}
