// Messages from outside (C5.5, C8.3, C8.10): every shape is taken, refused or ignored; none is lost, none counts twice.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { withCancel } from '../../core/cancel.ts';
import { answerFate, readAnswer, readSteer, steerFate, withAnswer, withControl, withSteer } from '../../core/inbox.ts';
import { withEnding } from '../../core/loop-control.ts';
import type { TurnState } from '../../core/turn-state.ts';
import { acceptedOf, answered, begunTurn, filledWith, GATED, inRound, NOW, replyOf } from './turn-build.ts';
import { askedAs, Stage } from './turn-stage.ts';

const CANCEL = { by: 'alice', reason: '', at: NOW, native: false };
const steered = (state: TurnState, ...ids: string[]): TurnState =>
  ids.reduce((now, id) => withSteer(now, { id }), state);

describe('C5.5 reading a message', () => {
  it('a signal of any shape is read or ignored, and never throws', () => {
    fc.assert(
      fc.property(fc.anything(), (raw) => {
        const [answer, steer] = [readAnswer(raw), readSteer(raw)];
        if (answer) expect(Object.keys(answer).sort()).toEqual(['approvalId', 'decisionId']);
        if (steer) expect(steer.id.length).toBeGreaterThan(0);
      }),
      { numRuns: 2_000 },
    );
  });

  it.each([
    null,
    undefined,
    '',
    7,
    [],
    {},
    { approvalId: 'a' },
    { decisionId: 'd' },
    { approvalId: 'a', decisionId: '' },
  ])('%j is no answer', (raw) => expect(readAnswer(raw)).toBeUndefined());

  it('takes nothing over from an answer but its two ids', () => {
    expect(readAnswer({ approvalId: 'a', decisionId: 'd', choice: 'approve' })).toEqual({
      approvalId: 'a',
      decisionId: 'd',
    });
  });

  it.each([
    { id: '' },
    { id: 'x'.repeat(129) },
    { id: 7 },
    { text: 'no id' },
    { id: 'a', text: ' \n' },
    { id: 'a', text: 7 },
  ])('%j is no steering message', (raw) => expect(readSteer(raw)).toBeUndefined());

  it('C9.6 a raw text is at most 4 KiB of bytes', () => {
    expect(readSteer({ id: 'a', text: 'é'.repeat(2_048) })).toMatchObject({ id: 'a' });
    expect(readSteer({ id: 'a', text: `${'é'.repeat(2_048)}x` })).toBeUndefined();
    expect(readSteer({ id: 'a', text: '😀'.repeat(1_025) })).toBeUndefined();
  });
});

describe('C8.3 steering', () => {
  it('waits in the order of arrival, and counts once', () => {
    expect(steered(begunTurn(), 'a', 'b', 'a').inbox).toEqual([{ id: 'a' }, { id: 'b' }]);
    expect(steerFate(steered(begunTurn(), 'a'), { id: 'a' })).toBe('repeated');
  });

  it('is refused beyond 32, and one that came by signal all the same is kept', () => {
    const full = steered(begunTurn(), ...Array.from({ length: 32 }, (_, n) => `s${n}`));
    expect(steerFate(full, { id: 'one-more' })).toBe('full');
    expect(withSteer(full, { id: 'one-more' }).inbox).toHaveLength(33);
  });

  it('is refused once a cancel was accepted, and from the start of the end', () => {
    const atTheEnd = withEnding(answered(begunTurn(), replyOf([])));
    for (const state of [withCancel(begunTurn(), CANCEL), atTheEnd]) {
      expect(steerFate(state, { id: 'a' })).toBe('ended');
      expect(steered(state, 'a').inbox).toEqual([{ id: 'a' }]);
    }
  });

  it('is taken while the model is asked and while a round is open', () => {
    expect(steerFate(inRound([GATED]), { id: 'a' })).toBe('taken');
  });

  it('C8.9 the last 256 ids are known again', () => {
    const state = steered(begunTurn(), ...Array.from({ length: 300 }, (_, n) => `s${n}`));
    expect(state.seen).toHaveLength(256);
    expect(steerFate(state, { id: 's299' })).toBe('repeated');
  });
});

