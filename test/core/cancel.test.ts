// A cancel meets a call in each of its states (C6.5, C8.4).
import { describe, expect, it } from 'vitest';
import { withControl } from '../../core/inbox.ts';
import { acceptedOf, callOf, filledWith, GATED, NOW, runs, WRITES } from './turn-build.ts';
import { askedAs, FULL, Stage, UNKNOWN, unknownAsked } from './turn-stage.ts';

describe('C6.5 a cancel meets a call', () => {
  const fill = (stage: Stage) => stage.only('end').request.append.fills[0];

  it('that is ready or asked: interrupted, it did not run', () => {
    const stage = new Stage([GATED, WRITES, { ...WRITES, args: 2 }]);
    stage.stop();
    expect(stage.shown()).toMatchObject({ 'c1-0': 'interrupted', 'c1-1': 'running', 'c1-2': 'interrupted' });
  });

  it('that runs: its result is kept when it comes within the grace', () => {
    const stage = new Stage([WRITES]);
    stage.stop();
    stage.pass(4_999);
    stage.toolDone('c1-0');
    expect(stage.only('end').request.append.fills).toEqual([]);
  });

  it('that runs on: after the grace the ledger is asked, and nobody waits for it any more', () => {
    const stage = new Stage([GATED], FULL);
    stage.stop();
    stage.pass(4_999);
    expect(stage.pendingKeys('resolve')).toEqual([]);
    stage.pass(1);
    expect(stage.only('resolve').request.request.mode).toBe('cancel');
    stage.give('resolve', 'c1-0', { kind: 'unknown' });
    expect(fill(stage)).toMatchObject({ status: 'unknown', began: true });
    stage.toolDone('c1-0');
    expect(stage.only('end').request.outcome.stopReason).toBe('cancelled');
  });

  it.each([
    ['with an effect', GATED, { status: 'unknown', began: true }],
    ['without one', {}, { status: 'interrupted', began: true }],
  ])('that was lost %s', (_, call, expected) => {
    const stage = new Stage([call], FULL);
    stage.toolDone('c1-0', { kind: 'lost' });
    stage.stop();
    stage.give('resolve', 'c1-0', { kind: 'unknown' });
    expect(fill(stage)).toMatchObject(expected);
  });

  it('that is being resolved as never begun: it did not run, and is not begun again', () => {
    const stage = new Stage([GATED], FULL);
    stage.toolDone('c1-0', { kind: 'lost' });
    stage.stop();
    stage.give('resolve', 'c1-0', { kind: 'again' });
    expect(fill(stage)).toMatchObject({ status: 'interrupted', began: false });
    expect(stage.starts()).toEqual({ 'c1-0': 1 });
  });

  it.each(['before', 'after'])('%s its attempt was found begun and was given up: never "did not run"', (when) => {
    const stage = new Stage([WRITES]);
    stage.toolDone('c1-0', { kind: 'lost' });
    if (when === 'before') stage.stop();
    else stage.fold((state) => withControl(state, 'paused', NOW));
    stage.give('resolve', 'c1-0', { kind: 'again', began: true });
    if (when === 'after') stage.stop();
    expect(fill(stage)).toMatchObject({ callId: 'c1-0', status: 'unknown', began: true });
  });

  it.each([
    ['while it is asked', () => {}],
    ['while a discarded answer is settled', (stage: Stage) => stage.decide(UNKNOWN, 'X')],
  ])('of unknown outcome, %s: it stays unknown', (_, before) => {
    const stage = unknownAsked();
    before(stage);
    stage.stop();
    if (stage.pendingKeys('settle').length > 0) stage.settled(UNKNOWN, { outcome: 'discarded', reason: 'forged' });
    stage.announced();
    expect(fill(stage)).toMatchObject({ status: 'unknown', began: true });
  });

  it('of unknown outcome that an operator wanted tried again: still unknown', () => {
    const stage = unknownAsked();
    stage.decide(UNKNOWN, 'R');
    stage.fold((state) => withControl(state, 'paused', NOW));
    stage.settled(UNKNOWN, acceptedOf('R', { kind: 'retry' }));
    stage.stop();
    stage.announced();
    expect(fill(stage)).toMatchObject({ status: 'unknown', began: true });
  });

  it('that is being approved: settled, and not begun', () => {
    const stage = new Stage([GATED]);
    stage.decide(askedAs('c1-0'), 'D');
    stage.stop();
    stage.settled(askedAs('c1-0'), acceptedOf('D', runs(callOf(1, 0, GATED))));
    stage.announced();
    expect([fill(stage), stage.starts()]).toMatchObject([{ status: 'interrupted', began: false }, {}]);
  });

  it('that is being denied: the denial stands', () => {
    const stage = new Stage([GATED]);
    stage.decide(askedAs('c1-0'), 'D');
    stage.stop();
    stage.settled(askedAs('c1-0'), acceptedOf('D', filledWith('denied')));
    stage.announced();
    expect(stage.only('end').request.append.fills).toEqual([]);
  });

  it('the first cancel stays', () => {
    const stage = new Stage([WRITES]);
    stage.stop();
    stage.cancel({ by: 'bob', reason: 'again', native: true });
    expect(stage.state.cancel).toMatchObject({ by: 'alice', native: false });
  });
});
