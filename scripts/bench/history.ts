// What an iteration leaves in history, at iteration 10 and at 1,000, and what a turn carries when it continues as new.
import proto from '@temporalio/proto';
import { atMost, type Figure, median, reported, timed } from './figures.ts';
import { loopScript, PRODUCE, runEngine, runHand, startTurn } from './iterations.ts';
import { replayTimes } from './replay.ts';
import { openStage, type Stage } from './stage.ts';

type Event = proto.temporal.api.history.v1.IHistoryEvent;

const ITERATIONS = 1_000;
const KIB = 1024;

export async function historyFigures(): Promise<Figure[]> {
  const agent = `    max_tool_iterations: ${ITERATIONS + 1}\n    instructions: ${'y'.repeat(4 * KIB)}`;
  const stage = await openStage({ script: loopScript(ITERATIONS, 4 * KIB), agent, tools: PRODUCE });
  try {
    await stage.engineWorker('bench-1');
    const turnId = await startTurn(stage);
    const wall = await timed(() => runEngine(stage, turnId));
    const runs = await runsOf(stage, `turn-${turnId}`);
    const sizes = runs.flatMap(iterationSizes);
    const early = median(sizes.slice(5, 15));
    const late = median(sizes.slice(ITERATIONS - 15, ITERATIONS - 1));
    return [
      atMost('history per one-tool iteration at iteration 10', early / KIB, 4, 'KiB'),
      atMost('history per one-tool iteration at iteration 1,000', late / KIB, 4, 'KiB'),
      atMost('… the second ÷ the first (flat)', late / early, 1.05, '×'),
      atMost('carried state at continue-as-new', Math.max(...runs.map(carried)) / KIB, 32, 'KiB'),
      reported('… runs, and wall per iteration', `${runs.length} runs, ${(wall / ITERATIONS).toFixed(1)} ms`),
    ];
  } finally {
    await stage.close();
  }
}

/** All runs of a turn, the first one first. */
export async function runsOf(stage: Stage, workflowId: string): Promise<Event[][]> {
  const runs: Event[][] = [];
  const last = await stage.client.workflow.getHandle(workflowId).fetchHistory();
  let runId: string | null | undefined = last.events?.[0]?.workflowExecutionStartedEventAttributes?.firstExecutionRunId;
  while (runId) {
    const events: Event[] = (await stage.client.workflow.getHandle(workflowId, runId).fetchHistory()).events ?? [];
    runs.push(events);
    runId = events.at(-1)?.workflowExecutionContinuedAsNewEventAttributes?.newExecutionRunId;
  }
  return runs;
}

const sizeOf = (event: Event): number => proto.temporal.api.history.v1.HistoryEvent.encode(event).finish().length;

/** Bytes from one provider call's scheduling to the next one's. */
function iterationSizes(events: Event[]): number[] {
  const sizes: number[] = [];
  let size: number | undefined;
  for (const event of events) {
    if (event.activityTaskScheduledEventAttributes?.activityType?.name === 'callProvider') {
      if (size !== undefined) sizes.push(size);
      size = 0;
    }
    if (size !== undefined) size += sizeOf(event);
  }
  return sizes;
}

function carried(events: Event[]): number {
  const payloads = events.at(-1)?.workflowExecutionContinuedAsNewEventAttributes?.input?.payloads ?? [];
  return payloads.reduce((sum, payload) => sum + (payload.data?.length ?? 0), 0);
}

/** Replay of our history against replay of the hand-written loop's, per event. */
export async function replayFigures(): Promise<Figure[]> {
  const iterations = 100;
  const agent = `    max_tool_iterations: ${iterations + 1}`;
  const stage = await openStage({ script: loopScript(iterations, 64), agent, tools: PRODUCE });
  try {
    await Promise.all([stage.engineWorker('bench-1'), stage.handWorker()]);
    const turnId = await startTurn(stage);
    await runEngine(stage, turnId);
    const theirs = await runHand(stage, iterations, true);
    const times = await replayTimes(stage, { ours: `turn-${turnId}`, theirs });
    return [
      atMost('replay ÷ replay of the hand-written loop, per event', times.ours / times.theirs, 1.3, '×'),
      reported('… in ms per event, ours and theirs', `${times.ours.toFixed(3)} / ${times.theirs.toFixed(3)}`),
    ];
  } finally {
    await stage.close();
  }
}
