// What a query shows of a turn (C8.11, I5).
import { describe, expect, it } from 'vitest';
import { withControl } from '../../core/inbox.ts';
import { newTurn } from '../../core/turn-state.ts';
import { statusOf, viewOf } from '../../core/view.ts';
import { ASKS, acceptedOf, begunTurn, filledWith, GATED, inRound, NOW, resultOf, TURN } from './turn-build.ts';
import { askedAs, Stage } from './turn-stage.ts';

describe('C8.11 the status', () => {
  it('running: at the beginning, between iterations, while calls run', () => {
    for (const state of [newTurn(TURN), begunTurn(), inRound([{}, {}])]) expect(statusOf(state)).toBe('running');
  });

  it('waiting for an approval, for an answer; an approval counts more', () => {
    expect(statusOf(inRound([GATED]))).toBe('waiting_approval');
    expect(statusOf(inRound([ASKS]))).toBe('waiting_user');
    expect(statusOf(inRound([ASKS, GATED]))).toBe('waiting_approval');
  });

  it('an unknown outcome waits for an approval too', () => {
    const stage = new Stage([GATED], { access: { autonomy: 'full' }, knobs: { onUnknown: 'ask' } });
    stage.toolDone('c1-0', { kind: 'lost' });
    stage.give('resolve', 'c1-0', { kind: 'unknown' });
    expect(statusOf(stage.state)).toBe('waiting_approval');
  });

  it('C8.10 paused is shown before anything else, until it is resumed', () => {
    const paused = withControl(inRound([GATED]), 'paused', NOW);
    expect(statusOf(paused)).toBe('paused');
    expect(statusOf(withControl(paused, 'resumed', NOW))).toBe('waiting_approval');
  });

  it('once ended, what it ended as, paused or not', () => {
    const stage = new Stage([]);
    stage.answer(stage.only('end'), { outcome: stage.only('end').request.outcome, handedOn: 0 });
    stage.pump();
    expect(statusOf(withControl(stage.state, 'paused', NOW))).toBe('completed');
  });
});

it('I5 shows slots in the order of the model, and what is asked', () => {
  const stage = new Stage([GATED, { args: 1 }, { filled: resultOf('failed') }, { args: 1 }, { ...GATED, args: 5 }]);
  stage.toolDone('c1-1');
  stage.decide(askedAs('c1-0'), 'D');
  expect(viewOf(stage.state)).toEqual({
    turnId: TURN,
    status: 'waiting_approval',
    iteration: 1,
    step: 1,
    slots: [
      { callId: 'c1-0', tool: 'pay', status: 'waiting_approval' },
      { callId: 'c1-1', tool: 'read', status: 'done' },
      { callId: 'c1-2', tool: 'read', status: 'failed' },
      { callId: 'c1-3', tool: 'read', status: 'duplicate' },
      { callId: 'c1-4', tool: 'pay', status: 'waiting_approval' },
    ],
    questions: [askedAs('c1-0'), askedAs('c1-4')],
  });
  stage.settled(askedAs('c1-0'), acceptedOf('D', filledWith('denied')));
  expect(viewOf(stage.state)).toMatchObject({
    slots: [{ status: 'denied' }, {}, {}, {}, {}],
    questions: [askedAs('c1-4')],
  });
});
