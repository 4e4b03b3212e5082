// `everturn dev` as a user starts it, for figures that need its supervisor and its gateway.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readDevRecord } from '../../cli/dev/dev-record.ts';
import { createClient, type EverturnClient } from '../../client/client.ts';
import type { TurnEvent } from '../../core/events.ts';
import { type Dev, startDev } from '../demo/dev.ts';

export type LiveStage = {
  folder: string;
  dev: Dev;
  client: EverturnClient;
  workerPid: () => number;
  close: () => Promise<void>;
};

export type LivePlan = {
  script?: string;
  providers?: string;
  model?: string;
  agent?: string;
  tools?: string;
  more?: string;
};

export async function writeLiveFolder(plan: LivePlan): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'everturn-live-'));
  await writeFile(join(folder, 'script.yaml'), plan.script ?? 'responses: [{ say: done }]');
  if (plan.tools !== undefined) await writeFile(join(folder, 'tools.mjs'), plan.tools);
  const scripted = '  play: { kind: scripted, script: script.yaml, models: { small: { native_tools: true } } }';
  const yaml = `version: 1
data: .everturn
providers:
${plan.providers ?? scripted}
agents:
  main:
    model: ${plan.model ?? 'play/small'}
    workspace: ./workspace
${plan.agent ?? ''}
${plan.tools === undefined ? '' : 'tools: { modules: [./tools.mjs] }'}
${plan.more ?? ''}
`;
  await writeFile(join(folder, 'everturn.yaml'), yaml);
  return folder;
}

export async function openLive(plan: LivePlan): Promise<LiveStage> {
  const folder = await writeLiveFolder(plan);
  const dev = await startDev(join(folder, 'everturn.yaml'));
  return {
    folder,
    dev,
    client: createClient({ url: dev.ready.gateway, token: dev.ready.token }),
    workerPid: () => readDevRecord(join(folder, '.everturn'))?.children.worker?.pid ?? Number.NaN,
    close: async () => {
      await dev.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Reads a turn's events in the background; `seen` resolves when one of that kind has come, with the moment it came. */
export function watchTurn(client: EverturnClient, turnId: string) {
  const events: { event: TurnEvent; at: number }[] = [];
  const waiting = new Set<() => void>();
  const done = (async () => {
    for await (const event of client.events(turnId)) {
      events.push({ event, at: performance.now() });
      for (const wake of waiting) wake();
    }
  })();
  done.catch(() => {});
  const seen = (is: (event: TurnEvent) => boolean): Promise<number> =>
    new Promise((resolve) => {
      const look = () => {
        const found = events.find(({ event }) => is(event));
        if (!found) return;
        waiting.delete(look);
        resolve(found.at);
      };
      waiting.add(look);
      look();
    });
  return { events, done, seen };
}
