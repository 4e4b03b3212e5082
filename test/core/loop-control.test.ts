// Between iterations (C8.1–C8.3, C8.9–C8.11): what is asked next, and how a turn ends.
import { describe, expect, it } from 'vitest';
import { withCancel } from '../../core/cancel.ts';
import { withControl, withSteer } from '../../core/inbox.ts';
import { withAsked, withBegun, withCutReply, withEnding, withLostReply, withReply } from '../../core/loop-control.ts';
import type { Reply } from '../../core/ports.ts';
import { nextMove } from '../../core/turn.ts';
import { NOTHING, newTurn, type TurnState } from '../../core/turn-state.ts';
import {
  acceptedOf,
  answered,
  begunOf,
  begunTurn,
  callOf,
  filledWith,
  GATED,
  moveOf,
  NOW,
  replyOf,
  requestOf,
  TURN,
  USAGE,
} from './turn-build.ts';
import { askedAs, Stage } from './turn-stage.ts';

const ERROR = { type: 'ProviderFailed', message: 'every entry failed' } as const;
const CANCEL = { by: 'alice', reason: '', at: NOW, native: false };
const steered = (state: TurnState, ...ids: string[]) => ids.reduce((now, id) => withSteer(now, { id }), state);
const ended = (state: TurnState) => withEnding(state).phase;
const read = () => replyOf([callOf(1, 0, { facts: { blocked: 'no' } })]);

describe('C8.1 the beginning', () => {
  it('asks for the beginning, then for the model', () => {
    expect(nextMove(newTurn(TURN), NOW)).toEqual({ kind: 'begin' });
    expect(requestOf(begunTurn())).toMatchObject({
      step: 1,
      scheduling: 1,
      iteration: 1,
      mode: 'normal',
      parentHead: 'h0',
    });
  });

  it('a text that came with the start does not travel on', () => {
    const state = withBegun(newTurn(TURN, { agent: 'main', text: 'long' }), begunOf());
    expect(JSON.stringify(state)).not.toContain('long');
  });

  it('a turn that was cancelled before it began ends so', () => {
    const state = withBegun(newTurn(TURN), begunOf({}, { cancel: { by: 'alice', reason: 'queued' } }));
    expect(nextMove(state, NOW).kind).toBe('finish');
    expect(ended(state)).toMatchObject({ outcome: { status: 'cancelled' } });
  });

  it('C8.10 a deployment that is paused holds it', () => {
    const paused = withBegun(newTurn(TURN), begunOf({}, { pausedAt: 10 }));
    expect(nextMove(paused, NOW)).toEqual({ kind: 'wait', until: null });
    const resumed = withBegun(withControl(newTurn(TURN), 'resumed', 20), begunOf({}, { pausedAt: 10 }));
    expect(nextMove(resumed, NOW).kind).toBe('call-provider');
  });

  it('an agent that is gone fails it, with its error', () => {
    const state = withBegun(newTurn(TURN), { kind: 'failed', error: { type: 'ConfigurationGone', message: 'gone' } });
    expect([nextMove(state, NOW).kind, state.phase]).toMatchObject([
      'finish',
      { outcome: { error: { message: 'gone' } } },
    ]);
  });

  it.each(['begin', 'reply'])('a row that was ended from outside ends it (%s)', (when) => {
    const closed = { kind: 'closed', outcome: { status: 'cancelled', stopReason: 'cancelled', usage: USAGE } } as const;
    const state = when === 'begin' ? withBegun(newTurn(TURN), closed) : answered(begunTurn(), closed);
    expect(nextMove(state, NOW)).toEqual({ kind: 'return', outcome: closed.outcome });
  });
});

