// A thousand turns that wait for approvals: what they hold, and what becomes of them.
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Client, Connection } from '@temporalio/client';
import { atMost, type Figure, reported } from './figures.ts';
import { HOLD } from './hold-tools.ts';
import { type LiveStage, openLive } from './live-stage.ts';

const PARKED = 1_000;

export async function parkedFigures(): Promise<Figure[]> {
  const stage = await openLive({
    tools: HOLD,
    script: 'responses: [{ calls: [{ name: risky, arguments: {} }] }, { say: done }]',
  });
  try {
    const from = performance.now();
    const ids = await inTurns(
      PARKED,
      20,
      async () => (await stage.client.startTurn({ text: 'go', approvals: 'park' })).turnId,
    );
    const open = await allOpen(stage);
    const parked = performance.now() - from;
    const [worker, server] = [stage.workerPid(), stage.dev.ready.pids.temporal ?? 0].map(rssOf);
    const held = await heldSlots(stage);
    const began = performance.now();
    await inTurns(open.length, 20, async (index) => {
      const { approvalId, argumentHash } = open[index] as (typeof open)[number];
      await stage.client.approvals.decide(approvalId, { argumentHash, choice: 'approve', decisionId: randomUUID() });
    });
    const lost = await unfinished(stage, ids);
    const rest = performance.now() - began;
    return [
      atMost(`${PARKED} turns parked on approvals: activity slots held`, held, 0, ''),
      atMost(`… then all approved: turns lost`, lost, 0, ''),
      reported(
        '… time to park all, to approve and complete all',
        `${(parked / 1000).toFixed(0)} s, ${(rest / 1000).toFixed(0)} s`,
      ),
      reported('… memory of worker and Temporal server while parked', `${worker} MB, ${server} MB`),
    ];
  } finally {
    await stage.close();
  }
}

async function allOpen(stage: LiveStage): Promise<{ approvalId: string; argumentHash: string }[]> {
  for (;;) {
    const all: { approvalId: string; argumentHash: string }[] = [];
    let cursor: string | undefined;
    do {
      const page = await stage.client.approvals.list({ state: 'open', ...(cursor ? { cursor } : {}) });
      all.push(...page.items);
      cursor = page.next;
    } while (cursor);
    if (all.length === PARKED) return all;
    await breath(200);
  }
}

/** Pending activities of parked turns, by Temporal's own word, over a sample. */
async function heldSlots(stage: LiveStage): Promise<number> {
  const connection = await Connection.connect({ address: stage.dev.ready.temporal });
  const client = new Client({ connection });
  let held = 0;
  const { items } = await stage.client.listTurns({ status: 'open' });
  for (const { workflowId } of items)
    held += (await client.workflow.getHandle(workflowId).describe()).raw.pendingActivities?.length ?? 0;
  await connection.close();
  return held;
}

async function unfinished(stage: LiveStage, ids: string[]): Promise<number> {
  const deadline = performance.now() + 300_000;
  for (;;) {
    const { items } = await stage.client.listTurns({ status: 'open' });
    if (items.length === 0 || performance.now() > deadline) break;
    await breath(200);
  }
  let lost = 0;
  await inTurns(ids.length, 20, async (index) => {
    if ((await stage.client.getTurn(ids[index] as string)).status !== 'completed') lost += 1;
  });
  return lost;
}

function rssOf(pid: number): number {
  const [, pages = '0'] = readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ');
  return Math.round((Number(pages) * 4096) / 1024 / 1024);
}

async function inTurns<T>(count: number, atOnce: number, work: (index: number) => Promise<T>): Promise<T[]> {
  const results: T[] = [];
  let next = 0;
  const lane = async () => {
    while (next < count) {
      const index = next++;
      results[index] = await work(index);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, lane));
  return results;
}

const breath = (ms = 4) => new Promise((resolve) => setTimeout(resolve, ms));
