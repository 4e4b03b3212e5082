// The collected bad cases that a provider adapter or the outgoing copy can meet (cases.jsonl).
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openAiCompatible } from '../../../activities/provider/openai-compatible.ts';
import type { ProviderReply } from '../../../activities/provider/types.ts';
import { outgoingMessages } from '../../../core/outgoing.ts';
import { assertSendable } from '../../../core/sendable.ts';
import type { Entry, Message } from '../../../core/transcript.ts';
import { caseOf, casesOf } from '../../support/cases.ts';
import { call, chunk, DONE, finish, say, type WireCall } from '../../support/wire-format.ts';
import { startWireServer, type WireAnswer, type WireServer } from '../../support/wire-server.ts';
import { REQUEST } from './contract.ts';

let server: WireServer;
beforeAll(async () => {
  server = await startWireServer();
});
afterAll(() => server.close());

const logged: string[] = [];
function ask(answer: WireAnswer): Promise<ProviderReply> {
  server.answer(answer);
  logged.length = 0;
  const adapter = openAiCompatible({
    name: 'local',
    baseUrl: server.url,
    limits: { idleTimeoutMs: 300 },
    scrub: (text) => text,
    log: (message) => void logged.push(message),
  });
  return adapter.call(REQUEST, { signal: new AbortController().signal, onPart: () => {} });
}

type Expected = { id?: string; name?: string; args: unknown };
function expectCalls(reply: ProviderReply, expected: Expected[]): void {
  expect(reply.calls).toHaveLength(expected.length);
  expected.forEach(({ id, name, args }, at) => {
    const got = reply.calls[at];
    if (id !== undefined) expect(got?.id).toBe(id);
    if (name !== undefined) expect(got?.name).toBe(name);
    expect(JSON.parse(got?.arguments || '{}')).toEqual(args);
  });
}

/** A reply as it is stored: our call id beside the provider's. */
function stored(reply: Pick<ProviderReply, 'text' | 'calls'>, step: number): Entry {
  const calls = reply.calls.map(({ id, ...rest }, slot) => ({ callId: `c${step}-${slot}`, providerId: id, ...rest }));
  return { kind: 'assistant', step, text: reply.text, calls, model: 'local/small' };
}
const results = (step: number, slots: number[]): Entry => ({
  kind: 'results',
  step,
  results: slots.map((slot) => ({ callId: `c${step}-${slot}`, name: 'x', text: 'done', success: true })),
});
const callsOf = (messages: Message[]) => messages.flatMap((each) => (each.role === 'assistant' ? each.calls : []));
const resultsOf = (messages: Message[]) => messages.flatMap((each) => (each.role === 'tool' ? each.results : []));

describe('streaming', () => {
  it('B61 C10.8 characters cut by a border of chunks are whole', async () => {
    const { input, expected } = caseOf('B61');
    const pieces = (input.chunks_b64 as string[]).map((each) => new Uint8Array(Buffer.from(each, 'base64')));
    expect((await ask({ pieces })).text).toBe(expected.text);
    const bytes = [...Buffer.concat(pieces)].map((byte) => Uint8Array.of(byte));
    expect((await ask({ pieces: bytes })).text).toBe(expected.text);
  });

  it('B62 C10.8 chunks with usage alone, without choices or with null are read', async () => {
    const { input, expected } = caseOf('B62');
    const reply = await ask({ pieces: input.chunks });
    expect(reply).toMatchObject({
      text: expected.text,
      usage: { inputTokens: expected.usage.input, outputTokens: expected.usage.output },
    });
  });

  it('B64 C10.7 complete calls come out whatever the finish reason says', async () => {
    const { input } = caseOf('B64');
    for (const reason of input.variants as (string | null)[]) {
      const chunks = (input.chunks as string[]).map((each) =>
        each.replace('"finish_reason":"stop"', `"finish_reason":${JSON.stringify(reason)}`),
      );
      const reply = await ask({ pieces: chunks });
      expectCalls(reply, [{ id: 'c1', name: 'now', args: {} }]);
      expect(['length', 'filter', 'refusal']).not.toContain(reply.finish);
    }
  });

  it('B65 C10.7 a call that the token limit cut is told apart', async () => {
    const [cut, whole] = caseOf('B65').input.streams as [string[], string[]];
    const first = await ask({ pieces: cut });
    expect(() => JSON.parse(first.calls[0]?.arguments ?? '')).toThrow();
    expect(first.calls[0]?.arguments).toBe('{"city": "Os');
    expect(await ask({ pieces: whole })).toMatchObject({ finish: 'length', calls: [{ id: 'c1' }] });
  });

  it.for(['B67', 'B68', 'B71'])('%s C10.8 calls are put together', async (id) => {
    const { input, expected } = caseOf(id);
    const reply = await ask({ pieces: input.chunks });
    expectCalls(reply, expected.calls);
    if (expected.text !== undefined) expect(reply.text).toBe(expected.text);
  });

  it('B70 C10.3 a silent peer ends by the idle limit', async () => {
    for (const pieces of caseOf('B70').input.streams as string[][]) {
      await expect(ask({ pieces, end: 'open' })).rejects.toMatchObject({
        failureClass: 'retryable',
        message: expect.stringContaining('idle_timeout'),
      });
    }
  });

  it('has met every case of its kind', () => {
    expect(casesOf('streaming').map(({ id }) => id)).toEqual(['B61', 'B62', 'B64', 'B65', 'B67', 'B68', 'B70', 'B71']);
  });
});

