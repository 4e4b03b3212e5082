// The collected bad cases that the pure turn can meet: several approvals, their life, cancel in a batch, bad calls, loops.
import { describe, expect, it } from 'vitest';
import { fillText } from '../../core/fill-text.ts';
import { answerFate, readAnswer } from '../../core/inbox.ts';
import { nextMove } from '../../core/turn.ts';
import { caseOf } from '../support/cases.ts';
import { acceptedOf, type CallOptions, callOf, filledWith, GATED, resultOf, runs } from './turn-build.ts';
import { askedAs, Stage } from './turn-stage.ts';

type ScriptCall = { id: string; name: string; args: unknown };

/** The calls of a case, with our call id for each of theirs. */
function staged(id: string, step = 0, gate: CallOptions = GATED) {
  const model = caseOf(id).input.steps.filter((each: { do: string }) => each.do === 'model')[step];
  const gated: string[] = model.need_approval ?? [];
  const calls = (model.calls as ScriptCall[]).map(({ id: theirs, name, args }): CallOptions => {
    const { facts } = gated.includes(theirs) ? gate : { facts: {} };
    return { name, args, ...(facts ? { facts } : {}) };
  });
  const ours = (theirs: string) => `c${step + 1}-${model.calls.findIndex((call: ScriptCall) => call.id === theirs)}`;
  return { calls, ours };
}

const done = { kind: 'result', result: resultOf() } as const;

describe('several approvals in one response', () => {
  it('B07, C4.11: what needs no approval runs at once and keeps its result while the others wait', () => {
    const { calls, ours } = staged('B07');
    const stage = new Stage(calls);
    stage.toolDone(ours('z'));
    const { pending } = caseOf('B07').expected;
    expect(stage.questions()).toEqual(pending.map((id: string) => askedAs(ours(id))));
    for (const id of pending as string[]) {
      stage.decide(askedAs(ours(id)), `d-${id}`);
      stage.settled(askedAs(ours(id)), acceptedOf(`d-${id}`, runs(callOf(1, 0))));
    }
    stage.toolDone(ours('x'));
    stage.toolDone(ours('y'));
    expect(stage.starts()[ours('z')]).toBe(1);
  });

  it('B08, C4.11: the second may be answered first; each runs with its own decision', () => {
    const { calls, ours } = staged('B08');
    const stage = new Stage(calls);
    const [first, second] = [ours('d1'), ours('d2')];
    stage.decide(askedAs(second), 'D2');
    stage.settled(askedAs(second), acceptedOf('D2', runs(callOf(1, 1))));
    expect(stage.only('tool').request.request).toMatchObject({ slot: 1, decisionId: 'D2' });
    expect(stage.questions()).toEqual([askedAs(first)]);
    stage.toolDone(second);
    stage.decide(askedAs(first), 'D1');
    stage.settled(askedAs(first), acceptedOf('D1', runs(callOf(1, 0))));
    expect(stage.only('tool').request.request).toMatchObject({ slot: 0, decisionId: 'D1' });
  });

  it.each(['park', 'ask'] as const)(
    'B11, C5.8: nothing runs without its decision, however it was started (%s)',
    (mode) => {
      const { calls, ours } = staged('B11');
      const stage = new Stage(calls, { asking: { mode } });
      stage.toolDone(ours('q2'));
      expect(stage.starts()).toEqual({ [ours('q2')]: 1 });
      stage.decide(askedAs(ours('q1')), 'D');
      stage.settled(askedAs(ours('q1')), acceptedOf('D', runs(callOf(1, 0))));
      stage.toolDone(ours('q1'));
      expect(stage.starts()).toEqual({ [ours('q1')]: 1, [ours('q2')]: 1 });
    },
  );
});

