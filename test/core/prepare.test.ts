// Preparation (C4): what becomes of each call of a reply before anything runs.
import { describe, expect, it } from 'vitest';
import { fillText } from '../../core/fill-text.ts';
import type { Fill } from '../../core/slot.ts';
import type { TurnState } from '../../core/turn-state.ts';
import {
  ASKS,
  acceptedOf,
  answered,
  begunTurn,
  type CallOptions,
  callOf,
  filledWith,
  GATED,
  inRound,
  kindsOf,
  replyOf,
  resultOf,
  type SubsetOptions,
  slotsOf,
  WRITES,
} from './turn-build.ts';
import { askedAs, Stage } from './turn-stage.ts';

const fillsOf = (state: TurnState): Fill[] => {
  const { phase } = state;
  if (phase.at === 'round') return slotsOf(state).flatMap((slot) => (slot.is === 'decided' ? [slot.fill] : []));
  return phase.at === 'boundary' || phase.at === 'ending' ? phase.append.fills : [];
};

describe('C4.4, C5.1 each call is judged', () => {
  const ways: [string, CallOptions, SubsetOptions, string][] = [
    ['low risk runs', {}, {}, 'ready'],
    ['medium risk is asked', GATED, {}, 'asking'],
    ['always_ask is asked at full autonomy too', {}, { access: { autonomy: 'full', alwaysAsk: ['*'] } }, 'asking'],
    ['full autonomy runs medium risk', GATED, { access: { autonomy: 'full' } }, 'ready'],
    [
      'not assessed is asked at full autonomy',
      { facts: { assessed: false } },
      { access: { autonomy: 'full' } },
      'asking',
    ],
    ['a question to a person is one', ASKS, {}, 'asking'],
    ['an answer that came with the reply stays', { filled: resultOf('failed') }, {}, 'filled'],
  ];
  it.each(ways)('%s', (_, call, options, is) => {
    expect(kindsOf(inRound([call, GATED], options))[0]).toBe(is);
  });

  const blocks: [string, CallOptions, SubsetOptions][] = [
    ['an effect under readonly', WRITES, { access: { autonomy: 'readonly' } }],
    ['a fact that no policy allows', { facts: { blocked: 'It leaves the workspace.' } }, {}],
    ['high risk', { name: 'rm', facts: { effect: 'once', risk: 'high' } }, {}],
  ];
  it.each(blocks)('C4.4, C4.9 blocked with its reason, and nobody is asked: %s', (_, call, options) => {
    const state = inRound([call], options);
    expect(fillsOf(state)).toMatchObject([{ status: 'blocked', by: 'policy', callId: 'c1-0' }]);
    expect(fillsOf(state)[0]?.reason).not.toBe('');
    expect(state.phase.at).toBe('boundary');
  });

  it('a round with nothing to run or to ask is over at once', () => {
    const state = inRound([{ filled: resultOf('failed') }, { facts: { blocked: 'no' } }]);
    expect(state.phase).toMatchObject({ at: 'boundary', append: { round: { step: 1 }, fills: [{ callId: 'c1-1' }] } });
  });

  it('C4.11 all approvals of a response are open at once, each with its own id and end', () => {
    const state = inRound([GATED, { ...GATED, args: 'other' }, ASKS], { asking: { timeoutMs: 1_000 } });
    const questions = slotsOf(state).flatMap((slot) => (slot.is === 'asking' ? [slot.question] : []));
    expect(questions.map((each) => [each.approvalId, each.kind])).toEqual([
      [askedAs('c1-0'), 'tool'],
      [askedAs('c1-1'), 'tool'],
      [`${askedAs('c1-2')}.q`, 'question'],
    ]);
    expect(questions.every((each) => each.expiresAt - each.askedAt === 1_000)).toBe(true);
  });
});

