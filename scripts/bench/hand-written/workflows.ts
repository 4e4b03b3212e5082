// What somebody would write by hand: two activities an iteration, references only, no store. The yardstick of the figures.
import { proxyActivities } from '@temporalio/workflow';
import type { HandWritten } from './activities.ts';

const { begin, callProvider, runTool, end } = proxyActivities<HandWritten>({
  startToCloseTimeout: '1m',
  heartbeatTimeout: '15s',
  retry: { maximumAttempts: 1 },
});

export type LoopInput = { turnId: string; iterations: number; framed: boolean };

export async function handWritten({ turnId, iterations, framed }: LoopInput): Promise<string> {
  let head = framed ? await begin({ turnId }) : 'start';
  for (let step = 1; step <= iterations; step += 1) {
    const reply = await callProvider({ turnId, step, head });
    const result = await runTool({ turnId, step, call: reply.call });
    head = `${reply.head}:${result.ref}`;
  }
  const last = await callProvider({ turnId, step: iterations + 1, head });
  return framed ? end({ turnId, head: last.head }) : last.head;
}
