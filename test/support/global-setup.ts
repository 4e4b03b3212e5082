// Once per run of the `engine` tests: bundles the workflows into a temporary file and starts one Temporal server.
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleWorkflowCode } from '@temporalio/worker';
import type { TestProject } from 'vitest/node';
import { startTemporalServer } from './temporal-server.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** `host:port` of the run's Temporal server. */
    temporalAddress: string;
    /** File with the bundled workflows; empty when they could not be bundled (see `workflowBundleError`). */
    workflowBundlePath: string;
    /** Why there is no bundle; empty when there is one. */
    workflowBundleError: string;
  }
}

const workflows = fileURLToPath(new URL('../../workflows/index.ts', import.meta.url));

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'everturn-test-'));
  const [server, bundle] = await Promise.all([startTemporalServer(), bundleInto(join(folder, 'workflows.cjs'))]);
  project.provide('temporalAddress', server.address);
  project.provide('workflowBundlePath', bundle.path);
  project.provide('workflowBundleError', bundle.error);
  return async () => {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  };
}

/** A failed bundle is handed on as text: tests that need no workflow still run, the others say why they cannot. */
async function bundleInto(path: string): Promise<{ path: string; error: string }> {
  if (!existsSync(workflows)) return { path: '', error: 'workflows/index.ts does not exist' };
  try {
    const said: string[] = [];
    const keep = (message: string) => void said.push(message);
    const logger = { log: keep, trace: keep, debug: keep, info: keep, warn: keep, error: keep };
    const { code } = await bundleWorkflowCode({ workflowsPath: workflows, logger });
    await writeFile(path, code);
    return { path, error: '' };
  } catch (error) {
    return { path: '', error: error instanceof Error ? error.message : String(error) };
  }
}
