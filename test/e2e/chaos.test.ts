// Many turns at once, and everything that people may do to them, at points drawn by chance: each ends once and whole.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { QuestionRow } from '../../store/api.ts';
import { until } from '../support/until.ts';
import { type Engine, expectSound, startEngine } from './support/engine.ts';
import { call, scriptOf } from './support/script.ts';

const TURNS = Number(process.env.CHAOS_TURNS ?? 12);
/** Draws depend on it alone; when a run fails, its seed is in the message. */
const seed = Number(process.env.CHAOS_SEED ?? Date.now() % 1_000_000);

let engine: Engine;
beforeAll(async () => {
  const named = (tool: string, part: string) => call(tool, { name: `{{first_user}}-${part}{{iteration}}` });
  engine = await startEngine({
    script: scriptOf({}, [
      {
        when: { first_user: { contains: 'chaos' } },
        loop: {
          iterations: 3,
          calls: [named('look', 'a'), named('act', 'b'), named('act', 'c'), named('look', 'd')],
          answer: { say: ['All ', 'done.'] },
        },
      },
    ]),
    agent: '    cancel_grace: 1s',
  });
});
afterAll(() => engine.close());

/** Mulberry32: small, and the same on every machine. */
function chance(from: number) {
  let state = from;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number) => Math.floor(next() * limit);
  return { below, oneOf: <T>(list: readonly T[]): T => list[below(list.length)] as T };
}

type Chance = ReturnType<typeof chance>;
type Told = { turnId: string; accepted: Map<string, string>; steered: Map<string, string>; cancelled: boolean };

const openOf = async (turnId: string): Promise<QuestionRow[]> =>
  (await engine.store.questions.list({ turnId, state: 'open' })).items;

async function decide(told: Told, question: QuestionRow, choice: string): Promise<void> {
  const more = choice === 'replace' ? { text: 'by hand' } : {};
  const fate = await engine.decide(question, choice, more);
  if (fate === 'accepted') told.accepted.set(question.approvalId, choice);
}

const DEEDS: Record<string, (told: Told, draw: Chance) => Promise<void>> = {
  approve: async (told, draw) => {
    const open = await openOf(told.turnId);
    if (open.length > 0) await decide(told, draw.oneOf(open), 'approve');
  },
  refuse: async (told, draw) => {
    const open = await openOf(told.turnId);
    if (open.length > 0) await decide(told, draw.oneOf(open), draw.oneOf(['deny', 'replace']));
  },
  race: async (told) => {
    const open = await openOf(told.turnId);
    await Promise.all(open.flatMap((each) => ['approve', 'deny'].map((choice) => decide(told, each, choice))));
  },
  steer: async (told) => {
    const id = randomUUID();
    const answer = await engine.steer(told.turnId, `word ${id}`, id);
    told.steered.set(id, answer.kind);
  },
  garbage: async ({ turnId }) => {
    await engine
      .handle(turnId)
      .signal('decide', { approvalId: `${turnId}.c1-1`, decisionId: randomUUID() })
      .catch(() => {});
  },
  lose: async ({ turnId }) => {
    const [running] = await engine.store.ledger.openAttempts({ turnId });
    if (!running) return;
    const call = { workflowId: `turn-${turnId}`, activityId: running.activityId };
    await engine.client.activity.fail(call, new Error('WorkerLost')).catch(() => {});
  },
  cancel: async (told) => {
    told.cancelled = (await engine.cancel(told.turnId)).kind === 'cancelled' || told.cancelled;
  },
};

/** Some deeds, each after some more of the turn's events. */
async function harass(told: Told, draw: Chance): Promise<void> {
  const deeds = ['approve', 'approve', 'approve', 'refuse', 'race', 'steer', 'steer', 'garbage', 'lose'];
  let seen = 0;
  for (let left = 3 + draw.below(8); left > 0; left--) {
    const [before, wanted] = [seen, seen + 1 + draw.below(4)];
    const look = async () => ({
      events: (await engine.events(told.turnId)).length,
      still: (await openOf(told.turnId)).length > 0 || (await engine.turn(told.turnId)).endedAt !== undefined,
    });
    seen = (await until(look, ({ events, still }) => events >= wanted || (still && events >= before), 'an event'))
      .events;
    await DEEDS[draw.below(25) === 0 ? 'cancel' : draw.oneOf(deeds)]?.(told, draw);
  }
}

async function toTheEnd(told: Told): Promise<void> {
  for (;;) {
    const row = await engine.turn(told.turnId);
    if (row.endedAt !== undefined) return;
    const open = await until(
      async () => ({ questions: await openOf(told.turnId), row: await engine.turn(told.turnId) }),
      ({ questions, row: now }) => questions.length > 0 || now.endedAt !== undefined,
      'a question or the end',
    );
    for (const question of open.questions) await decide(told, question, 'approve');
  }
}

async function expectHonest(told: Told): Promise<void> {
  const { turnId, accepted, steered, cancelled } = told;
  await expectSound(engine, turnId);
  const row = await engine.turn(turnId);
  expect(row.status).toBe(cancelled ? 'cancelled' : 'completed');
  expect(await engine.closed(turnId)).toBe(cancelled ? 'CANCELLED' : 'COMPLETED');
  for (const slot of await engine.slots(turnId)) {
    if (slot.tool !== 'act') continue;
    const question = await engine.store.questions.get(`${turnId}.${slot.callId}`);
    const choice = question?.decision?.choice;
    const told = accepted.get(question?.approvalId ?? '');
    if (told !== undefined) expect(choice).toBe(told);
    const runs = await engine.runs(/name: (\S+)/.exec(slot.summary)?.[1] ?? '');
    // `once` means once, and never without an approval.
    expect(runs).toBeLessThanOrEqual(choice === 'approve' ? 1 : 0);
    if (slot.status === 'done') expect(runs).toBe(1);
  }
  const read = (await engine.entries(turnId)).flatMap((entry) => (entry.kind === 'user' ? [entry.text] : []));
  for (const [id, kind] of steered) {
    const steer = await engine.store.steering.get(id);
    expect(steer?.state).not.toBe('pending');
    expect(read.filter((text) => text === `word ${id}`)).toHaveLength(steer?.state === 'taken' ? 1 : 0);
    if (steer?.state !== 'taken' && !cancelled) expect(kind).toBe('ended');
  }
}

it('every turn ends once and whole, whatever is done to it and whenever', async () => {
  const play = async (nth: number) => {
    const turnId = `t${randomUUID()}`;
    const told: Told = { turnId, accepted: new Map(), steered: new Map(), cancelled: false };
    await engine.start(`chaos-${nth}`, { turnId });
    await harass(told, chance(seed + nth));
    await toTheEnd(told);
    await expectHonest(told);
  };
  const plays = await Promise.allSettled(Array.from({ length: TURNS }, (_, nth) => play(nth)));
  const faults = plays.flatMap((each, nth) =>
    each.status === 'rejected' ? [`turn ${nth} of seed ${seed}: ${String(each.reason)}`] : [],
  );
  expect(faults).toEqual([]);
}, 120_000);