describe('C5.5 answers', () => {
  const first = { approvalId: askedAs('c1-0'), decisionId: 'A' };
  const second = { approvalId: askedAs('c1-0'), decisionId: 'B' };

  it('to nothing that is open: not taken', () => {
    for (const state of [begunTurn(), inRound([{}, {}])]) {
      expect(answerFate(state, first).kind).toBe('not-open');
      expect(withAnswer(state, first)).toBe(state);
    }
  });

  it('are queued once each, in the order of arrival', () => {
    const state = [first, second, first].reduce(withAnswer, inRound([GATED]));
    expect(state.answers).toEqual([first, second]);
    expect(answerFate(state, first).kind).toBe('waits');
  });

  it('a decision that is sent to another question does not stand in its way', () => {
    const elsewhere = { approvalId: askedAs('c1-1'), decisionId: 'A' };
    const state = [elsewhere, first].reduce(withAnswer, inRound([GATED, { ...GATED, args: 2 }]));
    expect(state.answers).toEqual([elsewhere, first]);
    const stage = new Stage([GATED, { ...GATED, args: 2 }]);
    stage.decide(first.approvalId, 'A');
    stage.settled(first.approvalId, acceptedOf('A', filledWith('denied')));
    expect(answerFate(stage.state, elsewhere).kind).toBe('waits');
  });

  it('the second of two is told who was first, and leaves no trace in the queue', () => {
    const stage = new Stage([GATED, { ...GATED, args: 2 }]);
    stage.decide(first.approvalId, 'A');
    stage.decide(second.approvalId, 'B');
    stage.settled(first.approvalId, acceptedOf('A', filledWith('denied')));
    expect(stage.state.answers).toEqual([]);
    expect(answerFate(stage.state, second)).toEqual({
      kind: 'known',
      answer: { state: 'already_decided', by: 'alice', at: '2026-01-01T00:00:00.000Z' },
    });
  });

  it('a flood for a closed question keeps no room from an open one', () => {
    const stage = new Stage([GATED, { ...GATED, args: 2 }]);
    for (let n = 0; n < 64; n += 1) stage.decide(first.approvalId, `flood-${n}`);
    stage.settled(first.approvalId, acceptedOf('flood-0', filledWith('denied')));
    stage.decide(askedAs('c1-1'), 'mine');
    expect(stage.only('settle').request.answer).toEqual({ kind: 'decision', decisionId: 'mine' });
  });

  it('one that was discarded is told why, and may come again', () => {
    const stage = new Stage([GATED]);
    stage.decide(first.approvalId, 'A');
    stage.settled(first.approvalId, { outcome: 'discarded', reason: 'no such decision' });
    expect(answerFate(stage.state, first)).toEqual({
      kind: 'known',
      answer: { state: 'invalid', reason: 'no such decision' },
    });
    expect(answerFate(stage.state, second).kind).toBe('waits');
    stage.decide(first.approvalId, 'A');
    expect(stage.pendingKeys('settle')).toEqual([first.approvalId]);
  });

  it.each([
    [
      { outcome: 'late', by: 'bob', at: 'noon', state: 'decided' },
      { state: 'already_decided', by: 'bob', at: 'noon' },
    ],
    [{ outcome: 'late', by: 'everturn', at: 'noon', state: 'expired' }, { state: 'expired' }],
    [{ outcome: 'late', by: 'everturn', at: 'noon', state: 'withdrawn' }, { state: 'withdrawn' }],
  ] as const)('%j: sender and later senders are told so, and nothing runs', (settled, answer) => {
    const stage = new Stage([GATED, { ...GATED, args: 2 }]);
    stage.decide(first.approvalId, 'A');
    stage.settled(first.approvalId, settled);
    for (const each of [first, second]) expect(answerFate(stage.state, each)).toEqual({ kind: 'known', answer });
    expect(stage.starts()).toEqual({});
  });

  it('C8.9 the last 64 are known', () => {
    const stage = new Stage(Array.from({ length: 64 }, (_, args) => ({ ...GATED, args })));
    for (let n = 0; n < 64; n += 1) {
      stage.decide(askedAs(`c1-${n}`), `D${n}`);
      stage.settled(askedAs(`c1-${n}`), acceptedOf(`D${n}`, filledWith('denied')));
    }
    const fates = [0, 63].map((n) => answerFate(stage.state, { approvalId: askedAs(`c1-${n}`), decisionId: `D${n}` }));
    expect(fates).toEqual([0, 63].map(() => ({ kind: 'known', answer: { state: 'accepted' } })));
  });
});

describe('C8.10 pause and resume', () => {
  it('a pause that is older than the last resume is stale', () => {
    const resumed = withControl(begunTurn(), 'resumed', 20);
    expect(withControl(resumed, 'paused', 10).pause.held).toBe(false);
    expect(withControl(resumed, 'paused', 21).pause.held).toBe(true);
  });

  it('an older resume does not make a newer one forgotten', () => {
    const state = withControl(withControl(begunTurn(), 'resumed', 20), 'resumed', 5);
    expect(state.pause).toEqual({ held: false, resumedAt: 20 });
  });
});
