/** The last transaction of a turn: it decides once, and leaves nothing open. */
import { describe, expect, it } from 'vitest';
import {
  assistant,
  begunTurn,
  completed,
  doneStep,
  endInput,
  note,
  openInput,
  openTestStore,
  question,
  record,
  results,
  T0,
  usage,
} from '../support/store.ts';

const flag = { by: 'ann', reason: 'enough', at: T0 };

describe('the outcome', () => {
  it('C8.11 the first end decides, and a repeat gets what it decided', async () => {
    const store = await openTestStore();
    await begunTurn(store, 't1');
    expect(await store.turns.end(endInput('t1', { answer: 'yes' }))).toMatchObject({ first: true, outcome: completed });
    const failed = { ...completed, status: 'failed', stopReason: 'error' } as const;
    expect(await store.turns.end(endInput('t1', { outcome: failed }))).toMatchObject({
      first: false,
      outcome: completed,
    });
    expect(await store.turns.get('t1')).toMatchObject({ status: 'completed', answer: 'yes', endedAt: T0 + 1000 });
    expect((await store.events.after('t1', 1)).map((event) => event.type)).toEqual(['turn_ended']);
  });

  it('C8.4 a cancel that was accepted before the end makes it cancelled', async () => {
    const store = await openTestStore();
    await begunTurn(store, 't1');
    await store.turns.requestCancel('t1', flag);
    const { outcome } = await store.turns.end(endInput('t1'));
    expect(outcome).toMatchObject({ status: 'cancelled', stopReason: 'cancelled' });
    expect((await store.events.after('t1', 1)).at(-1)).toMatchObject({ type: 'turn_ended', status: 'cancelled' });
  });

  it('what the reconciler ends must still stand as it saw it', async () => {
    const store = await openTestStore();
    await begunTurn(store, 't1');
    const ended = await store.turns.end(endInput('t1', { onlyIf: ['queued'] }));
    expect(ended.first).toBe(false);
    expect((await store.turns.get('t1'))?.status).toBe('running');
    expect((await store.turns.end(endInput('t1', { onlyIf: ['queued', 'running'] }))).first).toBe(true);
  });

  it('counts what was charged, also when the workflow never heard of it', async () => {
    const store = await openTestStore();
    await doneStep(store, 't1', 1, { head: await begunTurn(store, 't1') });
    const { outcome } = await store.turns.end(endInput('t1'));
    expect(outcome.usage).toEqual(usage(1));
    expect((await store.turns.get('t1'))?.usage).toEqual(usage(1));
  });

  it('a turn that the store does not know changes nothing', async () => {
    const store = await openTestStore();
    expect(await store.turns.end(endInput('nix'))).toEqual({ outcome: completed, handedOn: [], first: false });
  });
});

describe('what is still to be appended', () => {
  const kinds = async (store: Awaited<ReturnType<typeof openTestStore>>) =>
    (await store.transcript.ofTurn('t1')).entries.map((entry) => (entry.kind === 'user' ? entry.text : entry.kind));
  const cut = { ...assistant(2, [], 'so far'), cut: 'interrupted' } as const;

  it('C6.5 the last round and the interrupted text are kept', async () => {
    const store = await openTestStore();
    await doneStep(store, 't1', 1, { head: await begunTurn(store, 't1'), tools: ['shell'] });
    const input = { entries: [results(1, ['ok']), cut], results: [record(1, 0, 'ok')] };
    await store.turns.end(endInput('t1', input));
    expect(await kinds(store)).toEqual(['please do t1', 'assistant', 'results', 'assistant']);
    expect(await store.results.get('t1', 'c1-0')).toMatchObject({ text: 'ok' });
  });

  it('what the step after it had appended already is not appended again', async () => {
    const store = await openTestStore();
    const head = await doneStep(store, 't1', 1, { head: await begunTurn(store, 't1'), tools: ['shell'] });
    await store.transcript.openStep(openInput('t1', 2, head, [results(1, ['ok']), note('n')]));
    await store.turns.end(endInput('t1', { entries: [results(1, ['ok']), note('n'), cut] }));
    expect(await kinds(store)).toEqual(['please do t1', 'assistant', 'results', 'n', 'assistant']);
  });

  it('a reply that was stored without the workflow knowing stays, and its calls are answered', async () => {
    const store = await openTestStore();
    const head = await doneStep(store, 't1', 1, { head: await begunTurn(store, 't1'), tools: ['shell'] });
    await doneStep(store, 't1', 2, { head, tools: ['shell'], entries: [results(1, ['ok'])] });
    await store.turns.end(endInput('t1', { entries: [results(1, ['ok']), cut] }));
    expect(await kinds(store)).toEqual(['please do t1', 'assistant', 'results', 'assistant', 'results']);
    const { entries } = await store.transcript.ofTurn('t1');
    expect(entries[3]).toEqual(assistant(2, ['shell']));
    expect(entries[4]).toMatchObject({ results: [{ callId: 'c2-0', success: false }] });
  });

  it('C3.8 a round that lacks a call gets its recorded result; one without a message is left out', async () => {
    const store = await openTestStore();
    await doneStep(store, 't1', 1, { head: await begunTurn(store, 't1'), tools: ['shell', 'shell'] });
    await store.results.record('t1', [record(1, 1, 'recorded')]);
    await store.turns.end(endInput('t1', { entries: [results(1, ['given']), results(7, ['orphan'])] }));
    const { entries } = await store.transcript.ofTurn('t1');
    expect(entries).toHaveLength(3);
    expect(entries[2]).toMatchObject({ results: [{ text: 'given' }, { callId: 'c1-1', text: 'recorded' }] });
  });
});

