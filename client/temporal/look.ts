/** What Temporal itself knows: who it is, which workflows are open, how one ended, which workers ask for work. */
import {
  ApplicationFailure,
  CancelledFailure,
  TerminatedFailure,
  TimeoutFailure,
  WorkflowFailedError,
  WorkflowNotFoundError,
} from '@temporalio/client';
import { withDeadline } from './call.ts';
import type { TemporalLine } from './connection.ts';
import { turnWorkflowId } from './start.ts';

const LOOK_MS = 5_000;

/** Of the namespace as the server made it: another server, or a new file, has another one. */
export async function namespaceId(line: TemporalLine): Promise<string> {
  const { namespaceInfo } = await withDeadline(line, LOOK_MS, () =>
    line.client.workflowService.describeNamespace({ namespace: line.namespace }),
  );
  return namespaceInfo?.id ?? '';
}

export type WorkflowFate =
  | { kind: 'open' }
  | { kind: 'missing' }
  | { kind: 'completed'; result: unknown }
  | { kind: 'failed'; type: string; message: string }
  | { kind: 'cancelled' }
  | { kind: 'terminated'; reason: string }
  | { kind: 'timed_out' };

/** @throws when Temporal cannot be reached */
export async function turnFate(line: TemporalLine, turnId: string): Promise<WorkflowFate> {
  const handle = line.client.workflow.getHandle(turnWorkflowId(turnId));
  try {
    const { status } = await withDeadline(line, LOOK_MS, () => handle.describe());
    if (status.name === 'RUNNING' || status.name === 'PAUSED') return { kind: 'open' };
    return { kind: 'completed', result: await withDeadline(line, LOOK_MS, () => handle.result()) };
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return { kind: 'missing' };
    if (error instanceof WorkflowFailedError) return closedBy(error.cause);
    throw error;
  }
}

function closedBy(cause: Error | undefined): WorkflowFate {
  if (cause instanceof CancelledFailure) return { kind: 'cancelled' };
  if (cause instanceof TerminatedFailure) return { kind: 'terminated', reason: cause.message };
  if (cause instanceof TimeoutFailure) return { kind: 'timed_out' };
  const type = cause instanceof ApplicationFailure ? (cause.type ?? 'TurnFailed') : 'TurnFailed';
  return { kind: 'failed', type, message: cause?.message ?? 'The workflow failed.' };
}

/** Ids of all turns whose workflow is open, by one listing; it may be a moment behind. */
export async function openTurnIds(line: TemporalLine): Promise<Set<string>> {
  const prefix = turnWorkflowId('');
  const query = "WorkflowType = 'turn' AND ExecutionStatus = 'Running'";
  const ids = new Set<string>();
  await withDeadline(line, 4 * LOOK_MS, async () => {
    for await (const { workflowId } of line.client.workflow.list({ query, pageSize: 1_000 })) {
      if (workflowId.startsWith(prefix)) ids.add(workflowId.slice(prefix.length));
    }
  });
  return ids;
}

/** Somebody waits for the page that shows this. */
const STATUS_MS = 2_000;
const WORKFLOW_QUEUE = 1;
/** A worker's poll is renewed every minute; one that is older belongs to a worker that is gone. */
const POLLER_AGE_MS = 70_000;

/** Identities of the workers that ask for workflow tasks. */
export async function pollingWorkers(line: TemporalLine): Promise<string[]> {
  const { pollers } = await withDeadline(line, STATUS_MS, () =>
    line.client.workflowService.describeTaskQueue({
      namespace: line.namespace,
      taskQueue: { name: line.taskQueue },
      taskQueueType: WORKFLOW_QUEUE,
    }),
  );
  const recent = (pollers ?? []).filter((poller) => {
    const seconds = Number(poller.lastAccessTime?.seconds ?? 0);
    return seconds * 1_000 > Date.now() - POLLER_AGE_MS;
  });
  return [...new Set(recent.map((poller) => poller.identity ?? ''))].sort();
}
