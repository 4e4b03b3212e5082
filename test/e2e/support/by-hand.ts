// Schedules `runTool` past the turn's own workflow, from a workflow on a queue of its own.
import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { bundleWorkflowCode, NativeConnection, Worker } from '@temporalio/worker';
import type { ToolAnswer, ToolInput } from '../../../core/ports.ts';
import type { Engine } from './engine.ts';

export type ByHand = { runTool: (input: ToolInput) => Promise<ToolAnswer | string>; close: () => Promise<void> };

const nothing = () => {};
const quiet = { log: nothing, trace: nothing, debug: nothing, info: nothing, warn: nothing, error: nothing };

export async function startByHand({ client, desk }: Engine): Promise<ByHand> {
  const workflowsPath = fileURLToPath(new URL('./by-hand-workflow.ts', import.meta.url));
  const workflowBundle = await bundleWorkflowCode({ workflowsPath, logger: quiet });
  const connection = await NativeConnection.connect({ address: desk.target.address });
  const taskQueue = `by-hand-${randomUUID()}`;
  const worker = await Worker.create({ connection, taskQueue, workflowBundle });
  const running = worker.run();
  return {
    /** What the activity answered, or the failure's message. */
    runTool: (input) =>
      client.workflow
        .execute('byHand', { taskQueue, workflowId: `by-hand-${randomUUID()}`, args: [desk.target.taskQueue, input] })
        .catch((error: Error) => String((error.cause as Error | undefined)?.cause ?? error.cause ?? error)),
    close: async () => {
      worker.shutdown();
      await running;
      await connection.close();
    },
  };
}