describe('C4.6 the same call of one response', () => {
  const kinds = (calls: CallOptions[], options: SubsetOptions = {}) =>
    slotsOf(inRound([...calls, GATED], options)).map((slot) => (slot.is === 'decided' ? slot.fill.status : slot.is));

  it('is a duplicate, says so and is not asked', () => {
    expect(kinds([{ args: 1 }, { args: 1 }])).toEqual(['ready', 'duplicate', 'asking']);
    const same = { ...GATED, args: 1 };
    expect(kinds([same, same])).toEqual(['asking', 'duplicate', 'asking']);
  });

  it('with other arguments, or another name, is another call', () => {
    expect(kinds([{ args: 1 }, { args: 2 }, { name: 'list', args: 1 }])).toEqual(['ready', 'ready', 'ready', 'asking']);
  });

  it.each(['delegate', 'spawn_subagent'])('%s is exempt', (name) => {
    expect(
      kinds([
        { name, args: 1 },
        { name, args: 1 },
      ]),
    ).toEqual(['ready', 'ready', 'asking']);
  });

  it('what tool_call_dedup_exempt names is exempt', () => {
    const options = { knobs: { dedupExempt: ['read'] } };
    expect(kinds([{ args: 1 }, { args: 1 }], options)).toEqual(['ready', 'ready', 'asking']);
  });

  it('an edit does not make a duplicate of what was another call', () => {
    const stage = new Stage([
      { ...GATED, args: 1 },
      { ...GATED, args: 2 },
    ]);
    stage.decide(askedAs('c1-0'), 'E');
    const edited = { summary: 'args 2', facts: callOf(1, 1, GATED).facts };
    const { argumentHash } = callOf(1, 1, { ...GATED, args: 2 });
    stage.settled(askedAs('c1-0'), acceptedOf('E', { kind: 'run', argumentHash, edited }));
    expect(slotsOf(stage.state).map((slot) => slot.is)).toEqual(['running', 'asking']);
  });
});

/** One gated call was asked and closed with this status; the model is asked again. */
function afterRefusal(call: CallOptions, status: 'denied' | 'expired', approvalId = askedAs('c1-0')): Stage {
  const stage = new Stage([call]);
  if (status === 'expired') stage.pass(300_000);
  else stage.decide(approvalId, 'D');
  const by = status === 'expired' ? 'timeout' : 'operator';
  const who = status === 'expired' ? 'timeout' : 'alice';
  stage.settled(approvalId, acceptedOf(status === 'expired' ? '' : 'D', filledWith(status, by), who));
  stage.announced();
  return stage;
}

