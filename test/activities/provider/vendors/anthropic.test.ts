// Anthropic's messages: the suite that every adapter passes, and what is peculiar to them.
import { describe, expect, it } from 'vitest';
import { anthropic } from '../../../../activities/provider/vendors/anthropic.ts';
import { caseOf } from '../../../support/cases.ts';
import {
  anthropicDialect,
  anthropicEnd,
  anthropicStart,
  block,
  named,
  stream,
  toolUse,
} from '../../../support/vendor-wire.ts';
import { providerContract } from '../contract.ts';
import { PRICE, stageOf, tool } from './stage.ts';

providerContract('anthropic', {
  dialect: anthropicDialect,
  make: ({ baseUrl, apiKey, limits, scrub }) => anthropic({ name: 'vendor', baseUrl, apiKey, limits, scrub }),
});

const text = (said: string, more = {}) =>
  block({ type: 'text', text: '', ...more }, [{ type: 'text_delta', text: said }]);
const plainAnswer = () => stream(anthropicStart(), text('ok'), anthropicEnd('end_turn'));
const { ask, again, sent, logged } = stageOf(anthropic, plainAnswer);
const answer = (...pieces: string[][]) => stream(anthropicStart(), ...pieces, anthropicEnd('tool_use'));

describe('the request', () => {
  it('goes to messages with the key in its header and a limit on the output', async () => {
    await ask(plainAnswer());
    expect(sent().path).toBe('/v1/messages');
    expect(sent().headers).toMatchObject({ 'x-api-key': 'the-key-0001', 'anthropic-version': '2023-06-01' });
    expect(sent().body).toMatchObject({ model: 'small', stream: true, max_tokens: expect.any(Number) });
    expect(sent().body).not.toHaveProperty('tools');
  });

  it('C3.1 marks for the cache: the system text, the last tool, the last two messages added', async () => {
    await ask(plainAnswer(), { tools: [tool('b'), tool('a')] });
    const { system, tools, messages } = sent().body;
    const cached = { cache_control: { type: 'ephemeral' } };
    expect(system).toMatchObject([{ text: 'Be careful.', ...cached }]);
    expect(tools.map((each: object) => 'cache_control' in each)).toEqual([false, true]);
    expect(tools.map((each: { name: string }) => each.name)).toEqual(['b', 'a']);
    expect(messages[0].content[0]).toMatchObject({ text: 'hello', ...cached });
    expect(messages[2].content[0]).toMatchObject({ type: 'tool_result', tool_use_id: 'a1', ...cached });
    expect(JSON.stringify(sent().body).match(/cache_control/g)).toHaveLength(4);
  });

  it('C3.1 keeps its bytes up to what was added', async () => {
    const first = [{ role: 'user' as const, text: 'one' }];
    await ask(plainAnswer(), { messages: first, tools: [tool('a')] });
    const before = sent().body;
    const more = [
      ...first,
      { role: 'assistant' as const, text: 'two', calls: [] },
      { role: 'user' as const, text: 'three' },
    ];
    await ask(plainAnswer(), { messages: more, tools: [tool('a')] });
    const after = sent().body;
    expect(JSON.stringify([after.system, after.tools])).toBe(JSON.stringify([before.system, before.tools]));
    expect(JSON.stringify(after.messages[0])).toBe(JSON.stringify(before.messages[0]));
  });

  it('C3.10 its tools have an object at the root, whatever they had', async () => {
    const odd = tool('odd', { type: 'object', anyOf: [{ required: ['x'] }], properties: { x: { type: 'string' } } });
    await ask(plainAnswer(), { tools: [odd, tool('good')] });
    const [first, second] = sent().body.tools;
    expect(first.input_schema).toEqual({ type: 'object', properties: { x: { type: 'string' } }, required: ['x'] });
    expect(first.description).toMatch(/^Does odd\..*at least one of/s);
    expect(second).toMatchObject({ name: 'good', description: 'Does good.' });
    expect(second).not.toHaveProperty('eager_input_streaming');
  });

  it('C8.2 may forbid calls while the tools stay', async () => {
    await ask(plainAnswer(), { tools: [tool('a')], toolChoice: 'none' });
    expect(sent().body.tool_choice).toEqual({ type: 'none' });
    expect(sent().body.tools).toHaveLength(1);
  });

  it('says which result is a failure', async () => {
    const messages = [
      { role: 'user' as const, text: 'go' },
      { role: 'assistant' as const, text: '', calls: [{ id: 'x', name: 'f', arguments: '{}' }] },
      { role: 'tool' as const, results: [{ id: 'x', name: 'f', text: 'Error: no', success: false }] },
    ];
    await ask(plainAnswer(), { messages });
    expect(sent().body.messages[2].content[0]).toMatchObject({ content: 'Error: no', is_error: true });
  });

  it('C3.8 holds no blank text and no empty message', async () => {
    const messages = [
      { role: 'user' as const, text: 'go' },
      { role: 'assistant' as const, text: ' \n', calls: [], extras: { model: 'other/model', fields: {} } },
      { role: 'user' as const, text: 'on' },
    ];
    await ask(plainAnswer(), { messages });
    expect(sent().body.messages.map(({ role }: { role: string }) => role)).toEqual(['user', 'user']);
  });

  it('C11.7 is not made without a key, not even with one from the environment', async () => {
    process.env.ANTHROPIC_API_KEY = 'from-the-environment';
    const keyless = anthropic({ name: 'v', apiKey: undefined, scrub: (each) => each });
    const call = keyless.call({ model: 'm', system: '', messages: [], tools: [], toolChoice: 'auto' }, OPTIONS);
    await expect(call).rejects.toMatchObject({ failureClass: 'fatal', message: expect.stringContaining('api_key') });
    delete process.env.ANTHROPIC_API_KEY;
  });
});

