// A turn that outgrows one history: it continues as new between iterations, and nobody notices (C8.9).
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { until } from '../support/until.ts';
import { type Engine, expectSound, startEngine } from './support/engine.ts';
import { call, scriptOf } from './support/script.ts';

const ITERATIONS = 150;
/** A result and arguments of this many characters go through every iteration, by reference. */
const BULK = 3_000;

let engine: Engine;
beforeAll(async () => {
  engine = await startEngine({
    script: scriptOf({}, [
      { when: { first_user: { equals: 'long' }, step: 1 }, calls: [call('act', { name: 'asked-first' })] },
      {
        when: { first_user: { equals: 'long' } },
        loop: {
          iterations: ITERATIONS,
          calls: [call('look', { name: `{{iteration}}-${'x'.repeat(BULK)}` })],
          answer: { say: 'done after {{iteration}}' },
        },
      },
    ]),
    agent: '    max_tool_iterations: 1000',
  });
});
afterAll(() => engine.close());

type HistoryEvent = { size: number; starts: boolean };

/** The size of each event of one run, and whether it schedules a provider call. */
async function historyOf(turnId: string, runId: string): Promise<HistoryEvent[]> {
  const { events } = await engine.client.workflow.getHandle(`turn-${turnId}`, runId).fetchHistory();
  return (events ?? []).map((event) => ({
    size: JSON.stringify(event).length,
    starts: event.activityTaskScheduledEventAttributes?.activityType?.name === 'callProvider',
  }));
}

/** Size of each whole iteration: from one provider call to the next. */
function iterationSizes(events: HistoryEvent[]): number[] {
  const sizes: number[] = [];
  for (const { size, starts } of events) {
    if (starts) sizes.push(0);
    if (sizes.length > 0) sizes[sizes.length - 1] = (sizes.at(-1) ?? 0) + size;
  }
  return sizes.slice(0, -1);
}

it('C8.9 a long turn continues as new with all that it needs, and its history stays flat', async () => {
  const turnId = `t${randomUUID()}`;
  // Near the end it waits until everything has been asked of its second run.
  const gate = engine.gates.hold('transcript.openStep', turnId, ITERATIONS);
  await engine.start('long', { turnId });
  const { runId } = await engine.handle(turnId).describe();
  const question = await engine.question(turnId);
  const decisionId = randomUUID();
  expect(await engine.decide(question, 'approve', { decisionId })).toBe('accepted');
  const early = randomUUID();
  await engine.steer(turnId, 'steered early', early);

  const shots: string[] = [];
  const look = async () => {
    const { runId: now, historyLength } = await engine.handle(turnId).describe();
    // Messages by signal rain on the hand-over (B139): senders of signals are not held back.
    if (now === runId && historyLength > 1_400) {
      shots.push(`shot ${shots.length + 1}`);
      await engine.handle(turnId).signal('steer', { id: randomUUID(), text: shots.at(-1) });
    }
    return now;
  };
  const next = await until(look, (id) => id !== runId, 'the turn to continue as new', 50_000);
  const handle = engine.handle(turnId);
  // Ids of the run before are known: a repeat does nothing, and is answered as before (B142).
  const message = { approvalId: question.approvalId, decisionId };
  expect(await handle.executeUpdate('decideApproval', { args: [message] })).toEqual({ state: 'accepted' });
  expect(await handle.executeUpdate('steerTurn', { args: [{ id: early }] })).toEqual({ state: 'repeated' });
  await engine.steer(turnId, 'steered late');
  gate.open();

  const row = await engine.ended(turnId);
  expect(row).toMatchObject({ status: 'completed', answer: `done after ${ITERATIONS}` });
  await expectSound(engine, turnId);
  expect(await engine.runs('asked-first')).toBe(1);
  const results = await engine.results(turnId);
  expect(results).toHaveLength(row.iteration - 1);
  expect(new Set(results.map(({ text }) => text)).size).toBe(results.length);
  const said = (await engine.entries(turnId)).flatMap((entry) => (entry.kind === 'user' ? [entry.text] : []));
  expect(said).toEqual(['long', 'steered early', ...shots, 'steered late']);
  expect(shots.length).toBeGreaterThan(0);

  const sizes = iterationSizes(await historyOf(turnId, runId));
  expect(sizes.length).toBeGreaterThan(90);
  const of = (at: number) => sizes.slice(at, at + 10).reduce((sum, size) => sum + size, 0) / 10;
  // Flat: only the digits of counters grow. (The last iterations also hold the messages above.)
  expect(Math.abs(of(80) - of(10))).toBeLessThan(0.1 * of(10));
  const [started] = (await engine.client.workflow.getHandle(`turn-${turnId}`, next).fetchHistory()).events ?? [];
  expect(JSON.stringify(started).length).toBeLessThan(32 * 1024);
}, 120_000);
