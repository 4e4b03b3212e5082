// A round from "prepared" to "all closed" (C4.11, C5.5, C6.2, C6.5): announcing, settling, running, losing, waiting.
import { describe, expect, it } from 'vitest';
import { withAnswer, withControl } from '../../core/inbox.ts';
import {
  withAnnounced,
  withFate,
  withRecorded,
  withRecording,
  withStarted,
  withToolAnswer,
} from '../../core/round-fold.ts';
import { withSettled, withSettling } from '../../core/settle-fold.ts';
import { nextMove } from '../../core/turn.ts';
import {
  ASKS,
  acceptedOf,
  callOf,
  filledWith,
  GATED,
  inRound,
  kindsOf,
  moveOf,
  NOW,
  requestOf,
  resultOf,
  runs,
  slotsOf,
  WAITS,
} from './turn-build.ts';
import { askedAs, FULL, Stage, UNKNOWN, unknownAsked } from './turn-stage.ts';

describe('C4.9, C4.11 what readers must hear of', () => {
  it('questions at once, and fills beside calls that go on; each once', () => {
    const stage = new Stage([GATED, {}, { facts: { blocked: 'no' } }, WAITS]);
    const announced = stage.moves.flatMap((move) => (move.kind === 'announce' ? [move.request] : []));
    expect(announced.flatMap((each) => each.questions.map((q) => q.callId))).toEqual(['c1-0']);
    expect(announced.flatMap((each) => each.fills.map((fill) => fill.callId))).toEqual(['c1-2']);
    stage.toolDone('c1-1');
    const starts = stage.moves.flatMap((move) => (move.kind === 'announce' ? move.request.starts : []));
    expect(starts).toEqual(['c1-3']);
  });

  it('fills of a round that is over ride on the next call, not on one of their own', () => {
    const state = inRound([{ facts: { blocked: 'no' } }]);
    expect(requestOf(state).append.fills).toMatchObject([{ callId: 'c1-0', status: 'blocked' }]);
  });

  it('T9 what was announced is not appended again; what was only announced as started is', () => {
    const stage = new Stage([{ facts: { blocked: 'no' } }, WAITS]);
    stage.stop();
    stage.announced();
    const { append } = stage.only('end').request;
    expect(append.fills).toMatchObject([{ callId: 'c1-1', status: 'interrupted', began: true }]);
  });

  it('an announcement that comes to no round changes nothing', () => {
    const state = inRound([{ facts: { blocked: 'no' } }]);
    const request = { turnId: '', step: 1, policyHash: '', questions: [], starts: [], fills: [] };
    expect(withAnnounced(state, request)).toBe(state);
  });
});

describe('C5.5, T6 settling', () => {
  it('an early answer is settled before its question was written', () => {
    const state = withAnswer(inRound([GATED]), { approvalId: askedAs('c1-0'), decisionId: 'D' });
    const { request } = moveOf(state, 'announce');
    expect(nextMove(withAnnounced(state, request), NOW).kind).toBe('settle');
  });

  it('an answer goes before the clock, also at its time; meanwhile no question expires', () => {
    const stage = new Stage([GATED, { ...GATED, args: 2 }]);
    stage.decide(askedAs('c1-0'), 'A');
    stage.decide(askedAs('c1-1'), 'B');
    stage.pass(300_000);
    expect(stage.pendingKeys('settle')).toEqual([askedAs('c1-0')]);
    stage.settled(askedAs('c1-0'), acceptedOf('A', filledWith('denied')));
    expect(stage.only('settle').request.answer).toEqual({ kind: 'decision', decisionId: 'B' });
  });

  it('nothing is awaited by the clock while one is settled: a question that is over expires then', () => {
    const stage = new Stage([GATED, { ...GATED, args: 2 }]);
    stage.decide(askedAs('c1-0'), 'A');
    stage.now += 300_000;
    expect(nextMove(stage.state, stage.now)).toEqual({ kind: 'wait', until: null });
    stage.settled(askedAs('c1-0'), acceptedOf('A', filledWith('denied')));
    expect(stage.only('settle').request).toMatchObject({ question: { callId: 'c1-1' }, answer: { kind: 'expired' } });
  });

  it('one that is discarded at its time expires at once', () => {
    const stage = new Stage([GATED]);
    stage.decide(askedAs('c1-0'), 'forged');
    stage.pass(300_000);
    stage.settled(askedAs('c1-0'), { outcome: 'discarded', reason: 'forged' });
    expect(stage.only('settle').request.answer).toEqual({ kind: 'expired' });
  });

  it('C5.3 an edit runs with the new hash, summary and facts, under its decision', () => {
    const stage = new Stage([GATED]);
    const facts = { ...callOf(1, 0, GATED).facts, reasons: ['edited'] };
    stage.decide(askedAs('c1-0'), 'E');
    const verdict = { kind: 'run', argumentHash: 'new', edited: { summary: 'new', facts } } as const;
    stage.settled(askedAs('c1-0'), acceptedOf('E', verdict));
    expect(stage.only('tool').request).toMatchObject({
      request: { decisionId: 'E', attempt: 1 },
      call: { callId: 'c1-0', argumentHash: 'new', summary: 'new', facts: { reasons: ['edited'] } },
    });
  });

  it.each([
    ['retry', GATED, askedAs('c1-0'), { kind: 'retry' }],
    ['continue', GATED, askedAs('c1-0'), { kind: 'continue' }],
    ['run', ASKS, `${askedAs('c1-0')}.q`, { kind: 'run', argumentHash: 'x' }],
  ] as const)('T5 a verdict that does not fit its question lets nothing run: %s', (_, call, approvalId, verdict) => {
    const stage = new Stage([call]);
    stage.decide(approvalId, 'D');
    stage.settled(approvalId, acceptedOf('D', verdict));
    expect([stage.questions(), stage.starts()]).toEqual([[approvalId], {}]);
  });

  it('a settlement that comes after its round changes no slot', () => {
    const state = inRound([{ facts: { blocked: 'no' } }]);
    const question = { approvalId: 'a', kind: 'tool', callId: 'c1-0', askedAt: 0, expiresAt: 0 } as const;
    const request = { turnId: '', policyHash: '', question, answer: { kind: 'expired' } } as const;
    expect(withSettling(state, request)).toEqual(state);
    expect(withSettled(state, request, acceptedOf('', filledWith('expired'))).phase).toEqual(state.phase);
  });
});

