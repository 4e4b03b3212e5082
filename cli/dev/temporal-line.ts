// The supervisor's own line to Temporal: waits until the namespace is there and workers poll, adds search attributes.
import { type Client, isGrpcServiceError } from '@temporalio/client';
import { pollingWorkers } from '../../client/temporal/look.ts';
import { ensureSearchAttributes, openTemporal, type TemporalTarget } from '../../client/temporal.ts';
import { CliError, EXIT } from '../exit.ts';
import { SUPERVISOR_IDENTITY } from './names.ts';

export type SupervisorLine = {
  client: Client;
  /** @throws CliError when the namespace does not come up in time */
  waitForNamespace: () => Promise<void>;
  /** What could not be added, and the command that would; undefined when all is well. */
  addSearchAttributes: () => Promise<{ why: string; command: string } | undefined>;
  waitForPoller: (identity: string) => Promise<void>;
  close: () => Promise<void>;
};

const WAIT_MS = 20_000;
const LOOK_AGAIN_MS = 25;

export function openSupervisorLine(target: TemporalTarget): SupervisorLine {
  const line = openTemporal({ ...target, identity: SUPERVISOR_IDENTITY });
  const { client } = line;
  return {
    client,
    waitForNamespace: () =>
      until(`namespace ${target.namespace} at ${target.address}`, async () => {
        await client.withDeadline(Date.now() + 2_000, () =>
          client.workflowService.describeNamespace({ namespace: target.namespace }),
        );
        return true;
      }),
    addSearchAttributes: async () => {
      const state = await ensureSearchAttributes(line);
      return state.registered ? undefined : { why: state.why, command: state.command };
    },
    waitForPoller: (identity) =>
      until(`the worker ${identity} in the task queue`, async () => (await pollingWorkers(line)).includes(identity)),
    close: () => line.close(),
  };
}

async function until(what: string, look: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + WAIT_MS;
  let last = '';
  while (Date.now() < deadline) {
    try {
      if (await look()) return;
    } catch (error) {
      last = isGrpcServiceError(error) ? error.details : error instanceof Error ? error.message : String(error);
    }
    await new Promise((resume) => setTimeout(resume, LOOK_AGAIN_MS));
  }
  throw new CliError(EXIT.failed, `Temporal did not show ${what} within ${WAIT_MS / 1_000} s. ${last}`.trim(), {
    code: 'temporal_unready',
    hint: 'Run `everturn doctor`.',
  });
}
