// What is sent to a provider: built from any stored history, always sendable, always the same (C3.6, C3.8).
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CUT_MARKER, NO_USER_MESSAGE, outgoingMessages, repairMessages } from '../../core/outgoing.ts';
import { assertSendable } from '../../core/sendable.ts';
import type { Entry, Message, StoredCall } from '../../core/transcript.ts';

const INTERRUPTED = '[interrupted before this tool produced a result]';

const call = (callId: string, over: Partial<StoredCall> = {}): StoredCall => ({
  callId,
  providerId: callId,
  name: 'file_read',
  arguments: '{"path":"a"}',
  ...over,
});
const user = (text: string): Entry => ({ kind: 'user', text, via: 'start' });
const assistant = (step: number, calls: StoredCall[], text = ''): Entry => ({
  kind: 'assistant',
  step,
  text,
  calls,
  model: 'local/small',
});
const results = (step: number, ...ids: string[]): Entry => ({
  kind: 'results',
  step,
  results: ids.map((callId) => ({ callId, name: 'file_read', text: `result of ${callId}`, success: true })),
});

const callsOf = (messages: Message[]) => messages.flatMap((each) => (each.role === 'assistant' ? each.calls : []));
const resultsOf = (messages: Message[]) => messages.flatMap((each) => (each.role === 'tool' ? each.results : []));

describe('repair', () => {
  it('C3.8 gives an unanswered call an interrupted result in its place', () => {
    const sent = outgoingMessages([
      user('look'),
      assistant(1, [call('c1-0'), call('c1-1'), call('c1-2')]),
      results(1, 'c1-0', 'c1-2'),
      user('and?'),
    ]);
    expect(sent.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'user']);
    expect(resultsOf(sent).map(({ text, success }) => [text, success])).toEqual([
      ['result of c1-0', true],
      [INTERRUPTED, false],
      ['result of c1-2', true],
    ]);
  });

  it('C3.8 moves a late result to its call and puts results into the order of the calls', () => {
    const sent = outgoingMessages([
      user('look'),
      assistant(1, [call('c1-0'), call('c1-1')]),
      user('hurry'),
      results(1, 'c1-1'),
      results(1, 'c1-0'),
    ]);
    expect(sent.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'user']);
    expect(resultsOf(sent).map(({ text }) => text)).toEqual(['result of c1-0', 'result of c1-1']);
  });

  it('C3.8 drops an orphan, also one that stands before its call', () => {
    const sent = outgoingMessages([results(1, 'c1-0'), user('hi'), results(4, 'c4-0'), assistant(1, [], 'done')]);
    expect(sent).toEqual([
      { role: 'user', text: 'hi' },
      { role: 'assistant', text: 'done', calls: [] },
    ]);
  });

  it('C3.8 keeps two turns of a session apart although their call ids are the same', () => {
    const sent = outgoingMessages([
      user('one'),
      assistant(1, [call('c1-0')]),
      user('two'),
      assistant(1, [call('c1-0')]),
      results(1, 'c1-0'),
    ]);
    expect(resultsOf(sent).map(({ text }) => text)).toEqual([INTERRUPTED, 'result of c1-0']);
  });

  it('C3.8 always sends a user message', () => {
    expect(outgoingMessages([])).toEqual([{ role: 'user', text: NO_USER_MESSAGE }]);
    expect(outgoingMessages([assistant(1, [], 'hello')])[0]).toEqual({ role: 'user', text: NO_USER_MESSAGE });
  });

  it('C8.4 and C10.7 mark a text that was cut, and leave out one that is empty', () => {
    const cut = (text: string, why: 'interrupted' | 'output_limit'): Entry => ({
      kind: 'assistant',
      step: 1,
      text,
      calls: [],
      model: 'local/small',
      cut: why,
    });
    const sent = outgoingMessages([
      user('go'),
      cut('half', 'interrupted'),
      cut('', 'interrupted'),
      cut('x', 'output_limit'),
    ]);
    expect(sent.slice(1).map((each) => (each.role === 'assistant' ? each.text : ''))).toEqual([
      `half\n\n${CUT_MARKER.interrupted}`,
      `x\n\n${CUT_MARKER.output_limit}`,
    ]);
  });

  it('C8.3 leaves messages that follow each other apart', () => {
    expect(outgoingMessages([user('a'), user('b')])).toHaveLength(2);
  });
});