describe('the life of an approval', () => {
  const { input } = caseOf('B14');

  it.each([...input.variants, undefined])('B14, C5.5: %j is no answer; the call goes on waiting', (raw) => {
    const { calls, ours } = staged('B14');
    const stage = new Stage(calls);
    expect(readAnswer(raw)).toBeUndefined();
    expect(readAnswer({ [ours('c1')]: raw })).toBeUndefined();
    expect(
      readAnswer({ approvalId: askedAs(ours('c1')), decisionId: raw === 'yes' || raw === 'maybe' ? '' : raw }),
    ).toBe(undefined);
    expect([stage.starts(), stage.questions()]).toEqual([{}, [askedAs('c1-0')]]);
  });

  it('B14, C5.5: a decision that settling discards leaves the question open', () => {
    const stage = new Stage(staged('B14').calls);
    stage.decide(askedAs('c1-0'), 'forged');
    stage.settled(askedAs('c1-0'), { outcome: 'discarded', reason: 'no such decision is in the store' });
    expect([stage.starts(), stage.questions()]).toEqual([{}, [askedAs('c1-0')]]);
  });

  it('B16, C5.4, C5.5: at its time it expires at once; a late answer is told so and runs nothing', () => {
    const { calls } = staged('B16');
    const seconds = caseOf('B16').input.steps[0].approval_timeout_s as number;
    const stage = new Stage(calls, { asking: { timeoutMs: seconds * 1_000 } });
    stage.pass(seconds * 1_000 - 1);
    expect(stage.pendingKeys('settle')).toEqual([]);
    stage.pass(1);
    expect(stage.only('settle').request.answer).toEqual({ kind: 'expired' });
    stage.settled(askedAs('c1-0'), acceptedOf('', filledWith('expired', 'timeout'), 'timeout'));
    const late = { approvalId: askedAs('c1-0'), decisionId: 'late' };
    expect(answerFate(stage.state, late)).toEqual({ kind: 'known', answer: { state: 'expired' } });
    stage.decide(late.approvalId, late.decisionId);
    expect(stage.starts()).toEqual({});
    const expired = fillText({ callId: 'c1-0', status: 'expired' });
    expect(expired).not.toBe(fillText({ callId: 'c1-0', status: 'denied', by: 'operator' }));
    expect(expired).toMatch(/not run.*nobody answered in time/i);
  });

  it('B19, C5.5: a repeat gets the first outcome, another answer is told who decided', () => {
    const stage = new Stage(staged('B19').calls);
    const answer = { approvalId: askedAs('c1-0'), decisionId: 'R' };
    stage.decide(answer.approvalId, 'R');
    stage.decide(answer.approvalId, 'R');
    stage.settled(answer.approvalId, acceptedOf('R', runs(callOf(1, 0))));
    stage.toolDone('c1-0');
    for (const decisionId of ['R', 'R2']) stage.decide(answer.approvalId, decisionId);
    expect(answerFate(stage.state, answer)).toEqual({ kind: 'known', answer: { state: 'accepted' } });
    expect(answerFate(stage.state, { ...answer, decisionId: 'R2' })).toMatchObject({
      answer: { state: 'already_decided', by: 'alice' },
    });
    expect(stage.starts()).toEqual({ 'c1-0': 1 });
    expect(stage.pendingKeys('settle')).toEqual([]);
  });

  it('B22, C4.5: what was denied is answered from that denial, and in the end the turn ends', () => {
    const again = staged('B22', 1).calls;
    const stage = new Stage(staged('B22').calls);
    stage.decide(askedAs('c1-0'), 'D');
    stage.settled(askedAs('c1-0'), acceptedOf('D', filledWith('denied')));
    stage.announced();
    for (let repeat = 1; repeat <= 2; repeat += 1) {
      stage.says(again);
      expect(stage.questions()).toEqual([]);
    }
    stage.says(again);
    expect(stage.only('end').request.outcome).toMatchObject({ status: 'failed', stopReason: 'repeated_prompt' });
    const asked = stage.moves.flatMap((move) => (move.kind === 'announce' ? move.request.questions : []));
    expect(asked).toHaveLength(caseOf('B22').expected.prompts_shown);
    expect(stage.starts()).toEqual({});
  });
});

