// Recovery as the stack runs it: again and again until it succeeds, for workers of this data folder only.
import { workerPrefix } from './names.ts';
import { recoverFromLostWorkers } from './recovery.ts';
import type { Parts } from './stack-parts.ts';

const AGAIN_MS = 500;

/** Until it succeeds: Temporal may be away at the same time. Only workers of this folder are ever taken for lost. */
export async function recoverFully(parts: Parts, deployment: string): Promise<void> {
  const { store, line, killGroup, notice } = parts;
  if (store === undefined || line === undefined) return;
  const isLost = (identity: string) => identity.startsWith(workerPrefix(deployment)) && identity !== parts.worker;
  while (!parts.closing) {
    try {
      const { activities } = await recoverFromLostWorkers({ store, client: line.client, isLost, killGroup });
      if (activities > 0) notice(`Gave back ${activities} lost ${activities === 1 ? 'activity' : 'activities'}.`);
      return;
    } catch (error) {
      if (parts.closing) return;
      notice(`Cannot yet give back what was lost: ${error instanceof Error ? error.message : String(error)}`);
      await new Promise((resume) => setTimeout(resume, AGAIN_MS));
    }
  }
}
