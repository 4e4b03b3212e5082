import type { Client } from '@temporalio/client';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { configured } from '../../cli/configuration.ts';
import { recoverFromLostWorkers } from '../../cli/dev/recovery.ts';
import { type Ground, openGround } from '../../cli/ground.ts';
import { deployment, type Folder, folderWith } from './everturn.ts';

let folder: Folder;
let ground: Ground;
beforeEach(async () => {
  folder = await folderWith(deployment('responses: []'));
  ground = await openGround((await configured({ path: folder.file('everturn.yaml') })).config);
});
afterEach(async () => {
  await ground.store.close();
  await folder.remove();
});

const DEAD = 'worker-dead';

/** Writes down what is asked of Temporal, in order. One provider call was running on the dead worker. */
function recordingClient(): { client: Client; asked: string[] } {
  const asked: string[] = [];
  const pending = (activityId: string, lastWorkerIdentity: string) => ({ activityId, lastWorkerIdentity, state: 2 });
  const client = {
    options: { namespace: 'default' },
    workflowService: {
      resetStickyTaskQueue: async ({ execution }: { execution: { workflowId: string } }) => {
        asked.push(`release ${execution.workflowId}`);
      },
      describeWorkflowExecution: async () => ({
        pendingActivities: [pending('provider-1', DEAD), pending('provider-2', 'worker-alive')],
      }),
    },
    activity: {
      fail: async ({ activityId }: { activityId: string }, failure: { type: string; nonRetryable: boolean }) => {
        asked.push(`fail ${activityId} ${failure.type} ${failure.nonRetryable}`);
      },
    },
  };
  return { client: client as unknown as Client, asked };
}

async function runningTurn(turnId: string, session?: string): Promise<void> {
  const { turns } = ground.store;
  await turns.enqueue({
    turnId,
    agent: 'main',
    text: 'x',
    origin: { surface: 'cli', by: 'test' },
    ...(session ? { session } : {}),
  });
  await turns.begin({ turnId, executionHash: '', at: Date.now() });
}

describe('what is done for the workflows of a dead worker', () => {
  it('C6.6 lets go of every sticky queue before it fails anything, tools of the ledger first', async () => {
    await runningTurn('t1', 's1');
    const call = { turnId: 't1', step: 1, slot: 0, attempt: 1, events: [] };
    await ground.store.ledger.begin({ ...call, worker: DEAD, activityId: 't1-tool' });
    const { client, asked } = recordingClient();
    const report = await recoverFromLostWorkers({
      store: ground.store,
      client,
      isLost: (identity) => identity === DEAD,
      killGroup: async () => {},
    });
    expect(asked.slice(0, 2).sort()).toEqual(['release session-s1', 'release turn-t1']);
    expect(asked.slice(2, 4)).toEqual(['fail t1-tool WorkerLost false', 'fail provider-1 WorkerLost false']);
    expect(asked.join()).not.toContain('provider-2');
    expect(report).toMatchObject({ workflows: 2 });
  });

  it('leaves alone what runs on a worker that lives', async () => {
    await runningTurn('t1');
    const call = { turnId: 't1', step: 1, slot: 0, attempt: 1, events: [] };
    await ground.store.ledger.begin({ ...call, worker: 'worker-alive', activityId: 't1-tool' });
    const { client, asked } = recordingClient();
    await recoverFromLostWorkers({ store: ground.store, client, isLost: () => false, killGroup: async () => {} });
    expect(asked).toEqual(['release turn-t1']);
  });
});