describe('cancel in a batch', () => {
  it('B25, C6.5: nothing that has not started starts any more, and it is said so', () => {
    const { calls } = staged('B25');
    const once = calls.map((each): CallOptions => ({ ...each, facts: { effect: 'once', risk: 'medium' } }));
    const stage = new Stage(once);
    stage.stop();
    stage.announced();
    const { append, outcome } = stage.only('end').request;
    expect(append.fills.map(({ status, began }) => [status, began])).toEqual([
      ['interrupted', false],
      ['interrupted', false],
    ]);
    expect(append.fills.map((fill) => fillText(fill)).every((text) => text.endsWith('It did not run.'))).toBe(true);
    expect([outcome.status, stage.starts()]).toEqual(['cancelled', {}]);
  });

  it('B26, C4.11: a call that fails is its own result; its siblings keep theirs', () => {
    const { calls } = staged('B26');
    const stage = new Stage(calls.map((each) => ({ ...each, facts: { effect: 'none' } })));
    expect(stage.pendingKeys('tool')).toHaveLength(5);
    for (const slot of [3, 0, 4, 2]) stage.toolDone(`c1-${slot}`);
    expect(stage.shown()['c1-1']).toBe('running');
    const before = stage.shown();
    stage.toolDone('c1-1', { kind: 'result', result: resultOf('failed') });
    expect(before).toMatchObject({ 'c1-0': 'done', 'c1-2': 'done', 'c1-3': 'done', 'c1-4': 'done' });
    expect(stage.only('provider').request.append).toMatchObject({ round: { step: 1 }, fills: [] });
  });

  it('B28, C6.5, C8.4: a cancel closes what waits; a late answer is refused and nothing runs', () => {
    const stage = new Stage(staged('B28').calls);
    stage.stop();
    stage.decide(askedAs('c1-0'), 'late');
    expect(answerFate(stage.state, { approvalId: askedAs('c1-0'), decisionId: 'late' }).kind).toBe('not-open');
    stage.announced();
    expect(stage.only('end').request.outcome.status).toBe(caseOf('B28').expected.turn);
    expect(stage.starts()).toEqual({});
  });
});

describe('bad calls and loops', () => {
  it('B34, C4.4: an unknown tool has its answer already; the rest runs and the loop goes on', () => {
    const stage = new Stage([{ name: 'get_date', filled: resultOf('failed') }, { name: 'get_time' }]);
    expect(stage.pendingKeys('tool')).toEqual(['c1-1']);
    stage.toolDone('c1-1', done);
    expect(stage.only('provider').request).toMatchObject({ step: 2, append: { round: { step: 1 }, fills: [] } });
  });

  it('B37, C4.6: one id, two arguments: both run; one id, the same call: a replay, run once', () => {
    const [oslo, rome] = caseOf('B37').input.calls.map(
      ({ name, arguments: text }: { name: string; arguments: string }) => ({
        name,
        args: JSON.parse(text),
      }),
    ) as CallOptions[];
    expect(new Stage([oslo ?? {}, rome ?? {}]).pendingKeys('tool')).toEqual(['c1-0', 'c1-1']);
    const replay = new Stage([oslo ?? {}, oslo ?? {}]);
    expect(replay.pendingKeys('tool')).toEqual(['c1-0']);
    expect(replay.shown()['c1-1']).toBe('duplicate');
  });

  it('B38: the same call in a later response is a call of its own', () => {
    const stage = new Stage([{ name: 'shell', args: { cmd: 'date' } }]);
    stage.toolDone('c1-0');
    stage.says([{ name: 'shell', args: { cmd: 'date' } }]);
    expect(stage.pendingKeys('tool')).toEqual(['c2-0']);
  });

  it('B74: a model that answers once its tool has run ends the turn in two calls', () => {
    const stage = new Stage([{ name: 'read' }]);
    stage.toolDone('c1-0');
    stage.says([]);
    const asked = stage.moves.filter((move) => move.kind === 'call-provider');
    expect(asked).toHaveLength(caseOf('B74').expected.model_calls);
    expect(asked.every((move) => move.kind === 'call-provider' && move.request.mode === 'normal')).toBe(true);
    expect(stage.only('end').request.outcome.stopReason).toBe('answer');
  });

  it('B76, C3.9: a reply that leaves no call to us is the answer', () => {
    const stage = new Stage([]);
    expect(stage.only('end').request.outcome.stopReason).toBe('answer');
    expect(stage.moves.filter((move) => move.kind === 'call-provider')).toHaveLength(
      caseOf('B76').expected.model_calls,
    );
    expect(nextMove(stage.state, stage.now).kind).toBe('finish');
  });
});
