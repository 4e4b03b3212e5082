/** The workflow bundle, made once for each content of the workflows: bundling takes a second that a restart must not pay. */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleWorkflowCode } from '@temporalio/worker';
import writeFileAtomic from 'write-file-atomic';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
/** What the bundle is made of. */
const ROOMS = ['core', 'workflows', 'workflows/steps'];

/** @returns the path of a file that holds the bundle; safe when several processes ask at once */
export async function workflowBundle(folder: string): Promise<{ codePath: string }> {
  const prebuilt = join(ROOT, 'workflow-bundle.cjs');
  if (existsSync(prebuilt)) return { codePath: prebuilt };
  const codePath = join(folder, `workflows-${await contentHash()}.cjs`);
  if (existsSync(codePath)) return { codePath };
  const { code } = await bundleWorkflowCode({ workflowsPath: workflowsPath(), logger: quiet });
  await mkdir(folder, { recursive: true });
  await writeFileAtomic(codePath, code);
  return { codePath };
}

export const workflowsPath = (): string => fileURLToPath(new URL(`../workflows/index${EXTENSION}`, import.meta.url));

/** Sources in a clone, compiled files in a package. */
const EXTENSION = import.meta.url.endsWith('.ts') ? '.ts' : '.js';

async function contentHash(): Promise<string> {
  const hash = createHash('sha256').update(sdkVersion());
  for (const room of ROOMS) {
    const names = (await readdir(join(ROOT, room))).filter((name) => name.endsWith(EXTENSION)).sort();
    for (const name of names) hash.update(`${room}/${name}\0`).update(await readFile(join(ROOT, room, name)));
  }
  return hash.digest('hex').slice(0, 16);
}

function sdkVersion(): string {
  const { version } = createRequire(import.meta.url)('@temporalio/workflow/package.json') as { version: string };
  return version;
}

const nothing = () => {};
const quiet = { log: nothing, trace: nothing, debug: nothing, info: nothing, warn: nothing, error: nothing };
