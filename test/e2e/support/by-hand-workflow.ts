// What somebody may do who reaches the task queue and nothing else: schedule the engine's activity themselves.
import { proxyActivities } from '@temporalio/workflow';
import type { ToolAnswer, ToolInput, TurnPorts } from '../../../core/ports.ts';

export async function byHand(taskQueue: string, input: ToolInput): Promise<ToolAnswer> {
  const { runTool } = proxyActivities<Pick<TurnPorts, 'runTool'>>({
    taskQueue,
    startToCloseTimeout: '10s',
    heartbeatTimeout: '10s',
    retry: { maximumAttempts: 1 },
  });
  return runTool(input);
}
