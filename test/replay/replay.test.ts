// Recorded histories of every way a turn goes are replayed against today's workflows (C8.9, case B133).
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { historyFromJSON } from '@temporalio/common/lib/proto-utils.js';
import { DefaultLogger, Runtime, Worker } from '@temporalio/worker';
import { DeterminismViolationError } from '@temporalio/workflow';
import { describe, expect, it } from 'vitest';
import { workflowBundle } from '../support/engine.ts';

Runtime.install({ logger: new DefaultLogger('ERROR') });

const FOLDER = fileURLToPath(new URL('./histories', import.meta.url));
const NAMES = readdirSync(FOLDER).filter((name) => name.endsWith('.json') && name !== 'must-be-refused.json');

/** The id under which it ran: ids of activities follow from it. */
function workflowIdOf(json: string): string {
  const started = JSON.parse(json).events[0].workflowExecutionStartedEventAttributes;
  return started.workflowId;
}

const replay = (name: string) => {
  const json = readFileSync(`${FOLDER}/${name}`, 'utf8');
  return Worker.runReplayHistory(
    { workflowBundle: workflowBundle() },
    historyFromJSON(JSON.parse(json)),
    workflowIdOf(json),
  );
};

describe('C8.9 open turns survive an upgrade', () => {
  it('keeps a history of every way a turn goes', () => {
    for (const way of [
      'plain-answer',
      'parallel-out-of-order',
      'approval-time-out',
      'cancel-in-mid-batch',
      'continue-as-new',
      'crash-and-retry',
    ]) {
      expect(NAMES).toContain(`${way}.json`);
    }
  });

  it.each(NAMES)('replays %s', async (name) => {
    await expect(replay(name)).resolves.toBeUndefined();
  });

  it('refuses a history whose effects came in another order', async () => {
    await expect(replay('must-be-refused.json')).rejects.toThrow(DeterminismViolationError);
  });
});
