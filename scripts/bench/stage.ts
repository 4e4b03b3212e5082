// The stage of the figures: a tuned Temporal server on a file, the engine's worker and the hand-written loop's, each a process.
import { type ChildProcess, fork, spawn } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client, Connection } from '@temporalio/client';
import { freePort, waitForPort } from '../../cli/dev/ports.ts';
import { temporalDevArgs } from '../../cli/dev/temporal-flags.ts';
import { findTemporalCli } from '../../cli/temporal-cli.ts';
import { loadSealKeys } from '../../config/deployment-key.ts';
import { loadConfig } from '../../config/load.ts';
import type { Store } from '../../store/api.ts';
import { openStore } from '../../store/open.ts';
import type { WorkerOrder } from './worker-process.ts';

export type Stage = {
  folder: string;
  address: string;
  client: Client;
  store: Store;
  engineQueue: string;
  handQueue: string;
  /** Starts an engine worker; more than one may run. */
  engineWorker: (identity: string) => Promise<ChildProcess>;
  handWorker: () => Promise<ChildProcess>;
  close: () => Promise<void>;
};

/** @param tuned false: without the poll-rate flag, to show what it is worth */
export async function openStage(options: {
  script: string;
  agent: string;
  tools: string;
  tuned?: boolean;
  /** Further top-level YAML. */
  more?: string;
}): Promise<Stage> {
  const folder = await mkdtemp(join(tmpdir(), 'everturn-bench-'));
  const port = await freePort();
  const address = `127.0.0.1:${port}`;
  const server = await startServer(folder, port, options.tuned ?? true);
  const config = await writeConfig(folder, options);
  const keys = await loadSealKeys(config);
  if (keys.kind === 'error') throw new Error(keys.message);
  const store = await openStore({ url: `sqlite:${config.store.path}`, keys: keys.keys });
  const connection = await Connection.connect({ address });
  const children: ChildProcess[] = [];
  const start = async (order: WorkerOrder) => {
    const child = await startWorkerProcess(order);
    children.push(child);
    return child;
  };
  return {
    folder,
    address,
    store,
    client: new Client({ connection }),
    engineQueue: 'engine',
    handQueue: 'hand',
    engineWorker: (identity) =>
      start({ kind: 'engine', config: join(folder, 'everturn.yaml'), address, taskQueue: 'engine', identity }),
    handWorker: () => start({ kind: 'hand-written', address, taskQueue: 'hand' }),
    close: async () => {
      for (const child of children) child.kill('SIGKILL');
      await connection.close();
      await store.close();
      server.kill('SIGKILL');
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function startServer(folder: string, port: number, tuned: boolean): Promise<ChildProcess> {
  const { path } = await findTemporalCli();
  const all = await temporalDevArgs({ ip: '127.0.0.1', port, dbFilename: join(folder, 'temporal.db') });
  const at = all.findIndex((each) => each.startsWith('history.transferProcessorMaxPollRPS'));
  const args = tuned || at < 0 ? all : [...all.slice(0, at - 1), ...all.slice(at + 1)];
  const server = spawn(path, args, { stdio: 'ignore' });
  await waitForPort({ host: '127.0.0.1', port }, 20_000);
  return server;
}

async function writeConfig(
  folder: string,
  { script, agent, tools, more = '' }: { script: string; agent: string; tools: string; more?: string },
) {
  await writeFile(join(folder, 'script.yaml'), script);
  await writeFile(join(folder, 'tools.mjs'), tools);
  await mkdir(join(folder, 'workspace'), { recursive: true });
  const yaml = `version: 1
data: .everturn
providers: { play: { kind: scripted, script: script.yaml, models: { small: { native_tools: true } } } }
agents:
  main:
    model: play/small
    workspace: ./workspace
${agent}
tools: { modules: [./tools.mjs] }
${more}
`;
  await writeFile(join(folder, 'everturn.yaml'), yaml);
  const loaded = await loadConfig({ path: join(folder, 'everturn.yaml'), env: {} });
  if (loaded.kind !== 'ok') throw new Error(JSON.stringify(loaded, null, 2));
  return loaded.config;
}

function startWorkerProcess(order: WorkerOrder): Promise<ChildProcess> {
  const file = fileURLToPath(new URL('./worker-process.ts', import.meta.url));
  const child = fork(file, [JSON.stringify(order)], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  return new Promise((resolve, reject) => {
    child.once('message', () => resolve(child));
    child.once('exit', (code) => reject(new Error(`A worker for the figures ended with ${code}.`)));
  });
}