describe('older turns', () => {
  const turn = (n: number): Entry[] => [
    user(`u${n}`),
    assistant(1, [call('c1-0')], `a${n}`),
    results(1, 'c1-0'),
    assistant(2, [], `end ${n}`),
  ];
  const texts = (messages: Message[]) => messages.map((each) => (each.role === 'tool' ? 'results' : each.text));

  it('C12.5 are sent as text, but for the last two before the current one', () => {
    const sent = outgoingMessages([...turn(1), ...turn(2), ...turn(3), ...turn(4)]);
    expect(texts(sent).slice(0, 5)).toEqual(['u1', 'a1', 'end 1', 'u2', 'a2']);
    expect(texts(sent).filter((each) => each === 'results')).toHaveLength(3);
  });

  it('C12.5 steering begins no turn', () => {
    const steer: Entry = { kind: 'user', text: 'and', via: 'steer' };
    const sent = outgoingMessages([...turn(1), steer, steer, steer, steer, user('now')]);
    expect(texts(sent)).toContain('results');
  });
});

describe('spelling on the wire', () => {
  const idsOf = (...calls: StoredCall[]) => {
    const sent = outgoingMessages([user('go'), assistant(1, calls)]);
    expect(resultsOf(sent).map(({ id }) => id)).toEqual(callsOf(sent).map(({ id }) => id));
    return callsOf(sent).map(({ id }) => id);
  };

  it('C3.6 keeps the id of the provider and replaces empty and repeated ones', () => {
    const ids = idsOf(
      call('c1-0', { providerId: 'functions.now:0' }),
      call('c1-1', { providerId: '' }),
      call('c1-2', { providerId: 'functions.now:0' }),
      call('c1-3', { providerId: ' ' }),
    );
    expect(ids[0]).toBe('functions.now:0');
    expect(new Set(ids).size).toBe(4);
    for (const id of ids.slice(1)) expect(id).toMatch(/^[a-zA-Z0-9]{9}$/);
  });

  it('C3.6 gives no id of ours that the provider used', () => {
    const ids = idsOf(call('c1-0', { providerId: 'c00000002' }), call('c1-1', { providerId: '' }));
    expect(new Set(ids).size).toBe(2);
  });

  it('C3.6 keeps the beginning of a request when the history grows', () => {
    const entries: Entry[] = [];
    let before: Message[] = [];
    for (let step = 1; step < 20; step++) {
      entries.push(user(`u${step}`), assistant(step, [call(`c${step}-0`, { providerId: step % 3 ? 'shell:0' : '' })]));
      entries.push(results(step, `c${step}-0`));
      const now = outgoingMessages(entries, 100);
      expect(now.slice(0, before.length)).toEqual(before);
      before = now;
    }
  });

  it('C3.6 replaces a name that no provider takes, in call and result alike', () => {
    const names = ['{"q": "cats"} | lookup', 'a b', '', 'x'.repeat(65), 'shell\n', 'ünï'];
    const sent = outgoingMessages([
      user('go'),
      assistant(
        1,
        names.map((name, n) => call(`c1-${n}`, { name })),
      ),
    ]);
    expect(callsOf(sent).map(({ name }) => name)).toEqual(names.map(() => 'invalid_tool'));
    expect(resultsOf(sent).map(({ name }) => name)).toEqual(names.map(() => 'invalid_tool'));
  });

  it('C3.6 replaces arguments that are no JSON object and keeps the bytes of all others', () => {
    const of = (text: string) =>
      callsOf(outgoingMessages([user('go'), assistant(1, [call('c1-0', { arguments: text })])]));
    for (const bad of ['', ' ', '{"a":', '[1]', '"x"', 'null', '7', 'nonsense'])
      expect(of(bad)[0]?.arguments).toBe('{}');
    for (const good of ['{}', '{ "a" : 1.50 }', '{"__proto__":1}']) expect(of(good)[0]?.arguments).toBe(good);
  });

  it('C3.6 returns the extras of a call and of a message untouched', () => {
    const extras = { extra_content: { google: { thought_signature: 'AbC==' } } };
    const entry: Entry = {
      ...(assistant(1, [call('c1-0', { extras })]) as Extract<Entry, { kind: 'assistant' }>),
      extras,
    };
    const [, message] = outgoingMessages([user('go'), entry]);
    expect(message).toMatchObject({ extras, calls: [{ extras }] });
  });
});

// ---- any history ---------------------------------------------------------------------------------------------------