describe('C8.2 the cap', () => {
  const capped = (rounds: number) => {
    let state = begunTurn({ knobs: { maxToolIterations: 2 } });
    for (let n = 0; n < rounds; n += 1) state = answered(state, read());
    return state;
  };

  it('is a summary without tools, at the iteration of the cap', () => {
    expect(requestOf(capped(1))).toMatchObject({ mode: 'normal', iteration: 2 });
    expect(requestOf(capped(2))).toMatchObject({ mode: 'summary', iteration: 2, step: 3 });
  });

  it('C8.11 then it completes, with a note that names the cap', () => {
    const state = answered(capped(2), replyOf([], { note: 'Answered by the fallback b/c.' }));
    expect(ended(state)).toMatchObject({
      outcome: { status: 'completed', stopReason: 'iteration_cap' },
      note: expect.stringMatching(/max_tool_iterations \(2\).*fallback b\/c/),
    });
  });

  it('a call that comes back is not run', () => {
    const state = answered(capped(2), replyOf([callOf(3, 0)]));
    expect(ended(state)).toMatchObject({ outcome: { stopReason: 'iteration_cap' } });
  });

  it('if the summary fails, the error names the cap', () => {
    const state = answered(capped(2), { kind: 'failed', head: 'h', error: ERROR });
    expect(state.phase).toMatchObject({
      outcome: {
        status: 'failed',
        error: { type: 'IterationCap', message: expect.stringMatching(/max_tool_iterations/) },
      },
    });
  });

  it('C8.3 steering that comes in at the cap is answered, by one more summary', () => {
    const state = steered(answered(capped(2), replyOf([])), 's');
    expect(requestOf(state)).toMatchObject({ mode: 'summary', iteration: 2, append: { steering: [{ id: 's' }] } });
  });

  const unasked: Reply[] = [
    { kind: 'held', why: 'paused', at: NOW, head: 'h0' },
    { kind: 'unavailable', why: 'another store' },
  ];
  it.each(unasked)('what was not asked is no iteration: $kind', (reply) => {
    const state = withControl(answered(begunTurn(), reply), 'resumed', NOW);
    expect([state.iteration, state.step, state.scheduling]).toEqual([0, 0, 1]);
    expect(requestOf(state, NOW + 3_600_000)).toMatchObject({ iteration: 1, step: 1, scheduling: 2 });
  });

  it.each(unasked)('at the cap neither: $kind', (reply) => {
    const state = withControl(answered(capped(2), reply), 'resumed', NOW);
    expect(requestOf(state, NOW + 3_600_000)).toMatchObject({ iteration: 2, mode: 'summary' });
  });
});

describe('C8.3 steering', () => {
  it('rides on the next call, after the round, in order', () => {
    const state = steered(answered(begunTurn(), read()), 'a', 'b');
    expect(requestOf(state).append).toMatchObject({ round: { step: 1 }, steering: [{ id: 'a' }, { id: 'b' }] });
  });

  it('that comes with the answer is answered in this turn', () => {
    const state = steered(answered(begunTurn(), replyOf([])), 'late');
    expect(requestOf(state)).toMatchObject({ step: 2, append: { fills: [], steering: [{ id: 'late' }] } });
    expect(requestOf(state).append.round).toBeUndefined();
  });

  it('that comes between the decision to ask and the asking waits for the next call', () => {
    const state = steered(begunTurn(), 'a');
    const request = requestOf(state);
    const asked = withAsked(steered(state, 'b'), request);
    expect(asked.inbox).toEqual([{ id: 'b' }]);
    const replied = withReply(asked, { request, now: NOW }, replyOf([]));
    expect(requestOf(replied).append.steering).toEqual([{ id: 'b' }]);
  });

  it('of a call that wrote nothing waits again, first of all', () => {
    const state = steered(answered(steered(begunTurn(), 'a'), { kind: 'unavailable', why: 'store' }), 'b');
    expect(state.inbox).toEqual([{ id: 'a' }, { id: 'b' }]);
    expect(requestOf(state, NOW + 3_600_000).append.steering).toEqual([{ id: 'a' }, { id: 'b' }]);
  });

  it('T9 of a call that was held is in the transcript already', () => {
    const held = answered(steered(answered(begunTurn(), read()), 'a'), {
      kind: 'held',
      why: 'paused',
      at: NOW,
      head: 'h7',
    });
    expect(requestOf(withControl(held, 'resumed', NOW))).toMatchObject({
      parentHead: 'h7',
      append: { fills: [], steering: [], notes: [] },
    });
  });

  it('the turn ends with an empty inbox only', () => {
    const answer = answered(begunTurn(), replyOf([]));
    expect(nextMove(answer, NOW).kind).toBe('finish');
    expect(nextMove(steered(answer, 's'), NOW).kind).toBe('call-provider');
  });
});