describe('C6.2 lost calls', () => {
  it('the ledger is asked before anything else, in the mode of the turn', () => {
    const stage = new Stage([GATED], { ...FULL, knobs: { onUnknown: 'ask' } });
    stage.toolDone('c1-0', { kind: 'lost' });
    expect(stage.only('resolve').request.request).toMatchObject({ step: 1, slot: 0, attempt: 1, mode: 'ask' });
  });

  it('one that never began is begun again, as the next attempt', () => {
    const stage = new Stage([GATED], FULL);
    stage.toolDone('c1-0', { kind: 'lost' });
    stage.give('resolve', 'c1-0', { kind: 'again' });
    expect(stage.only('tool').request.request.attempt).toBe(2);
  });

  it('one that never begins is tried more and more rarely, and given up in the end', () => {
    const stage = new Stage([GATED], FULL);
    const began = stage.now;
    for (let attempt = 1; attempt <= 20; attempt += 1) {
      expect(stage.only('tool').request.request.attempt).toBe(attempt);
      stage.toolDone('c1-0', { kind: 'lost' });
      stage.give('resolve', 'c1-0', { kind: 'again' });
      if (stage.pendingKeys('tool').length === 0) stage.pass(60_000);
    }
    expect(stage.now - began).toBeGreaterThan(10 * 60_000);
    expect(stage.only('provider').request.append.fills).toMatchObject([{ status: 'interrupted', began: false }]);
  });

  it('C5.11 an unknown outcome is asked about, each time anew, and expires as unknown', () => {
    const stage = unknownAsked();
    stage.decide(UNKNOWN, 'R');
    stage.settled(UNKNOWN, acceptedOf('R', { kind: 'retry' }));
    stage.toolDone('c1-0', { kind: 'lost' });
    stage.give('resolve', 'c1-0', { kind: 'unknown' });
    expect(stage.questions()).toEqual([`${askedAs('c1-0')}.u2`]);
    stage.pass(300_000);
    stage.settled(`${askedAs('c1-0')}.u2`, acceptedOf('', filledWith('unknown', 'timeout'), 'timeout'));
    stage.announced();
    expect(stage.only('provider').request.append).toMatchObject({ round: { step: 1 }, fills: [] });
    expect(stage.state.refused).toEqual([]);
  });

  it('a retry runs under the decision that let the call run', () => {
    const stage = new Stage([GATED], { knobs: { onUnknown: 'ask' } });
    stage.decide(askedAs('c1-0'), 'D');
    stage.settled(askedAs('c1-0'), acceptedOf('D', runs(callOf(1, 0, GATED))));
    stage.toolDone('c1-0', { kind: 'lost' });
    stage.give('resolve', 'c1-0', { kind: 'unknown' });
    stage.decide(UNKNOWN, 'R');
    stage.settled(UNKNOWN, acceptedOf('R', { kind: 'retry' }));
    expect(stage.only('tool').request.request).toMatchObject({ attempt: 2, decisionId: 'D' });
  });

  it('a fate that nobody asked for changes nothing', () => {
    const state = inRound([GATED, {}]);
    expect(withFate(state, 0, { kind: 'again' }, NOW)).toBe(state);
    expect(withFate(state, 9, { kind: 'again' }, NOW)).toBe(state);
  });

  it('only the attempt that is awaited is heard', () => {
    const state = withStarted(inRound([{}, {}]), [0], NOW);
    for (const at of [
      { slot: 0, attempt: 2 },
      { slot: 1, attempt: 1 },
      { slot: 7, attempt: 1 },
    ])
      expect(withToolAnswer(state, { ...at, now: NOW }, { kind: 'lost' })).toBe(state);
  });
});

