// A whole engine for one test: its own folder, store, task queue and worker, on the run's Temporal server.

import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTemporalDesk, type TemporalDesk } from '../../client/temporal.ts';
import type { Loaded } from '../../config/check.ts';
import type { Config } from '../../config/config.ts';
import { loadSealKeys, type SealKeys } from '../../config/deployment-key.ts';
import { loadConfig } from '../../config/load.ts';
import { heldValues, loadSecrets } from '../../config/secrets.ts';
import type { TurnEvent } from '../../core/events.ts';
import { createScrubber } from '../../core/redact.ts';
import type { NewTurn, Store, TurnRow } from '../../store/api.ts';
import { openStore } from '../../store/open.ts';
import { type RunningWorker, startWorker } from '../../workers/main.ts';
import { temporalAddress } from './engine.ts';
import { until } from './until.ts';

export type StackOptions = {
  /** Responses of the scripted provider (docs/scripted-provider.md). */
  script: string;
  /** YAML lines under `agents.main`, indented by four spaces. */
  agent?: string;
  /** Further top-level YAML. */
  config?: string;
  /** Source of a tool module. */
  tools?: string;
  /** What the worker gets instead of the store itself, to hold a write back; the test's own `store` stays as it is. */
  workerStore?: (store: Store) => Store;
  /** No worker of this process: the test starts its own processes. */
  idle?: boolean;
};

export type Stack = {
  folder: string;
  workspace: string;
  config: Config;
  loaded: Loaded;
  store: Store;
  keys: SealKeys;
  desk: TemporalDesk;
  temporal: { address: string; namespace: string; taskQueue: string };
  worker: RunningWorker;
  /** Another worker on the same folder, store and task queue; `close` ends it too. */
  addWorker: () => Promise<RunningWorker>;
  start: (text: string, more?: Partial<NewTurn>) => Promise<string>;
  turn: (turnId: string) => Promise<TurnRow>;
  ended: (turnId: string) => Promise<TurnRow>;
  events: (turnId: string) => Promise<TurnEvent[]>;
  file: (name: string) => Promise<string>;
  close: () => Promise<void>;
};

export async function startStack(options: StackOptions): Promise<Stack> {
  const folder = await mkdtemp(join(tmpdir(), 'everturn-stack-'));
  const loaded = await writeConfig(folder, options);
  const { config } = loaded;
  const loadedKeys = await loadSealKeys(config);
  if (loadedKeys.kind === 'error') throw new Error(loadedKeys.message);
  const { keys } = loadedKeys;
  const secrets = await loadSecrets(config);
  const scrubber = createScrubber(heldValues(secrets, keys));
  const store = await openStore({ url: `sqlite:${config.store.path}`, keys, render: (text) => scrubber.scrub(text) });
  const temporal = { address: temporalAddress(), namespace: 'default', taskQueue: `q-${randomUUID()}` };
  const desk = createTemporalDesk(temporal);
  await desk.prepare();
  const workers: RunningWorker[] = [];
  const addWorker = async () => {
    const identity = `test-${randomUUID()}`;
    const workerStore = options.workerStore?.(store) ?? store;
    const added = await startWorker({ config, store: workerStore, keys, secrets, temporal, identity, log: () => {} });
    workers.push(added);
    return added;
  };
  const worker = options.idle ? NO_WORKER : await addWorker();
  const turn = async (turnId: string) => (await store.turns.get(turnId)) as TurnRow;
  return {
    folder,
    config,
    loaded,
    store,
    keys,
    desk,
    temporal,
    worker,
    addWorker,
    turn,
    workspace: join(folder, 'workspace'),
    start: (text, more) => startTurn(store, desk, text, more),
    ended: (turnId) =>
      until(
        () => turn(turnId),
        (row) => row.endedAt !== undefined,
        `turn ${turnId} to end`,
      ),
    events: (turnId) => store.events.after(turnId, 0, 10_000),
    file: (name) => readFile(join(folder, 'workspace', name), 'utf8'),
    close: async () => {
      await Promise.all(workers.map((each) => each.shutdown()));
      await desk.close();
      await store.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

const NO_WORKER: RunningWorker = { identity: 'none', stopped: Promise.resolve(), shutdown: async () => {} };

async function startTurn(store: Store, desk: TemporalDesk, text: string, more: Partial<NewTurn> = {}): Promise<string> {
  const turnId = more.turnId ?? `t${randomUUID()}`;
  const made = await store.turns.enqueue({
    agent: 'main',
    text,
    origin: { surface: 'cli', by: 'test' },
    ...more,
    turnId,
  });
  if (made.kind === 'conflict') throw new Error('conflict');
  const fate = await desk.start({
    turnId,
    agent: 'main',
    origin: 'cli',
    summary: text,
    ...(more.session ? { session: more.session } : {}),
  });
  if (fate.kind !== 'started') throw new Error(`not started: ${JSON.stringify(fate)}`);
  return turnId;
}

async function writeConfig(folder: string, { script, agent = '', config = '', tools }: StackOptions): Promise<Loaded> {
  await writeFile(join(folder, 'script.yaml'), script);
  if (tools !== undefined) await writeFile(join(folder, 'tools.ts'), tools);
  const yaml = `version: 1
data: .everturn
providers:
  play:
    kind: scripted
    script: script.yaml
    models:
      small: { native_tools: true }
agents:
  main:
    model: play/small
    workspace: ./workspace
${agent}
${tools === undefined ? '' : 'tools: { modules: [./tools.ts] }\n'}${config}`;
  await shareBundle(folder);
  const file = join(folder, 'everturn.yaml');
  await writeFile(file, yaml);
  const loaded = await loadConfig({ path: file, env: {} });
  if (loaded.kind !== 'ok') throw new Error(JSON.stringify(loaded, null, 2));
  return loaded;
}

/** The bundle of the workflows is named by their content: one for all stacks saves each a second. */
async function shareBundle(folder: string): Promise<void> {
  const shared = join(tmpdir(), 'everturn-test-bundles');
  await mkdir(shared, { recursive: true });
  await mkdir(join(folder, '.everturn'), { recursive: true, mode: 0o700 });
  await symlink(shared, join(folder, '.everturn', 'cache'));
}