describe('C8.10 flags of the store', () => {
  it('a pause holds the next call until it is resumed', () => {
    const held = answered(begunTurn(), { kind: 'held', why: 'paused', at: NOW, head: 'h0' });
    expect(nextMove(held, NOW)).toEqual({ kind: 'wait', until: null });
    expect(nextMove(withControl(held, 'resumed', NOW + 1), NOW).kind).toBe('call-provider');
  });

  it.each(['estop', 'cancelled'] as const)('%s ends it', (why) => {
    const held = answered(begunTurn(), { kind: 'held', why, at: NOW, head: 'h0' });
    expect(ended(held)).toMatchObject({ outcome: { status: 'cancelled' } });
  });

  it('a hold that the turn knows to be lifted is asked about again, and never in a hurry', () => {
    let state = withControl(begunTurn(), 'resumed', NOW);
    let now = NOW;
    for (let asked = 0; asked < 30; asked += 1) {
      state = answered(state, { kind: 'held', why: 'paused', at: NOW - 1, head: 'h0' }, now);
      const { until } = moveOf(state, 'wait', now);
      now = until as number;
    }
    expect(now - NOW).toBeGreaterThan(20 * 60_000);
  });

  it('a store that is not the one it knows is looked at again, more and more rarely, and nothing is lost', () => {
    let state = answered(begunTurn(), read());
    const { append } = requestOf(state);
    const waits: number[] = [];
    let now = NOW;
    for (let asked = 0; asked < 5; asked += 1) {
      state = answered(state, { kind: 'unavailable', why: 'another' }, now);
      const until = moveOf(state, 'wait', now).until as number;
      waits.push(until - now);
      now = until;
    }
    expect(waits).toEqual([2_000, 10_000, 30_000, 60_000, 60_000]);
    expect(requestOf(state, now).append).toEqual(append);
    const back = answered(state, replyOf([]), now);
    expect(back.retry).toEqual({ until: 0, count: 0 });
  });
});

describe('C8.4, C8.11 endings', () => {
  it('an answer', () => {
    expect(ended(answered(begunTurn(), replyOf([], { note: 'hm' })))).toMatchObject({
      outcome: { status: 'completed', stopReason: 'answer', usage: USAGE },
      note: 'hm',
    });
  });

  it('a provider that fails: failed, with what was done so far', () => {
    const state = answered(begunTurn(), { kind: 'failed', head: 'h9', error: ERROR });
    expect(state.phase).toMatchObject({ at: 'ending', cutStep: 1, outcome: { status: 'failed', error: ERROR } });
    expect(state.head).toBe('h9');
  });

  it('a call that was lost for good fails; one that a cancel cut is cancelled; both leave their step to be closed', () => {
    const state = steered(answered(begunTurn(), read()), 's');
    const request = requestOf(state);
    const asked = withAsked(state, request);
    expect(withLostReply(asked, request, 'lost').phase).toMatchObject({
      cutStep: 2,
      append: request.append,
      outcome: { stopReason: 'error' },
    });
    expect(withCutReply(asked, request).phase).toMatchObject({
      cutStep: 2,
      append: request.append,
      outcome: { stopReason: 'cancelled' },
    });
  });

  it('a cancel at the boundary: cancelled, and the round is recorded', () => {
    const state = withCancel(answered(begunTurn(), read()), CANCEL);
    expect(ended(state)).toMatchObject({ append: { round: { step: 1 } }, outcome: { status: 'cancelled' } });
  });

  it('a cancel after the answer, before the end was decided: cancelled', () => {
    const paused = withControl(steered(answered(begunTurn(), replyOf([])), 's'), 'paused', NOW);
    const state = withCancel(paused, CANCEL);
    expect([nextMove(state, NOW).kind, ended(state)]).toMatchObject(['finish', { outcome: { status: 'cancelled' } }]);
  });

  it('a cancel after the end was decided changes nothing here: the store decides', () => {
    const ending = withEnding(answered(begunTurn(), replyOf([])));
    expect(withCancel(ending, CANCEL).phase).toEqual(ending.phase);
  });

  it('usage of all calls is summed', () => {
    const state = answered(answered(begunTurn(), read()), replyOf([]));
    expect(ended(state)).toMatchObject({ outcome: { usage: { inputTokens: 20, outputTokens: 10 } } });
  });
});