describe('C4.5 a call that was not approved', () => {
  const again = { ...GATED, args: 'x' };

  it.each([
    ['denied', 'denied', 'alice'],
    ['expired', 'expired', 'timeout'],
  ] as const)('%s: is answered from the earlier decision, and that is worded so', (status, expected, by) => {
    const stage = afterRefusal(again, status);
    stage.says([again]);
    expect(stage.questions()).toEqual([]);
    const [fill] = stage.only('provider').request.append.fills;
    expect(fill).toMatchObject({ callId: 'c2-0', status: expected });
    expect(fill?.reason).toContain(by);
  });

  it('with other arguments is asked', () => {
    const stage = afterRefusal(again, 'denied');
    stage.says([{ ...GATED, args: 'y' }]);
    expect(stage.questions()).toEqual([askedAs('c2-0')]);
  });

  it('ends the turn at the third repeat, not before', () => {
    const stage = afterRefusal(again, 'denied');
    stage.says([again]);
    stage.says([again]);
    stage.says([again]);
    expect(stage.only('end').request).toMatchObject({
      outcome: { stopReason: 'repeated_prompt', status: 'failed', error: { type: 'RepeatedPrompt' } },
      append: { round: { step: 4 }, fills: [{ callId: 'c4-0', status: 'blocked' }] },
    });
  });

  it('twice in one response is one repeat and a duplicate', () => {
    const stage = afterRefusal(again, 'denied');
    stage.says([again, again]);
    expect(stage.only('provider').request.append.fills.map((fill) => fill.status)).toEqual(['denied', 'duplicate']);
    expect(stage.state.refused).toMatchObject([{ repeats: 1 }]);
  });

  it('shell ends the turn at once: the rest is blocked, nobody is asked, nothing runs, the round is recorded', () => {
    const shell = { ...GATED, name: 'shell', args: 'rm' };
    const stage = afterRefusal(shell, 'denied');
    stage.says([{ ...GATED, args: 'new' }, {}, { filled: resultOf('failed') }, shell, { args: 'last' }, GATED]);
    expect(stage.pendingKeys('tool')).toEqual([]);
    const { append, outcome } = stage.only('end').request;
    expect(outcome.stopReason).toBe('repeated_prompt');
    expect(append.round).toEqual({ step: 2 });
    expect(append.fills.map((fill) => [fill.callId, fill.status])).toEqual(
      ['c2-0', 'c2-1', 'c2-3', 'c2-4', 'c2-5'].map((callId) => [callId, 'blocked']),
    );
    const asked = stage.moves.flatMap((move) => (move.kind === 'announce' ? move.request.questions : []));
    expect(asked).toHaveLength(1);
  });

  it('two of one response that are exempt from C4.6 count as no repeat', () => {
    const stage = new Stage([again, again], { knobs: { dedupExempt: ['pay'] } });
    for (const callId of ['c1-0', 'c1-1']) {
      stage.decide(askedAs(callId), callId);
      stage.settled(askedAs(callId), acceptedOf(callId, filledWith('denied')));
    }
    expect(stage.state.refused).toMatchObject([{ repeats: 0 }]);
  });

  it.each(['replaced', 'blocked'] as const)('one that was %s may be asked for again', (status) => {
    const stage = new Stage([again]);
    stage.decide(askedAs('c1-0'), 'D');
    stage.settled(askedAs('c1-0'), acceptedOf('D', filledWith(status)));
    stage.announced();
    stage.says([again]);
    expect(stage.questions()).toEqual([askedAs('c2-0')]);
  });

  it('C5.4 a question that nobody answered is not put again in this turn', () => {
    const question = { ...ASKS, args: 'are you there?' };
    const stage = afterRefusal(question, 'expired', `${askedAs('c1-0')}.q`);
    stage.says([question]);
    expect(stage.questions()).toEqual([]);
    expect(stage.only('provider').request.append.fills).toMatchObject([{ status: 'expired' }]);
  });
});

describe('C5.8 where nobody can be asked', () => {
  const options: SubsetOptions = { asking: { mode: 'deny' } };

  it.each([
    ['an approval', GATED],
    ['a question', ASKS],
  ])('%s is denied as unreachable, at once, and not as by a person', (_, call) => {
    const state = inRound([call], options);
    const [fill] = fillsOf(state);
    expect(fill).toMatchObject({ status: 'denied', by: 'unreachable' });
    const text = fillText(fill as Fill);
    expect(text).toMatch(/nobody can be asked/);
    expect(text).not.toMatch(/operator/i);
  });

  it('what needs nobody runs', () => {
    expect(kindsOf(inRound([{}, GATED, WRITES], options))).toEqual(['ready', 'decided', 'ready']);
  });

  it('an unknown outcome is reported, whatever approvals.on_unknown says', () => {
    const stage = new Stage([GATED], { ...options, access: { autonomy: 'full' }, knobs: { onUnknown: 'ask' } });
    stage.toolDone('c1-0', { kind: 'lost' });
    expect(stage.only('resolve').request.request.mode).toBe('report');
  });
});

it('C4.8, T2 sixty-four calls keep their places and ids', () => {
  const calls = Array.from({ length: 64 }, (_, slot) => callOf(1, slot, slot % 3 === 0 ? GATED : {}));
  const state = answered(begunTurn(), replyOf(calls));
  expect(slotsOf(state).map((slot) => slot.call.callId)).toEqual(calls.map((call) => call.callId));
});