describe('C8.10 held and unavailable', () => {
  it('a call that a pause of the store kept from beginning is no attempt, and holds the turn', () => {
    const stage = new Stage([{}, { args: 2 }]);
    stage.toolDone('c1-0', { kind: 'held', why: 'paused', at: NOW });
    expect([stage.state.pause.held, stage.shown()]).toMatchObject([true, { 'c1-0': 'empty', 'c1-1': 'running' }]);
    stage.toolDone('c1-1');
    expect(nextMove(stage.state, stage.now)).toEqual({ kind: 'wait', until: null });
    stage.fold((state) => withControl(state, 'resumed', NOW + 1));
    stage.pump();
    expect(stage.only('tool').request.request.attempt).toBe(1);
  });

  it('while paused, running calls end, timers end, answers are settled, lost calls are resolved; nothing starts', () => {
    const stage = new Stage([GATED, { args: 1 }, WAITS, { args: 2 }], { knobs: { maxParallelTools: 1 } });
    stage.fold((state) => withControl(state, 'paused', NOW));
    stage.decide(askedAs('c1-0'), 'D');
    stage.settled(askedAs('c1-0'), acceptedOf('D', runs(callOf(1, 0, GATED))));
    stage.toolDone('c1-1', { kind: 'lost' });
    stage.give('resolve', 'c1-1', { kind: 'again' });
    expect(kindsOf(stage.state)).toEqual(['ready', 'ready', 'ready', 'ready']);
    expect(stage.pending.filter((each) => each.kind !== 'announce')).toEqual([]);
  });

  it.each([{ kind: 'held', why: 'paused', at: NOW } as const, { kind: 'unavailable', why: 'another store' } as const])(
    'what the turn cannot understand it tries again later, as the same attempt: $kind',
    (answer) => {
      const stage = new Stage([{}]);
      stage.fold((state) => withControl(state, 'resumed', NOW));
      for (let tries = 0; tries < 10; tries += 1) {
        stage.toolDone('c1-0', answer);
        const move = moveOf(stage.state, 'wait', stage.now);
        stage.pass((move.until as number) - stage.now);
        expect(stage.only('tool').request.request.attempt).toBe(1);
      }
      expect(stage.now - NOW).toBeGreaterThan(5 * 60_000);
    },
  );

  it('many that are held at once wait together', () => {
    const stage = new Stage(Array.from({ length: 8 }, (_, args) => ({ args })));
    stage.fold((state) => withControl(state, 'resumed', NOW));
    for (let slot = 0; slot < 8; slot += 1) stage.toolDone(`c1-${slot}`, { kind: 'held', why: 'paused', at: NOW - 1 });
    stage.pass(2_000);
    expect(stage.pendingKeys('tool')).toHaveLength(8);
  });

  it.each(['estop', 'cancelled'] as const)('%s cancels', (why) => {
    const stage = new Stage([{}, { args: 2 }]);
    stage.toolDone('c1-0', { kind: 'held', why, at: 0 });
    expect(stage.state.cancel).toMatchObject({ by: why, at: NOW });
    expect(stage.shown()).toEqual({ 'c1-0': 'interrupted', 'c1-1': 'running' });
  });
});

describe('C1.6 wait', () => {
  it('is carried out by the clock of the turn, recorded when it is over, and runs once', () => {
    const stage = new Stage([WAITS]);
    stage.announced();
    expect(nextMove(stage.state, stage.now)).toEqual({ kind: 'wait', until: NOW + 60_000 });
    stage.pass(60_000);
    const { request } = stage.only('record');
    expect(request.fills).toEqual([{ callId: 'c1-0', status: 'done', reason: 'Waited 60 s.', began: true }]);
    stage.answer(stage.only('record'), [resultOf()]);
    stage.pump();
    expect(stage.only('provider').request.append).toMatchObject({ round: { step: 1 }, fills: [] });
  });

  it('two that end together are recorded together, and a result that is missing leaves no slot behind', () => {
    const started = withStarted(inRound([WAITS, { ...WAITS, args: 2 }]), [0, 1], NOW);
    const { request } = moveOf(withAnnounced(started, moveOf(started, 'announce').request), 'record', NOW + 60_000);
    const ids = request.fills.map((fill) => fill.callId);
    const recording = withRecording(started, ids);
    expect(kindsOf(recording)).toEqual(['recording', 'recording']);
    expect(requestOf(withRecorded(recording, ids, [resultOf(), resultOf()])).append.fills).toEqual([]);
    expect(requestOf(withRecorded(recording, ids, [resultOf()])).append.fills).toEqual(request.fills);
  });

  it('waits for its approval first', () => {
    const stage = new Stage([WAITS], { access: { alwaysAsk: ['wait'] } });
    expect(slotsOf(stage.state)[0]?.is).toBe('asking');
    stage.decide(askedAs('c1-0'), 'D');
    stage.settled(askedAs('c1-0'), acceptedOf('D', runs(callOf(1, 0, WAITS))));
    expect(slotsOf(stage.state)[0]).toMatchObject({ is: 'timing', until: NOW + 60_000 });
  });
});