describe('what is left open', () => {
  it('C6.5 open questions are withdrawn, told and audited', async () => {
    const store = await openTestStore();
    await begunTurn(store, 't1');
    await store.questions.open('t1', [question('t1')], [], []);
    await store.turns.requestCancel('t1', flag);
    await store.turns.end(endInput('t1'));
    expect(await store.questions.get('t1.c1-0')).toMatchObject({ state: 'withdrawn' });
    const events = await store.events.after('t1', 0);
    expect(events.filter((event) => event.type === 'approval_resolved')).toMatchObject([
      { approvalId: 't1.c1-0', callId: 'c1-0', state: 'withdrawn', by: 'ann' },
    ]);
    expect((await store.audit.list(0, 10)).map((row) => row.kind)).toEqual(['question_opened', 'question_withdrawn']);
  });

  it('C8.3 messages nobody took go to the next turn of the session', async () => {
    const store = await openTestStore();
    await begunTurn(store, 't1', { session: 's' });
    const steer = (id: string, text: string) => store.steering.add({ id, turnId: 't1', text, by: 'bob', at: T0 });
    await steer('m1', 'also this');
    await store.turns.requestCancel('t1', flag);
    await steer('m2', 'and that');
    expect(await store.turns.end(endInput('t1'))).toMatchObject({ handedOn: ['m1', 'm2'] });
    expect(await store.turns.end(endInput('t1'))).toMatchObject({ handedOn: ['m1', 'm2'], first: false });
    const events = (await store.events.after('t1', 0)).filter((event) => event.type === 'steering');
    expect(events).toMatchObject([
      { id: 'm1', state: 'handed_on', text: 'also this', by: 'bob' },
      { id: 'm2', state: 'handed_on' },
    ]);
  });

  it('C8.3 without a session they are refused, with an event', async () => {
    const store = await openTestStore();
    await begunTurn(store, 't1');
    await store.steering.add({ id: 'm1', turnId: 't1', text: 'also', by: 'bob', at: T0 });
    expect((await store.turns.end(endInput('t1'))).handedOn).toEqual([]);
    expect((await store.steering.get('m1'))?.state).toBe('refused');
    expect((await store.events.after('t1', 0)).at(-2)).toMatchObject({ type: 'steering', state: 'refused' });
  });

  it('C9.2 nothing is written to events after the end', async () => {
    const store = await openTestStore();
    await begunTurn(store, 't1');
    await store.turns.end(endInput('t1'));
    const late = [{ key: 'late', body: { type: 'tool_progress', callId: 'c1-0', slot: 0, text: 'x' } }] as const;
    expect(await store.events.append('t1', [...late])).toEqual({ kind: 'closed' });
    await store.results.record('t1', [record(1, 0, 'late')]);
    await store.questions.open('t1', [question('t1')], [...late], []);
    expect(await store.questions.get('t1.c1-0')).toBeUndefined();
    expect((await store.events.after('t1', 0)).at(-1)?.type).toBe('turn_ended');
  });
});