const OPTIONS = { signal: new AbortController().signal, onPart: () => {} };

describe('C3.6 the round trip', () => {
  const thinking = (said: string, signature: string) =>
    block({ type: 'thinking', thinking: '', signature: '' }, [
      { type: 'thinking_delta', thinking: said },
      { type: 'signature_delta', signature: signature.slice(0, 3) },
      { type: 'signature_delta', signature: signature.slice(3) },
    ]);

  it('returns thinking, signatures, order, ids and the bytes of arguments as they came', async () => {
    const reply = await ask(
      answer(
        thinking('Hm.', 'AbC/+==\u00e9'),
        block({ type: 'redacted_thinking', data: 'Zz+/=' }),
        text('First.'),
        toolUse('t1', 'f', ['{ "n" : 1.0, "__proto__": 12345678901234567890', ' }']),
        thinking('Again.', 'DeF'),
        text('Second.'),
        toolUse('t2', 'g', []),
      ),
    );
    expect(reply).toMatchObject({ text: 'First.Second.', thinking: 'Hm.Again.', finish: 'calls' });
    const { body } = await again(reply);
    expect(body.messages[1]).toMatchObject({
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: 'Hm.', signature: 'AbC/+==\u00e9' },
        { type: 'redacted_thinking', data: 'Zz+/=' },
        { type: 'text', text: 'First.' },
        { type: 'tool_use', id: 't1', name: 'f' },
        { type: 'thinking', thinking: 'Again.', signature: 'DeF' },
        { type: 'text', text: 'Second.' },
        { type: 'tool_use', id: 't2', name: 'g' },
      ],
    });
    expect(body.messages[2].content).toMatchObject([
      { tool_use_id: 't1' },
      { tool_use_id: 't2' },
      { text: 'and now?' },
    ]);
  });

  it('sends the argument text itself, to the byte', async () => {
    const args = '{ "n" : 1.0, "__proto__": 12345678901234567890 }';
    await again(await ask(answer(toolUse('t1', 'f', [args]))));
    expect(sent().bytes).toContain(`"input":${args}`);
  });

  it('keeps citations and fields of a call that it does not know', async () => {
    const cited = block({ type: 'text', text: '', citations: [] }, [
      { type: 'text_delta', text: 'It is so.' },
      { type: 'citations_delta', citation: { type: 'char_location', cited_text: 'so', encrypted_index: 'E=' } },
    ]);
    const called = block({ type: 'tool_use', id: 't1', name: 'f', input: { a: 1 }, caller: { type: 'direct' } });
    const { body } = await again(await ask(answer(cited, called)));
    expect(body.messages[1].content).toEqual([
      {
        type: 'text',
        text: 'It is so.',
        citations: [{ type: 'char_location', cited_text: 'so', encrypted_index: 'E=' }],
      },
      { type: 'tool_use', id: 't1', name: 'f', input: { a: 1 }, caller: { type: 'direct' } },
    ]);
  });

  it('gives thinking to no other model', async () => {
    const reply = await ask(answer(thinking('Hm.', 'S'), text('A.'), toolUse('t1', 'f', ['{}'])));
    const { body } = await again(reply, {}, 'other');
    expect(body.messages[1].content).toEqual([
      { type: 'text', text: 'A.' },
      { type: 'tool_use', id: 't1', name: 'f', input: {} },
    ]);
  });

  it('a marker behind the text, another text, another id or name are taken over', async () => {
    const reply = await ask(answer(thinking('Hm.', 'S'), text('A.'), toolUse('t1', 'f', ['{}']), text('B.')));
    const marked = await again(reply, { text: 'A.B.\n\n[cut off]' });
    expect(marked.body.messages[1].content.map((each: { text?: string }) => each.text)).toEqual([
      undefined,
      'A.',
      undefined,
      'B.',
      '\n\n[cut off]',
    ]);
    const [call] = reply.calls;
    const changed = await again(reply, {
      text: 'Other.',
      calls: [{ ...call, id: 'c00000001', name: 'invalid_tool', arguments: '{"x":1}' }],
    });
    expect(changed.body.messages[1].content).toEqual([
      { type: 'thinking', thinking: 'Hm.', signature: 'S' },
      { type: 'text', text: 'Other.' },
      { type: 'tool_use', id: 'c00000001', name: 'invalid_tool', input: { x: 1 } },
    ]);
  });

  it('a plain answer needs no extras', async () => {
    expect(await ask(answer(text('A.'), toolUse('t1', 'f', ['{}'])))).not.toHaveProperty('extras');
  });
});