describe('bad calls', () => {
  const raw = (id: string) => {
    const { input } = caseOf(id);
    const calls = (input.calls as (WireCall & { name?: string; arguments?: unknown })[]).map((each, index) =>
      each.name === undefined
        ? { ...(each.index === undefined ? {} : { index }), ...each }
        : { index, id: each.id ?? '', type: 'function', function: { name: each.name, arguments: each.arguments } },
    );
    return ask({
      pieces: [...(input.text ? [say(input.text)] : []), call(...(calls as WireCall[])), finish('tool_calls'), DONE],
    });
  };

  it('B31 C1.5 empty, blank, missing and null arguments come as a blank text', async () => {
    const reply = await raw('B31');
    expect(reply.calls.map(({ arguments: args }) => args.trim())).toEqual(['', '', '', '']);
    const sent = outgoingMessages([{ kind: 'user', text: 'x', via: 'start' }, stored(reply, 1)]);
    expect(callsOf(sent).map(({ arguments: args }) => args)).toEqual(['{}', '{}', '{}', '{}']);
  });

  it('B32 C1.5 a call without arguments is one call in every shape of the stream', async () => {
    const { input, expected } = caseOf('B32');
    expectCalls(await ask({ pieces: input.chunks }), expected.calls);
    for (const args of Object.values(input.variants as Record<string, string[]>)) {
      const [first = '', ...rest] = args;
      const pieces = [
        call({ index: 0, id: 'c1', type: 'function', function: { name: 'snapshot', arguments: first } }),
        ...rest.map((each) => call({ index: 0, function: { arguments: each } })),
      ];
      expectCalls(await ask({ pieces: [...pieces, finish('tool_calls'), DONE] }), expected.calls);
    }
  });

  it('B34 C4.4 an unknown name comes out as it is, for the engine to answer', async () => {
    expect((await raw('B34')).calls.map(({ name }) => name)).toEqual(['get_date', 'get_time']);
  });

  it('B35 C3.6 a polluted name is never sent back', async () => {
    const reply = await raw('B35');
    const sent = outgoingMessages([{ kind: 'user', text: 'x', via: 'start' }, stored(reply, 1), results(1, [0])]);
    expect(callsOf(sent)[0]?.name).toBe('invalid_tool');
    expect(JSON.stringify(sent)).not.toContain('lookup');
  });

  it('B37 C3.6 calls that share an id are two, with ids of their own on the wire', async () => {
    const reply = await raw('B37');
    expect(reply.calls).toHaveLength(2);
    const sent = outgoingMessages([{ kind: 'user', text: 'x', via: 'start' }, stored(reply, 1), results(1, [0, 1])]);
    expect(assertSendable(sent)).toEqual([]);
    expect(callsOf(sent)[0]?.id).toBe('dup1');
  });

  it('B38 C3.6 a provider that counts its ids anew in each response is answered by call, not by id', () => {
    const shell = (step: number): Entry =>
      stored({ text: '', calls: [{ id: 'shell:0', name: 'shell', arguments: `{"cmd":"${step}"}` }] }, step);
    const sent = outgoingMessages([
      { kind: 'user', text: 'x', via: 'start' },
      shell(1),
      results(1, [0]),
      shell(2),
      results(2, [0]),
    ]);
    expect(assertSendable(sent)).toEqual([]);
    expect(resultsOf(sent).map(({ text }) => text)).toEqual(['done', 'done']);
  });

  it('B40 C3.9 an entry without a function is dropped and logged; the text is the answer', async () => {
    expect(await raw('B40')).toMatchObject({ calls: [], text: 'All done.' });
    expect(logged).toHaveLength(1);
  });

  it('B41 C1.5 arguments as an object, without id and type', async () => {
    const { input, expected } = caseOf('B41');
    const reply = await ask({ pieces: [call(...input.calls), finish('tool_calls'), DONE] });
    expectCalls(reply, expected.calls);
    const sent = outgoingMessages([{ kind: 'user', text: 'x', via: 'start' }, stored(reply, 1), results(1, [0])]);
    expect(assertSendable(sent)).toEqual([]);
  });

  it('has met every case of its kind', () => {
    expect(casesOf('bad_tool_call').map(({ id }) => id)).toEqual([
      'B31',
      'B32',
      'B34',
      'B35',
      'B37',
      'B38',
      'B40',
      'B41',
    ]);
  });
});

