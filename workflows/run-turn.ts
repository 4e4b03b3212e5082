/** `everturn/workflow`: a turn as a step of one's own workflow (I6). */
import {
  ChildWorkflowCancellationType,
  executeChild,
  ParentClosePolicy,
  uuid4,
  workflowInfo,
} from '@temporalio/workflow';
import type { Outcome } from '../core/outcome.ts';
import type { TurnInput } from './messages.ts';

export type RunTurnOptions = Omit<NonNullable<TurnInput['start']>, 'by'> & {
  /** Everturn's task queue; default `everturn`. */
  taskQueue?: string;
  /** Ours to choose, unique for ever; default: made from this workflow's id. */
  turnId?: string;
};

/**
 * Runs one turn as a child workflow on Everturn's queue and waits for its outcome; the answer's text is in the store,
 * at `GET /api/v1/turns/:id`. `text` travels through the history of both workflows: keep it short, at most 1 MiB.
 * The turn is cancelled when the calling scope is, and when the parent is closed before it.
 * @returns `{ turnId, outcome }`; `outcome.usage` in tokens and USD
 * @throws ChildWorkflowFailure when the turn failed (its cause has one of Everturn's failure types) or was cancelled
 */
export async function runTurn(options: RunTurnOptions): Promise<{ turnId: string; outcome: Outcome }> {
  const { taskQueue = 'everturn', turnId = `w${uuid4()}`, ...start } = options;
  const input: TurnInput = { turnId, start: { ...start, by: `workflow ${workflowInfo().workflowId}`.slice(0, 200) } };
  const outcome = (await executeChild('turn', {
    taskQueue,
    workflowId: `turn-${turnId}`,
    args: [input],
    parentClosePolicy: ParentClosePolicy.REQUEST_CANCEL,
    cancellationType: ChildWorkflowCancellationType.WAIT_CANCELLATION_COMPLETED,
    workflowTaskTimeout: '5s',
  })) as Outcome;
  return { turnId, outcome };
}