const callId = fc.constantFrom('c1-0', 'c1-1', 'c2-0', 'c2-1', 'c3-0');
const text = fc.oneof(fc.constantFrom('', ' ', 'hello'), fc.string());
const anyCall = fc.record(
  {
    callId,
    providerId: fc.constantFrom('', ' ', 'a', 'b', 'c00000001', 'c00000002', 'shell:0'),
    name: fc.oneof(fc.constantFrom('shell', 'a b', ''), fc.string()),
    arguments: fc.oneof(fc.constantFrom('', '{}', '{"a":1}', '{"a":', '[]'), fc.json()),
    extras: fc.constant({ signature: 'x' }),
  },
  { requiredKeys: ['callId', 'providerId', 'name', 'arguments'] },
) as fc.Arbitrary<StoredCall>;
const anyEntry: fc.Arbitrary<Entry> = fc.oneof(
  fc.record({
    kind: fc.constant('user' as const),
    text,
    via: fc.constantFrom('start' as const, 'steer' as const, 'note' as const),
  }),
  fc.record(
    {
      kind: fc.constant('assistant' as const),
      step: fc.integer({ min: 1, max: 3 }),
      text,
      calls: fc.array(anyCall, { maxLength: 4 }),
      model: fc.constant('local/small'),
      cut: fc.constantFrom('interrupted' as const, 'output_limit' as const),
    },
    { requiredKeys: ['kind', 'step', 'text', 'calls', 'model'] },
  ) as fc.Arbitrary<Entry>,
  fc.record({
    kind: fc.constant('results' as const),
    step: fc.integer({ min: 1, max: 3 }),
    results: fc.array(fc.record({ callId, name: fc.string(), text, success: fc.boolean() }), { maxLength: 4 }),
  }),
);
const anyHistory = fc.array(anyEntry, { maxLength: 14 });

describe('any history', () => {
  it('C3.8 makes a request that may be sent', () => {
    fc.assert(
      fc.property(anyHistory, (entries) => {
        expect(assertSendable(outgoingMessages(entries))).toEqual([]);
      }),
      { numRuns: 4_000 },
    );
  });

  it('C3.8 is repaired once and for all', () => {
    fc.assert(
      fc.property(anyHistory, (entries) => {
        const once = outgoingMessages(entries);
        expect(repairMessages(once)).toEqual(once);
      }),
      { numRuns: 2_000 },
    );
  });

  it('C3.8 leaves the stored entries as they are, and gives the same bytes each time', () => {
    fc.assert(
      fc.property(anyHistory, (entries) => {
        const stored = JSON.stringify(entries);
        const first = JSON.stringify(outgoingMessages(entries));
        expect(JSON.stringify(outgoingMessages(JSON.parse(stored) as Entry[]))).toBe(first);
        expect(JSON.stringify(entries)).toBe(stored);
      }),
      { numRuns: 1_000 },
    );
  });

  it('C3.8 loses no word of a user and no call of a saved message', () => {
    fc.assert(
      fc.property(anyHistory, (entries) => {
        const sent = outgoingMessages(entries, 100);
        const words = entries.flatMap((each) => (each.kind === 'user' && each.text.trim() ? [each.text] : []));
        const said = sent.flatMap((each) => (each.role === 'user' ? [each.text] : []));
        expect(said.filter((each) => each !== NO_USER_MESSAGE)).toEqual(words);
        const calls = entries.flatMap((each) => (each.kind === 'assistant' ? each.calls : []));
        expect(callsOf(sent)).toHaveLength(calls.length);
      }),
      { numRuns: 1_000 },
    );
  });
});

describe('assertSendable', () => {
  it('C3.8 names each thing that may not be sent', () => {
    const bad = [
      { role: 'tool', results: [{ id: 'x', name: 'a', text: '', success: true }] },
      { role: 'assistant', text: '', calls: [{ id: '', name: 'a b', arguments: '[' }] },
      { role: 'system', text: 'two' },
      { role: 'assistant', text: '', calls: [] },
    ] as unknown as Message[];
    expect(assertSendable(bad)).toEqual([
      'no user message',
      'message 0: results without calls',
      'message 1: empty call id',
      'message 1: call name "a b" is not allowed',
      'message 1: arguments of  are no JSON object',
      'message 1: calls without results',
      'message 2: role system is not allowed here',
      'message 3: empty assistant message',
    ]);
  });
});
