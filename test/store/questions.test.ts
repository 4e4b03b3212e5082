/** Questions: exactly one decision, whoever was first; the others are told. */
import { describe, expect, it } from 'vitest';
import {
  begunTurn,
  callRow,
  decision,
  doneStep,
  endInput,
  openTestStore,
  question,
  record,
  settlement,
  T0,
  told,
} from '../support/store.ts';

async function withQuestion() {
  const store = await openTestStore(undefined, { now: () => T0 + 10 });
  await doneStep(store, 't1', 1, { head: await begunTurn(store, 't1'), tools: ['shell'] });
  await store.questions.open('t1', [question('t1')], [], []);
  return store;
}

describe('settling', () => {
  it('C5.5 the first valid answer wins, later ones are told who decided', async () => {
    const store = await withQuestion();
    expect(await store.questions.settle(settlement(decision('d1')))).toEqual({ kind: 'settled' });
    const second = settlement(decision('d2', { by: 'bob', choice: 'deny' }));
    expect(await store.questions.settle(second)).toEqual({ kind: 'late', by: 'ann', at: T0 + 50, state: 'decided' });
    expect(await store.questions.get('t1.c1-0')).toMatchObject({
      state: 'decided',
      decision: { decisionId: 'd1', choice: 'approve', by: 'ann', surface: 'cli', at: T0 },
    });
    expect((await store.events.after('t1', 0)).filter((event) => event.type === 'approval_resolved')).toHaveLength(1);
    const kinds = (await store.audit.list(0, 10)).map((row) => row.kind);
    expect(kinds).toEqual(['question_opened', 'decision', 'decision_late']);
  });

  it('C5.5 a repeat of the same decision gets the first answer, also after the turn has ended', async () => {
    const store = await withQuestion();
    await store.questions.settle(settlement(decision('d1')));
    const again = settlement(decision('d1'), { answer: told('something else') });
    expect(await store.questions.settle(again)).toEqual({ kind: 'repeat', answer: told('approve') });
    await store.turns.end(endInput('t1'));
    expect(await store.questions.settle(again)).toEqual({ kind: 'repeat', answer: told('approve') });
    expect(await store.audit.list(0, 10)).toHaveLength(2);
  });

  it('C5.5 of many answers at once exactly one settles', async () => {
    const store = await withQuestion();
    const many = Array.from({ length: 20 }, (_, n) => settlement(decision(`d${n}`, { by: `person ${n}` })));
    const answers = await Promise.all(many.map((one) => store.questions.settle(one)));
    expect(answers.filter((answer) => answer.kind === 'settled')).toHaveLength(1);
    expect(answers.filter((answer) => answer.kind === 'late')).toHaveLength(19);
  });

  it('an early answer is settled although the row is not there yet', async () => {
    const store = await openTestStore();
    await begunTurn(store, 't1');
    expect(await store.questions.settle(settlement(decision('d1')))).toEqual({ kind: 'settled' });
    await store.questions.open('t1', [question('t1')], [], []);
    expect(await store.questions.get('t1.c1-0')).toMatchObject({ state: 'decided', agent: 'main' });
  });

  it('C5.4 an expired question keeps who let it pass, and an answer after it is late', async () => {
    const store = await withQuestion();
    const expired = settlement('expired', { record: record(1, 0, 'nobody answered', 'expired') });
    expect(await store.questions.settle(expired)).toEqual({ kind: 'settled' });
    expect(await store.questions.settle(expired)).toEqual({ kind: 'repeat', answer: told('expired') });
    const late = await store.questions.settle(settlement(decision('d1')));
    expect(late).toEqual({ kind: 'late', by: 'timeout', at: T0 + 50, state: 'expired' });
    expect(await store.results.get('t1', 'c1-0')).toMatchObject({ result: { status: 'expired' } });
  });

  it('C5.5 an answer to a question of an ended turn is late', async () => {
    const store = await withQuestion();
    await store.turns.end(endInput('t1'));
    const answer = await store.questions.settle(settlement(decision('d1')));
    expect(answer).toMatchObject({ kind: 'late', state: 'withdrawn' });
    const never = settlement(decision('d2', { approvalId: 't1.c1-9' }), { question: question('t1', 'c1-9') });
    expect(await store.questions.settle(never)).toMatchObject({ kind: 'late', state: 'withdrawn' });
  });

  it('C5.3 an edit holds from then on, and the old call is kept', async () => {
    const store = await withQuestion();
    const edited = { ...callRow(1, 0), arguments: '{"a":2}', argumentHash: 'hash-2', summary: 'a: 2', repaired: true };
    await store.questions.settle(settlement(decision('d1', { choice: 'edit', newArgumentHash: 'hash-2' }), { edited }));
    expect(await store.transcript.call('t1', 'c1-0')).toEqual(edited);
    expect(await store.turns.slots('t1')).toMatchObject([{ callId: 'c1-0', summary: 'a: 2', status: 'empty' }]);
  });

  it('C5.5 an invalid answer is audited once, and the question stays open', async () => {
    const store = await withQuestion();
    await store.questions.putDecision(decision('d1', { argumentHash: 'other' }));
    expect((await store.questions.get('t1.c1-0'))?.state).toBe('settling');
    const discarded = { approvalId: 't1.c1-0', turnId: 't1', decisionId: 'd1', reason: 'wrong hash', at: T0 };
    await store.questions.discard(discarded);
    await store.questions.discard(discarded);
    expect((await store.questions.get('t1.c1-0'))?.state).toBe('open');
    expect((await store.audit.list(1, 10)).map((row) => [row.kind, row.body.reason])).toEqual([
      ['decision_discarded', 'wrong hash'],
    ]);
  });
});

