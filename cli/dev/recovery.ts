// What is done for the workflows of workers that are dead for certain. The order is what makes it quick:
//   1. let go of the sticky queue of each open workflow, so that the next task goes to a living worker;
//   2. kill what the dead workers left running, so that a repeated call does not run beside its first attempt;
//   3. fail the lost activities by id, those of the ledger first.
// Failing first would send each workflow to the dead queue and cost its time-out.
import { ActivityNotFoundError, ApplicationFailure, type Client, isGrpcServiceError } from '@temporalio/client';
import type { ProcessGroup, Store } from '../../store/api.ts';
import { eachLimited } from './limited.ts';

export type RecoveryParts = {
  store: Store;
  /** Its identity is the supervisor's. */
  client: Client;
  /** Whether this identity is a worker that is gone. */
  isLost: (workerIdentity: string) => boolean;
  killGroup: (group: ProcessGroup) => Promise<unknown>;
};

export type RecoveryReport = { workflows: number; activities: number; groups: number };

const AT_ONCE = 16;
const NOT_FOUND = 5;
/** `PENDING_ACTIVITY_STATE_STARTED` in the server's numbering. */
const STARTED = 2;

export async function recoverFromLostWorkers(parts: RecoveryParts): Promise<RecoveryReport> {
  const workflows = await openWorkflows(parts);
  await eachLimited(workflows, AT_ONCE, (workflowId) => releaseSticky(parts.client, workflowId));
  const attempts = (await parts.store.ledger.openAttempts({})).filter(({ worker }) => parts.isLost(worker));
  const groups = attempts.flatMap(({ group }) => (group ? [group] : []));
  await eachLimited(groups, AT_ONCE, async (group) => void (await parts.killGroup(group)));
  const failed = new Set<string>();
  await eachLimited(attempts, AT_ONCE, async ({ turnId, activityId }) => {
    const workflowId = `turn-${turnId}`;
    if (await failActivity(parts.client, workflowId, activityId)) failed.add(`${workflowId} ${activityId}`);
  });
  await eachLimited(workflows, AT_ONCE, async (workflowId) => {
    for (const activityId of await lostActivities(parts, workflowId)) {
      if (failed.has(`${workflowId} ${activityId}`)) continue;
      if (await failActivity(parts.client, workflowId, activityId)) failed.add(`${workflowId} ${activityId}`);
    }
  });
  await releaseIdleSessions(parts, new Set(workflows));
  return { workflows: workflows.length, activities: failed.size, groups: groups.length };
}

/** Turns that have a workflow, and the sessions that hold them. Turns that run before those that wait. */
async function openWorkflows({ store }: RecoveryParts): Promise<string[]> {
  const turns = (await store.turns.open()).filter(({ status }) => status !== 'queued');
  const running = turns.filter(({ status }) => status === 'running');
  const others = turns.filter(({ status }) => status !== 'running');
  const ids = [...running, ...others].map(({ workflowId }) => workflowId);
  const sessions = turns.flatMap(({ session }) => (session === undefined ? [] : [`session-${session}`]));
  return [...new Set([...ids, ...sessions])];
}

/** They run nothing and lose nothing; but their next message would wait for the dead queue's time-out. */
async function releaseIdleSessions({ store, client }: RecoveryParts, done: ReadonlySet<string>): Promise<void> {
  const sessions = (await store.sessions.list()).map(({ sessionId }) => `session-${sessionId}`);
  const idle = sessions.filter((workflowId) => !done.has(workflowId));
  await eachLimited(idle, AT_ONCE, (workflowId) => releaseSticky(client, workflowId));
}

async function releaseSticky(client: Client, workflowId: string): Promise<void> {
  await unlessGone(() =>
    client.workflowService.resetStickyTaskQueue({ namespace: client.options.namespace, execution: { workflowId } }),
  );
}

/** Activities that a lost worker had begun and the ledger does not know: provider calls, store work. */
async function lostActivities({ client, isLost }: RecoveryParts, workflowId: string): Promise<string[]> {
  const described = await unlessGone(() =>
    client.workflowService.describeWorkflowExecution({
      namespace: client.options.namespace,
      execution: { workflowId },
    }),
  );
  return (described?.pendingActivities ?? [])
    .filter(({ state, lastWorkerIdentity }) => state === STARTED && isLost(lastWorkerIdentity ?? ''))
    .map(({ activityId }) => activityId ?? '');
}

/** False when it was over: it ended in the moment before its worker died, or was given back before. */
async function failActivity(client: Client, workflowId: string, activityId: string): Promise<boolean> {
  const failure = ApplicationFailure.create({
    type: 'WorkerLost',
    message: 'The worker that ran this activity is gone.',
    nonRetryable: false,
  });
  const done = await unlessGone(async () => {
    await client.activity.fail({ workflowId, activityId }, failure);
    return true;
  });
  return done ?? false;
}

async function unlessGone<T>(call: () => Promise<T>): Promise<T | undefined> {
  try {
    return await call();
  } catch (error) {
    if (error instanceof ActivityNotFoundError) return undefined;
    if (isGrpcServiceError(error) && error.code === NOT_FOUND) return undefined;
    throw error;
  }
}