describe('C3.9 what the provider ran by itself', () => {
  const search = () => toolUse('s1', 'web_search', ['{"query":', '"x"}'], 'server_tool_use');
  const found = () =>
    block({ type: 'web_search_tool_result', tool_use_id: 's1', content: [{ encrypted_content: 'E==' }] });

  it('B10 is kept in the message, in the provider’s order, and is no call', async () => {
    const { expected } = caseOf('B10');
    const reply = await ask(answer(search(), toolUse('w1', 'read_data', ['{}']), found()));
    expect(reply.calls.map(({ id }) => id)).toEqual(expected.queued);
    expect(reply.providerCalls).toHaveLength(2);
    const { body } = await again(reply);
    expect(body.messages[1].content).toEqual([
      { type: 'server_tool_use', id: 's1', name: 'web_search', input: { query: 'x' } },
      { type: 'tool_use', id: 'w1', name: 'read_data', input: {} },
      { type: 'web_search_tool_result', tool_use_id: 's1', content: [{ encrypted_content: 'E==' }] },
    ]);
  });

  it('B76 leaves nothing pending', async () => {
    const reply = await ask(answer(search(), found(), text('Answer.')));
    expect(reply).toMatchObject({ calls: [], text: 'Answer.' });
    expect(reply.providerCalls).toMatchObject([
      { type: 'server_tool_use', input: { query: 'x' } },
      { tool_use_id: 's1' },
    ]);
  });

  it('is not run again when the rest fails', async () => {
    await expect(ask(stream(anthropicStart(), search()))).rejects.toMatchObject({ ranOwnCall: true });
  });
});

