// Worker processes that are really killed, and what a supervisor does then.
import { type ChildProcess, fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client, Connection } from '@temporalio/client';
import { killGroup } from '../../activities/tools/launcher/kill-group.ts';
import { recoverFromLostWorkers } from '../../cli/dev/recovery.ts';
import type { DeskAnswer } from '../../client/temporal.ts';
import { createSealer, signDecision } from '../../store/seals.ts';
import type { DecideAnswer } from '../../workflows/messages.ts';
import { decisionOn } from '../e2e/support/decision.ts';
import type { CrashPlan, CrashWorkerOrder } from './crash-worker.ts';
import type { Stack } from './stack.ts';

export type WorkerProcess = { identity: string; process: ChildProcess; exited: Promise<void> };

export async function startWorkerProcess(stack: Stack, crash?: CrashPlan): Promise<WorkerProcess> {
  const identity = `crash-${randomUUID()}`;
  const order: CrashWorkerOrder = {
    config: join(stack.folder, 'everturn.yaml'),
    temporal: stack.temporal,
    identity,
    ...(crash ? { crash } : {}),
  };
  const orderFile = join(stack.folder, `${identity}.json`);
  await writeFile(orderFile, JSON.stringify(order));
  const child = fork(fileURLToPath(new URL('./crash-worker.ts', import.meta.url)), [orderFile], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  await new Promise<void>((resolve, reject) => {
    child.once('message', () => resolve());
    child.once('exit', () => reject(new Error('The worker process ended before it was ready.')));
  });
  return { identity, process: child, exited };
}

/** What the supervisor of `everturn dev` does for a worker that is dead for certain. */
export async function recover(stack: Stack, lost: WorkerProcess): Promise<void> {
  const connection = await Connection.connect({ address: stack.temporal.address });
  try {
    await recoverFromLostWorkers({
      store: stack.store,
      client: new Client({ connection, identity: 'supervisor' }),
      isLost: (identity) => identity === lost.identity,
      killGroup,
    });
  } finally {
    await connection.close();
  }
}

/** An operator approves, as a gateway sends it: signed into the store, then told to the workflow. */
export async function approve(stack: Stack, approvalId: string): Promise<DeskAnswer<DecideAnswer>> {
  const question = await stack.store.questions.get(approvalId);
  if (!question) throw new Error(`no question ${approvalId}`);
  const decisionId = `d${randomUUID()}`;
  const body = decisionOn(question, { decisionId, choice: 'approve' });
  await stack.store.questions.putDecision(signDecision(body, createSealer(stack.keys)));
  return stack.desk.sendDecision(question.turnId, { approvalId, decisionId });
}
