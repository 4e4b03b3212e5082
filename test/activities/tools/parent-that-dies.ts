// A process that runs one command as a worker does and then waits to be killed. Prints the group once the command has begun.
import { createProcessRunner } from '../../../activities/tools/launcher/process-runner.ts';
import { sandboxed } from '../../../activities/tools/sandbox.ts';
import { POLICY } from './workshop.ts';

const [workspace = '', command = '', wantsSandbox] = process.argv.slice(2);
const env = { PATH: process.env.PATH ?? '' };
const plain: [string, ...string[]] = ['/bin/sh', '-c', command];
const plan = wantsSandbox
  ? await sandboxed(plain, { workspace, policy: POLICY, ownState: [], env })
  : { command: plain };
let group = '';
const run = createProcessRunner({
  onGroup: async (led) => {
    group = JSON.stringify(led);
  },
  graceMs: 2500,
  signal: new AbortController().signal,
});
await run({
  command: plan.command,
  cwd: workspace,
  env,
  timeoutMs: 120_000,
  maxOutputBytes: 1000,
  onOutput: (_, text) => text.includes('begun') && console.log(group),
});
