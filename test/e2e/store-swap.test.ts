// A lost or older store under a running turn: it waits with a clear word, is not harmed, and goes on when the right one is back.
import { copyFile, rm } from 'node:fs/promises';
import { Client, Connection } from '@temporalio/client';
import { afterEach, expect, it } from 'vitest';
import { openStore } from '../../store/open.ts';
import { approve, startWorkerProcess, type WorkerProcess } from '../support/crash-stage.ts';
import { type Stack, startStack } from '../support/stack.ts';
import { until } from '../support/until.ts';

let stack: Stack;
let workers: WorkerProcess[] = [];
afterEach(async () => {
  for (const worker of workers) worker.process.kill('SIGKILL');
  workers = [];
  await stack.close();
});

const FILES = ['', '-wal', '-shm'];
const copyStore = async (from: string, to: string) => {
  for (const end of FILES) {
    await rm(`${to}${end}`, { force: true });
    await copyFile(`${from}${end}`, `${to}${end}`).catch(() => {});
  }
};

async function worker(): Promise<WorkerProcess> {
  const started = await startWorkerProcess(stack);
  workers.push(started);
  return started;
}

async function kill(which: WorkerProcess): Promise<void> {
  which.process.kill('SIGKILL');
  await which.exited;
}

it('waits for its store, and completes when it is back', async () => {
  const script =
    'responses: [{ calls: [{ name: file_write, arguments: { path: a.txt, content: kept } }] }, { say: done }]';
  stack = await startStack({ script, idle: true });
  const { path } = stack.config.store;
  await copyStore(path, `${path}.old`);
  const first = await worker();
  const turnId = await stack.start('Go');
  const { items } = await until(
    () => stack.store.questions.list({ turnId }),
    (page) => page.items.length === 1,
    'the question',
  );
  await kill(first);
  expect(await approve(stack, items[0]?.approvalId as string)).toMatchObject({ kind: 'queued' });
  await copyStore(path, `${path}.good`);
  await copyStore(`${path}.old`, path);

  const misled = await worker();
  const connection = await Connection.connect({ address: stack.temporal.address });
  const handle = new Client({ connection }).workflow.getHandle(`turn-${turnId}`);
  const failing = await until(
    async () => (await handle.describe()).raw.pendingActivities ?? [],
    (pending) => pending.some(({ lastFailure }) => lastFailure),
    'the store to be found wanting',
  );
  expect(failing[0]?.lastFailure?.message).toMatch(/is not in this store: it is another or an older one.*restore it/s);
  expect((await handle.describe()).status.name).toBe('RUNNING');
  await kill(misled);

  await copyStore(`${path}.good`, path);
  await worker();
  // The test's own store has the file open that was swapped away.
  const store = await openStore({ url: `sqlite:${path}`, keys: stack.keys });
  const row = await until(
    () => store.turns.get(turnId),
    (seen) => seen?.endedAt !== undefined,
    'the turn to end',
  );
  expect(row).toMatchObject({ status: 'completed', answer: 'done' });
  await store.close();
  expect(await stack.file('a.txt')).toBe('kept');
  await connection.close();
});