describe('C10.8 blocks', () => {
  it('an index that comes again begins another block', async () => {
    const twice = [1, 2].flatMap((n) => [
      named({
        type: 'content_block_start',
        index: 0,
        content_block: { type: 'tool_use', id: `t${n}`, name: 'f', input: {} },
      }),
      named({ type: 'content_block_delta', index: 0, delta: { type: 'input_json_delta', partial_json: `{"n":${n}}` } }),
    ]);
    const { calls } = await ask(answer(twice));
    expect(calls).toEqual([
      { id: 't1', name: 'f', arguments: '{"n":1}' },
      { id: 't2', name: 'f', arguments: '{"n":2}' },
    ]);
  });

  it('pieces of parallel calls are told apart by their index', async () => {
    const start = (index: number) =>
      named({
        type: 'content_block_start',
        index,
        content_block: { type: 'tool_use', id: `t${index}`, name: 'f', input: {} },
      });
    const piece = (index: number, partial_json: string) =>
      named({ type: 'content_block_delta', index, delta: { type: 'input_json_delta', partial_json } });
    const mixed = [start(7), start(3), piece(7, '{"n":'), piece(3, '{"n":'), piece(7, '7}'), piece(3, '3}')];
    const { calls } = await ask(answer(mixed));
    expect(calls.map((each) => each.arguments)).toEqual(['{"n":7}', '{"n":3}']);
  });

  it('C3.9 a call without a name, or arguments of nobody, are dropped and logged', async () => {
    const stray = named({
      type: 'content_block_delta',
      index: 99,
      delta: { type: 'input_json_delta', partial_json: '{}' },
    });
    const reply = await ask(answer([stray], toolUse('t', '', ['{}']), text('A.')));
    expect(reply).toMatchObject({ calls: [], text: 'A.' });
    expect(logged).toHaveLength(2);
  });

  it('pings and events that it does not know are passed over', async () => {
    const reply = await ask(answer([named({ type: 'ping' }), named({ type: 'new_event', more: 1 })], text('A.')));
    expect(reply.text).toBe('A.');
  });
});

describe('the end', () => {
  it.for([
    ['end_turn', 'stop'],
    ['stop_sequence', 'stop'],
    ['tool_use', 'calls'],
    ['max_tokens', 'length'],
    ['model_context_window_exceeded', 'length'],
    ['refusal', 'refusal'],
    ['pause_turn', 'other'],
  ])('C10.7 "%s" is %s', async ([word, kind]) => {
    expect((await ask(stream(anthropicStart(), text('x'), anthropicEnd(word as string)))).finish).toBe(kind);
  });

  it('C10.2 a stop reason without message_stop is no end', async () => {
    const [delta = ''] = anthropicEnd('end_turn');
    await expect(ask(stream(anthropicStart(), text('x'), delta))).rejects.toMatchObject({ failureClass: 'retryable' });
    await expect(ask(stream(anthropicStart(), text('x'), 'data: [DONE]\n\n'))).rejects.toThrow(/before the finish/);
  });

  it.for([
    ['overloaded_error', 'retryable'],
    ['api_error', 'retryable'],
    ['rate_limit_error', 'rate_limited'],
    ['authentication_error', 'fatal'],
    ['invalid_request_error', 'fatal'],
    ['request_too_large', 'overflow'],
  ])('C3.7 an error event of type %s is %s', async ([type, failureClass]) => {
    const error = named({ type: 'error', error: { type, message: 'It says so.' } });
    await expect(ask(stream(anthropicStart(), error))).rejects.toMatchObject({
      failureClass,
      message: expect.stringContaining('It says so.'),
    });
  });

  it.for([
    'prompt is too long: 208310 tokens > 200000 maximum',
    'input length and `max_tokens` exceed context limit: 190000 + 20000 > 200000',
  ])('C8.6 a 400 that says "%s" is an overflow', async (message) => {
    const body = JSON.stringify({ type: 'error', error: { type: 'invalid_request_error', message } });
    await expect(ask({ status: 400, pieces: [body] })).rejects.toMatchObject({ failureClass: 'overflow' });
  });
});

describe('usage', () => {
  it('is counted once, with what was read from and written to the cache', async () => {
    const start = {
      input_tokens: 100,
      cache_read_input_tokens: 1_000,
      cache_creation_input_tokens: 200,
      output_tokens: 1,
    };
    const end = anthropicEnd('end_turn', { input_tokens: 100, cache_read_input_tokens: 1_000, output_tokens: 50 });
    const { usage } = await ask(stream(anthropicStart(start), text('x'), end));
    expect(usage).toMatchObject({ inputTokens: 1_300, outputTokens: 50, cachedInputTokens: 1_000, reasoningTokens: 0 });
    const { input, output, cachedInput, cacheWrite } = PRICE;
    expect(usage.costUsd).toBeCloseTo((100 * input + 1_000 * cachedInput + 200 * cacheWrite + 50 * output) / 1e6, 12);
  });
});