describe('pairing', () => {
  type Line = {
    role: string;
    text?: string;
    calls?: { id: string; name: string; args: unknown }[];
    callId?: string;
    content?: string;
  };
  /** A history of a case as entries; the case's own ids are both ours and the provider's. */
  const entriesOf = (lines: Line[]): Entry[] =>
    lines.map((line, step): Entry => {
      if (line.role === 'user') return { kind: 'user', text: line.text ?? '', via: 'start' };
      if (line.role === 'tool') {
        const result = { callId: line.callId ?? '', name: 'x', text: line.content ?? '', success: true };
        return { kind: 'results', step, results: [result] };
      }
      const calls = (line.calls ?? []).map(({ id, name, args }) => ({
        callId: id,
        providerId: id,
        name,
        arguments: JSON.stringify(args),
      }));
      return { kind: 'assistant', step, text: line.text ?? '', calls, model: 'local/small' };
    });
  const order = (messages: Message[]) =>
    messages.flatMap((each) =>
      each.role === 'tool'
        ? each.results.map(({ id, success }) => `tool ${id}${success ? '' : ' (isError)'}`)
        : [each.role],
    );

  it('B01 C3.8 calls without results get them, in order, before the next message', () => {
    const sent = outgoingMessages(entriesOf(caseOf('B01').input.messages));
    expect(order(sent)).toEqual(['user', 'assistant', 'tool t1 (isError)', 'tool t2 (isError)', 'user']);
  });

  it('B02 C3.8 a dangling call is answered, an orphan dropped', () => {
    const { a_dangling, b_orphan } = caseOf('B02').input.histories;
    expect(order(outgoingMessages(entriesOf(a_dangling)))).toEqual(['user', 'assistant', 'tool c1 (isError)', 'user']);
    expect(order(outgoingMessages(entriesOf(b_orphan)))).toEqual(['user', 'assistant', 'user']);
  });

  it('B04 C6.4 a tool that failed is a result like any other', () => {
    const failed: Entry = {
      kind: 'results',
      step: 1,
      results: [{ callId: 'c1', name: 'broken', text: 'Error: boom', success: false }],
    };
    const history = [
      { role: 'user', text: 'go' },
      { role: 'assistant', calls: [{ id: 'c1', name: 'broken', args: {} }] },
    ];
    const sent = outgoingMessages([
      ...entriesOf(history),
      failed,
      ...entriesOf([{ role: 'user', text: 'try something else' }]),
    ]);
    expect(order(sent)).toEqual(['user', 'assistant', 'tool c1 (isError)', 'user']);
    expect(resultsOf(sent)[0]?.text).toBe('Error: boom');
  });

  it('B05 C3.8 a result that is missing in the middle is filled in its place', () => {
    const { input, expected } = caseOf('B05');
    const sent = outgoingMessages(entriesOf(input.messages));
    expect(resultsOf(sent).map(({ id, success }) => `${id}${success ? '' : '(isError)'}`)).toEqual(
      expected.outgoing_results,
    );
  });

  it('has met every case of its kind', () => {
    expect(casesOf('tool_result_pairing').map(({ id }) => id)).toEqual(['B01', 'B02', 'B04', 'B05']);
  });
});

describe('others', () => {
  it('B20 C3.8 a call that was approved and has no result yet makes a valid request', () => {
    const [, assistant] = caseOf('B20').input.messages;
    const [part] = assistant.parts;
    const reply = { text: '', calls: [{ id: part.id, name: part.name, arguments: JSON.stringify(part.args) }] };
    const entries: Entry[] = [{ kind: 'user', text: 'run it', via: 'start' }, stored(reply, 1)];
    expect(assertSendable(outgoingMessages(entries))).toEqual([]);
    const done = outgoingMessages([...entries, results(1, [0])]);
    expect(resultsOf(done)).toMatchObject([{ id: 'c1', name: 'backtest', text: 'done', success: true }]);
  });

  it('B29 C10.5 a call whose arguments were still coming never comes out', async () => {
    const half = call({
      index: 0,
      id: 'c1',
      type: 'function',
      function: { name: 'rm_file', arguments: '{"path":"proj' },
    });
    await expect(ask({ pieces: [half], end: 'reset' })).rejects.toMatchObject({ failureClass: 'retryable' });
  });

  it('B76 C3.9 calls that the provider ran leave nothing pending', async () => {
    const blocks = caseOf('B76').input.steps[0].blocks;
    const reply = await ask({
      pieces: [chunk({ executed_tools: blocks.slice(0, 2) }), say(blocks[2].text), finish('tool_calls'), DONE],
    });
    expect(reply).toMatchObject({ calls: [], text: 'Answer.' });
    expect(reply.providerCalls).toHaveLength(2);
  });
});
