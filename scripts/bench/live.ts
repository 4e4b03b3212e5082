// What people feel: how soon a turn goes on after a kill, how soon a command is dead, how soon a byte is seen.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { TurnEvent } from '../../core/events.ts';
import { startDev } from '../demo/dev.ts';
import { atMost, type Figure, median, quantile, reported } from './figures.ts';
import { HOLD } from './hold-tools.ts';
import { type LiveStage, openLive, watchTurn, writeLiveFolder } from './live-stage.ts';

const isCall = (event: TurnEvent) => event.type === 'tool_call';
const isSecond = (event: TurnEvent) => event.type === 'iteration_started' && event.iteration === 2;

/** The worker is killed in a tool; the clock stops when the next step begins. */
export async function recoveryFigures(): Promise<Figure[]> {
  const stage = await openLive({
    tools: HOLD,
    script: 'responses: [{ calls: [{ name: hold, arguments: { ms: 90000 } }] }, { say: done }]',
  });
  try {
    const times: number[] = [];
    for (let round = 0; round < 20; round += 1) {
      const { turnId } = await stage.client.startTurn({ text: 'go' });
      const watch = watchTurn(stage.client, turnId);
      await watch.seen(isCall);
      const killed = performance.now();
      process.kill(stage.workerPid(), 'SIGKILL');
      times.push((await watch.seen(isSecond)) - killed);
      await watch.done;
    }
    return [
      atMost(
        'kill -9 of the worker in a tool → next step begins, under dev (median of 20)',
        median(times) / 1000,
        2,
        's',
      ),
      reported(
        '… fastest and slowest',
        `${(Math.min(...times) / 1000).toFixed(2)} / ${(Math.max(...times) / 1000).toFixed(2)} s`,
      ),
    ];
  } finally {
    await stage.close();
  }
}

/** The worker is killed while a call waits; the decision comes at once; the clock runs from the new worker's being up. */
export async function approvalRecoveryFigures(): Promise<Figure[]> {
  const stage = await openLive({
    tools: HOLD,
    script: 'responses: [{ calls: [{ name: risky, arguments: { ms: 1 } }] }, { say: done }]',
  });
  try {
    const times: number[] = [];
    for (let round = 0; round < 20; round += 1) times.push(await killAndApprove(stage));
    return [
      atMost(
        'kill -9 while the turn waits, then the decision → the tool starts, after the new worker is up (median of 20)',
        median(times) / 1000,
        2,
        's',
      ),
    ];
  } finally {
    await stage.close();
  }
}

async function killAndApprove(stage: LiveStage): Promise<number> {
  const { turnId } = await stage.client.startTurn({ text: 'go' });
  const watch = watchTurn(stage.client, turnId);
  await watch.seen((event) => event.type === 'approval_requested');
  const { items } = await stage.client.approvals.list({ turn: turnId, state: 'open' });
  const [open] = items;
  if (!open) throw new Error('no question is open');
  // The question is seen before its activity has ended; the turn waits when that has been heard, too.
  await breath(500);
  const old = stage.workerPid();
  process.kill(old, 'SIGKILL');
  while (existsSync(`/proc/${old}`)) await breath(1);
  const decided = stage.client.approvals.decide(open.approvalId, {
    argumentHash: open.argumentHash,
    choice: 'approve',
  });
  const up = await workerUp(stage, old);
  const started = await watch.seen(isCall);
  await Promise.all([decided, watch.done]);
  return Math.max(0, started - up);
}

/** Another worker is up, or the standby has taken over. */
async function workerUp(stage: LiveStage, old: number): Promise<number> {
  for (;;) {
    const pid = stage.workerPid();
    if (pid !== old && !Number.isNaN(pid)) return performance.now();
    await breath();
  }
}

export async function cancelFigures(): Promise<Figure[]> {
  const stage = await openLive({
    agent: '    policy: { auto_approve: [shell] }',
    script: 'responses: [{ calls: [{ name: shell, arguments: { command: "{{last_user}}" } }] }, { say: done }]',
  });
  try {
    const times: number[] = [];
    for (let round = 0; round < 50; round += 1) {
      const marker = `600.${process.pid}${round}`;
      const { turnId } = await stage.client.startTurn({ text: `sleep ${marker} && touch x` });
      while (!isRunning(marker)) await breath();
      const from = performance.now();
      await stage.client.cancel(turnId, 'enough');
      while (isRunning(marker)) await breath();
      times.push(performance.now() - from);
    }
    return [
      atMost('cancel → running shell command dead, whole group (p95 of 50)', quantile(times, 0.95) / 1000, 1.5, 's'),
      reported('… median', `${(median(times) / 1000).toFixed(2)} s`),
    ];
  } finally {
    await stage.close();
  }
}

function isRunning(marker: string): boolean {
  return readdirSync('/proc').some((pid) => {
    if (!/^\d+$/.test(pid) || Number(pid) === process.pid) return false;
    try {
      return readFileSync(join('/proc', pid, 'cmdline'), 'utf8').includes(marker);
    } catch {
      return false;
    }
  });
}

const STREAMS = 20;
const PIECES = 100;

/** Each piece of the model's text is the moment it was sent; a reader compares. */
export async function streamFigures(): Promise<Figure[]> {
  const model = await startClockModel();
  const stage = await openLive({
    model: 'clock/tick',
    providers: `  clock: { kind: openai-compatible, base_url: "http://127.0.0.1:${model.port}/v1", models: { tick: { native_tools: true } } }`,
  });
  try {
    const delays: number[] = [];
    await Promise.all(
      Array.from({ length: STREAMS }, async () => {
        const { turnId } = await stage.client.startTurn({ text: 'go' });
        for await (const event of stage.client.events(turnId)) {
          if (event.type !== 'text_delta') continue;
          for (const sent of event.text.trim().split(' ')) delays.push(performance.now() - Number(sent));
        }
      }),
    );
    return [
      atMost(`provider byte → SSE byte, ${STREAMS} live streams (p95)`, quantile(delays, 0.95), 50, 'ms'),
      reported('… median, and how many pieces', `${median(delays).toFixed(1)} ms, ${delays.length}`),
    ];
  } finally {
    await stage.close();
    model.close();
  }
}

async function startClockModel(): Promise<{ port: number; close: () => void }> {
  const chunk = (delta: object, finish: string | null) =>
    `data: ${JSON.stringify({ id: 'r', object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    let sent = 0;
    const timer = setInterval(() => {
      if (sent++ < PIECES) response.write(chunk({ content: `${performance.now()} ` }, null));
      else {
        clearInterval(timer);
        response.end(`${chunk({}, 'stop')}data: [DONE]\n\n`);
      }
    }, 50);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { port: (server.address() as AddressInfo).port, close: () => server.close() };
}

export async function readyFigures(): Promise<Figure[]> {
  const folder = await writeLiveFolder({});
  try {
    const times: number[] = [];
    for (let round = 0; round < 6; round += 1) {
      const from = performance.now();
      const dev = await startDev(join(folder, 'everturn.yaml'));
      // The first start is the cold one: it makes the files.
      if (round > 0) times.push(performance.now() - from);
      await dev.stop();
    }
    return [atMost('dev --json to ready, warm (median of 5)', median(times) / 1000, 5, 's')];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const breath = (ms = 4) => new Promise((resolve) => setTimeout(resolve, ms));
