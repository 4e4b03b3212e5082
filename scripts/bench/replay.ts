// Times of replay, interleaved, in ms per event.
import { fileURLToPath } from 'node:url';
import { bundleWorkflowCode, DefaultLogger, Runtime, Worker } from '@temporalio/worker';
import { workflowsPath } from '../../workers/bundle.ts';
import { median, timed } from './figures.ts';
import type { Stage } from './stage.ts';

const ROUNDS = 9;

export async function replayTimes(
  stage: Stage,
  ids: { ours: string; theirs: string },
): Promise<{ ours: number; theirs: number }> {
  const logger = new DefaultLogger('ERROR');
  Runtime.install({ logger });
  const hand = fileURLToPath(new URL('./hand-written/workflows.ts', import.meta.url));
  const sides = await Promise.all(
    [
      { id: ids.ours, path: workflowsPath() },
      { id: ids.theirs, path: hand },
    ].map(async ({ id, path }) => ({
      id,
      bundle: await bundleWorkflowCode({ workflowsPath: path, logger }),
      history: await stage.client.workflow.getHandle(id).fetchHistory(),
      times: [] as number[],
    })),
  );
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const side of sides) {
      const ms = await timed(() => Worker.runReplayHistory({ workflowBundle: side.bundle }, side.history, side.id));
      // The first one warms up.
      if (round > 0) side.times.push(ms / (side.history.events?.length ?? 1));
    }
  }
  const [ours, theirs] = sides.map(({ times }) => median(times));
  return { ours: ours ?? Number.NaN, theirs: theirs ?? Number.NaN };
}