describe('C8.9 handing over', () => {
  it('happens at a boundary, before the next call, and nowhere else', () => {
    const boundary = answered(begunTurn(), read());
    expect(nextMove(boundary, NOW, true).kind).toBe('hand-over');
    expect(nextMove(answered(begunTurn(), replyOf([])), NOW, true).kind).toBe('finish');
    expect(nextMove(withControl(boundary, 'paused', NOW), NOW, true).kind).toBe('wait');
    const stage = new Stage([GATED]);
    expect(nextMove(stage.state, stage.now, true).kind).toBe('wait');
  });

  it('the next run goes on with the very same call', () => {
    const state = steered(answered(begunTurn(), read()), 's');
    const carried = JSON.parse(JSON.stringify(state)) as TurnState;
    expect(nextMove(carried, NOW)).toEqual(nextMove(state, NOW));
  });

  it('a large load goes to the store first', () => {
    let state = answered(begunTurn(), read());
    for (let n = 0; n < 8; n += 1) state = withSteer(state, { id: `s${n}`, text: 'x'.repeat(4_000) });
    expect(nextMove(state, NOW, true).kind).toBe('call-provider');
    expect(nextMove(answered(state, read()), NOW, true).kind).toBe('hand-over');
  });

  it('is at most 32 KiB whoever fills its lists, with the longest ids and words', () => {
    const stage = new Stage(Array.from({ length: 64 }, (_, args) => ({ ...GATED, name: 'p'.repeat(64), args })));
    for (let n = 0; n < 128; n += 1) {
      const [approvalId, decisionId] = [askedAs(`c1-${n % 64}`), `${n}`.padEnd(128, 'd')];
      stage.decide(approvalId, decisionId);
      const verdict = acceptedOf(decisionId, filledWith('denied'), 'b'.repeat(200));
      stage.settled(approvalId, n < 64 ? { outcome: 'discarded', reason: 'r'.repeat(2_000) } : verdict);
    }
    for (let n = 0; n < 300; n += 1) stage.fold((state) => withSteer(state, { id: `${n}`.padEnd(128, 's') }));
    stage.announced();
    stage.says([{ facts: { blocked: 'x'.repeat(200) } }]);
    stage.says([{ facts: { blocked: 'x'.repeat(200) } }]);
    expect(nextMove({ ...stage.state, phase: { at: 'boundary', append: NOTHING } }, stage.now, true).kind).toBe(
      'hand-over',
    );
    expect(Buffer.byteLength(JSON.stringify(stage.state))).toBeLessThanOrEqual(32 * 1024);
  });

  it('is at most 32 KiB with every list full', () => {
    const id = (n: number) => `01hzabcdefghijklmnopqr${String(n).padStart(4, '0')}`;
    let state = answered(
      begunTurn(),
      replyOf(Array.from({ length: 8 }, (_, slot) => callOf(1, slot, { facts: { blocked: 'x'.repeat(200) } }))),
    );
    for (let n = 0; n < 320; n += 1) {
      state = withSteer(state, { id: id(n), by: 'alice@example.test' });
      if (n < 288) state = { ...state, inbox: [] };
    }
    const decided = Array.from({ length: 64 }, (_, n) => ({
      decisionId: id(n),
      approvalId: `${id(9999)}.c12-${n}`,
      answer: { state: 'accepted' } as const,
      by: 'alice@example.test',
      at: '2026-01-01T00:00:00.000Z',
    }));
    const refused = Array.from({ length: 32 }, (_, n) => ({
      key: `shell:${id(n)}0123456789`,
      by: 'alice@example.test',
      repeats: 1,
    }));
    state = { ...state, turnId: id(9999), decided, refused };
    expect([state.seen.length, state.inbox.length, state.decided.length]).toEqual([256, 32, 64]);
    expect(nextMove(state, NOW, true).kind).toBe('hand-over');
    expect(Buffer.byteLength(JSON.stringify(state))).toBeLessThanOrEqual(32 * 1024);
  });
});