describe('decisions', () => {
  it('C5.5 one id is one decision: a repeat is fine, another content is not', async () => {
    const store = await withQuestion();
    const first = decision('d1', { choice: 'deny' }, { note: 'not today' });
    expect(await store.questions.putDecision(first)).toBe('stored');
    const later = decision('d1', { choice: 'deny', at: new Date(T0 + 9000).toISOString() }, { note: 'not today' });
    expect(await store.questions.putDecision(later)).toBe('existing');
    expect(await store.questions.putDecision(decision('d1', { choice: 'deny' }, { note: 'never' }))).toBe('conflict');
    expect(await store.questions.decision('d1')).toEqual(first);
    expect(await store.questions.decision('d2')).toBeUndefined();
  });

  it('those that nobody settled are sent again, while their turn is open', async () => {
    const store = await withQuestion();
    const sent = decision('d1');
    await store.questions.putDecision(sent);
    await store.questions.putDecision(decision('d2', { by: 'bob' }));
    expect(await store.questions.unsettled(T0 + 10)).toEqual([]);
    expect((await store.questions.unsettled(T0 + 11)).map((body) => body.decisionId)).toEqual(['d1', 'd2']);
    await store.questions.settle(settlement(sent));
    expect((await store.questions.unsettled(T0 + 11)).map((body) => body.decisionId)).toEqual(['d2']);
    await store.turns.end(endInput('t1'));
    expect(await store.questions.unsettled(T0 + 11)).toEqual([]);
  });
});

describe('the inbox', () => {
  it('I4 lists oldest first, a hundred a page', async () => {
    const store = await openTestStore();
    await begunTurn(store, 't1');
    const many = Array.from({ length: 230 }, (_, n) => question('t1', `c1-${n}`, { askedAt: T0 + ((n * 7) % 230) }));
    await store.questions.open('t1', many, [], []);
    const seen: number[] = [];
    const sizes: number[] = [];
    let cursor: string | undefined;
    do {
      const page = await store.questions.list({ state: 'open', ...(cursor === undefined ? {} : { cursor }) });
      sizes.push(page.items.length);
      seen.push(...page.items.map((one) => one.askedAt));
      cursor = page.next;
    } while (cursor !== undefined);
    expect(sizes).toEqual([100, 100, 30]);
    expect(seen).toEqual(Array.from({ length: 230 }, (_, n) => T0 + n));
  });

  it('I4 decided ones include those that expired or were withdrawn', async () => {
    const store = await withQuestion();
    await begunTurn(store, 't2');
    await store.questions.open('t1', [question('t1', 'c1-1'), question('t1', 'c1-2')], [], []);
    await store.questions.open('t2', [question('t2')], [], []);
    await store.questions.settle(settlement(decision('d1')));
    await store.questions.settle(settlement('expired', { question: question('t1', 'c1-1'), events: [] }));
    await store.turns.end(endInput('t2'));
    const states = async (filter: { state: 'open' | 'decided'; turnId?: string }) =>
      (await store.questions.list(filter)).items.map((one) => `${one.approvalId} ${one.state}`);
    expect(await states({ state: 'decided' })).toEqual(['t1.c1-0 decided', 't1.c1-1 expired', 't2.c1-0 withdrawn']);
    expect(await states({ state: 'decided', turnId: 't2' })).toEqual(['t2.c1-0 withdrawn']);
    expect(await states({ state: 'open' })).toEqual(['t1.c1-2 open']);
  });

  it('a slot that waits for an answer shows it', async () => {
    const store = await withQuestion();
    expect(await store.turns.slots('t1')).toMatchObject([{ status: 'waiting_approval' }]);
  });
});
