// OpenAI's responses: the suite that every adapter passes, and what is peculiar to them.
import { describe, expect, it } from 'vitest';
import { openAi } from '../../../../activities/provider/vendors/openai.ts';
import {
  functionCall,
  item,
  messageItem,
  named,
  openAiDialect,
  reasoningItem,
  refusalItem,
  responseEnd,
  stream,
} from '../../../support/vendor-wire.ts';
import { providerContract } from '../contract.ts';
import { stageOf, tool } from './stage.ts';

providerContract('openai', {
  dialect: openAiDialect,
  make: ({ baseUrl, apiKey, limits, scrub }) => openAi({ name: 'vendor', baseUrl, apiKey, limits, scrub }),
});

const plainAnswer = () => stream(messageItem('ok'), responseEnd());
const { ask, again, sent, logged } = stageOf(openAi, plainAnswer);
const answer = (...pieces: string[][]) => stream(...pieces, responseEnd());

describe('the request', () => {
  it('goes to responses with the key in its header, and nothing is stored there', async () => {
    await ask(plainAnswer());
    expect(sent().path).toBe('/v1/responses');
    expect(sent().headers.authorization).toBe('Bearer the-key-0001');
    expect(sent().body).toMatchObject({ model: 'small', stream: true, store: false });
    expect(sent().body).not.toHaveProperty('tools');
  });

  it('a model that thinks is asked for its reasoning in a form that can go back', async () => {
    await ask(plainAnswer(), { model: 'gpt-5' });
    expect(sent().body.include).toEqual(['reasoning.encrypted_content']);
  });

  it('C3.10 a tool is strict only where nothing is lost, and always says so', async () => {
    const exact = {
      type: 'object',
      properties: { a: { type: 'string' } },
      required: ['a'],
      additionalProperties: false,
    };
    const open = { type: 'object', properties: { a: { type: 'string' } } };
    await ask(plainAnswer(), { tools: [tool('exact', exact), tool('open', open)] });
    expect(sent().body.tools).toMatchObject([
      { type: 'function', name: 'exact', strict: true, parameters: exact },
      { type: 'function', name: 'open', strict: false, parameters: open },
    ]);
    expect(sent().body.tool_choice).toBe('auto');
  });

  it('results carry their text as it is, failed ones too', async () => {
    const messages = [
      { role: 'user' as const, text: 'go' },
      { role: 'assistant' as const, text: '', calls: [{ id: 'x', name: 'f', arguments: '{}' }] },
      { role: 'tool' as const, results: [{ id: 'x', name: 'f', text: 'Error: no', success: false }] },
    ];
    await ask(plainAnswer(), { messages });
    expect(sent().body.input.slice(2)).toEqual([
      { type: 'function_call', call_id: 'x', name: 'f', arguments: '{}' },
      { type: 'function_call_output', call_id: 'x', output: 'Error: no' },
    ]);
  });

  it('the same request has the same bytes', async () => {
    await ask(plainAnswer(), { tools: [tool('a')] });
    const first = sent().bytes;
    await ask(plainAnswer(), { tools: [tool('a')] });
    expect(sent().bytes).toBe(first);
  });
});

describe('C3.6 the round trip', () => {
  it('returns reasoning, order, ids, phases and the text of arguments as they came', async () => {
    const args = '{ "n" : 1.0, "__proto__": 12345678901234567890 }';
    const reply = await ask(
      answer(
        reasoningItem('Hm.', 'gAAA/+=='),
        messageItem('First.', { phase: 'commentary' }),
        functionCall('call_1', 'f', [args.slice(0, 5), args.slice(5)]),
        reasoningItem('Again.', 'gBBB'),
        functionCall('call_2', 'g', ['{}']),
      ),
    );
    expect(reply).toMatchObject({ text: 'First.', thinking: 'Hm.Again.', finish: 'calls' });
    const { body } = await again(reply);
    expect(body.input.slice(2)).toMatchObject([
      { type: 'reasoning', summary: [{ type: 'summary_text', text: 'Hm.' }], encrypted_content: 'gAAA/+==' },
      {
        type: 'message',
        role: 'assistant',
        status: 'completed',
        phase: 'commentary',
        content: [{ type: 'output_text', text: 'First.', annotations: [] }],
      },
      { type: 'function_call', id: expect.stringMatching(/^fc_/), call_id: 'call_1', name: 'f', arguments: args },
      { type: 'reasoning', encrypted_content: 'gBBB' },
      { type: 'function_call', call_id: 'call_2', name: 'g', arguments: '{}' },
      { type: 'function_call_output', call_id: 'call_1', output: 'result of call_1' },
      { type: 'function_call_output', call_id: 'call_2' },
      { role: 'user' },
    ]);
  });

  it('reasoning that could only be looked up there does not go back', async () => {
    const { body } = await again(await ask(answer(reasoningItem('Hm.', null), functionCall('c', 'f', ['{}']))));
    expect(JSON.stringify(body.input)).not.toContain('reasoning');
  });

  it('gives reasoning to no other model', async () => {
    const reply = await ask(answer(reasoningItem('Hm.'), messageItem('A.'), functionCall('c', 'f', ['{}'])));
    const { body } = await again(reply, {}, 'other');
    expect(body.input.slice(2, 4)).toEqual([
      { role: 'assistant', content: [{ type: 'output_text', text: 'A.' }] },
      { type: 'function_call', call_id: 'c', name: 'f', arguments: '{}' },
    ]);
  });

  it('a marker behind the text and another text are taken over', async () => {
    const reply = await ask(answer(reasoningItem('Hm.'), messageItem('A.')));
    const textsOf = async (text: string) => {
      const { body } = await again(reply, { text });
      return body.input.flatMap(({ role, content }: { role?: string; content: { text: string }[] }) =>
        role === 'assistant' ? content.map((part) => part.text) : [],
      );
    };
    expect(await textsOf('A.\n\n[cut off]')).toEqual(['A.\n\n[cut off]']);
    expect(await textsOf('Other.')).toEqual(['Other.']);
  });
});

describe('C3.9 what the provider ran by itself', () => {
  const search = () => {
    const head = { id: 'ws_1', type: 'web_search_call' };
    return item({ ...head, status: 'in_progress' }, [{ type: 'response.web_search_call.searching' }], {
      ...head,
      status: 'completed',
      action: { type: 'search', query: 'x' },
    });
  };

  it('B10 B76 is kept in the message, in its order, and is no call', async () => {
    const reply = await ask(answer(search(), functionCall('w1', 'read_data', ['{}']), messageItem('Answer.')));
    expect(reply.calls.map(({ id }) => id)).toEqual(['w1']);
    expect(reply.providerCalls).toMatchObject([{ type: 'web_search_call', action: { query: 'x' } }]);
    const { body } = await again(reply);
    expect(body.input.slice(2, 5).map(({ type }: { type: string }) => type)).toEqual([
      'web_search_call',
      'function_call',
      'message',
    ]);
  });

  it('is not run again when the rest fails', async () => {
    await expect(ask(stream(search()))).rejects.toMatchObject({ ranOwnCall: true });
  });
});

describe('C10.8 items', () => {
  it('pieces of parallel calls are told apart by their index', async () => {
    const added = (output_index: number) =>
      named({
        type: 'response.output_item.added',
        output_index,
        item: { type: 'function_call', id: `fc${output_index}`, call_id: `c${output_index}`, name: 'f', arguments: '' },
      });
    const piece = (output_index: number, delta: string) =>
      named({ type: 'response.function_call_arguments.delta', output_index, delta });
    const { calls } = await ask(answer([added(7), added(3), piece(7, '{"n":'), piece(3, '{"n":3}'), piece(7, '7}')]));
    expect(calls.map((call) => [call.id, call.arguments])).toEqual([
      ['c7', '{"n":7}'],
      ['c3', '{"n":3}'],
    ]);
  });

  it('an answer that comes only with its end is whole', async () => {
    const output = [
      {
        id: 'm',
        type: 'message',
        role: 'assistant',
        content: [{ type: 'output_text', text: 'All.', annotations: [] }],
      },
      { id: 'f', type: 'function_call', call_id: 'c', name: 'f', arguments: '{}' },
    ];
    expect(await ask(stream(responseEnd({ output })))).toMatchObject({
      text: 'All.',
      calls: [{ id: 'c', name: 'f', arguments: '{}' }],
    });
  });

  it('items that are repeated at the end are counted once', async () => {
    const output = [{ id: 'm', type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'A.' }] }];
    const added = named({ type: 'response.output_item.added', output_index: 0, item: { ...output[0], content: [] } });
    const delta = named({ type: 'response.output_text.delta', output_index: 0, content_index: 0, delta: 'A.' });
    const done = named({ type: 'response.output_item.done', output_index: 0, item: output[0] as object });
    expect((await ask(stream(added, delta, done, responseEnd({ output })))).text).toBe('A.');
  });

  it('C3.9 a call without a name is dropped and logged', async () => {
    expect(await ask(answer(functionCall('c', '', ['{}']), messageItem('A.')))).toMatchObject({
      calls: [],
      text: 'A.',
    });
    expect(logged).toHaveLength(1);
  });
});

describe('the end', () => {
  it.for<[string, Record<string, unknown>, string]>([
    ['a plain end', {}, 'stop'],
    ['the output limit', { incomplete_details: { reason: 'max_output_tokens' } }, 'length'],
    ['the filter', { incomplete_details: { reason: 'content_filter' } }, 'filter'],
  ])('C10.7 %s', async ([, more, kind]) => {
    expect((await ask(stream(messageItem('x'), responseEnd(more)))).finish).toBe(kind);
  });

  it('C10.7 a refusal is text and finish', async () => {
    expect(await ask(answer(refusalItem('I will not.')))).toMatchObject({ text: 'I will not.', finish: 'refusal' });
  });

  it('C10.2 items that are done without the response’s end are no end', async () => {
    await expect(ask(stream(messageItem('x')))).rejects.toMatchObject({ failureClass: 'retryable' });
    await expect(ask(stream(messageItem('x'), 'data: [DONE]\n\n'))).rejects.toMatchObject({
      failureClass: 'retryable',
    });
  });

  it.for<[string, Record<string, unknown>, string]>([
    ['a server error', { code: 'server_error', message: 'It says so.' }, 'retryable'],
    ['a rate limit', { code: 'rate_limit_exceeded', message: 'It says so.' }, 'rate_limited'],
    ['an overflow', { code: 'context_length_exceeded', message: 'It says so.' }, 'overflow'],
    ['a wrong request', { code: 'invalid_request_error', message: 'It says so.' }, 'fatal'],
  ])('C3.7 %s inside the stream, as an event or as the end', async ([, error, failureClass]) => {
    const expected = { failureClass, message: expect.stringContaining('It says so.') };
    for (const event of [
      named({ type: 'error', sequence_number: 1, ...error }),
      named({ type: 'error', error }),
      named({ type: 'response.failed', response: { status: 'failed', error } }),
    ]) {
      await expect(ask(stream(messageItem('half'), event))).rejects.toMatchObject(expected);
    }
  });
});

describe('usage', () => {
  it('is counted once, with cached and reasoning tokens', async () => {
    const usage = {
      input_tokens: 100,
      input_tokens_details: { cached_tokens: 60 },
      output_tokens: 30,
      output_tokens_details: { reasoning_tokens: 20 },
      total_tokens: 130,
    };
    expect((await ask(stream(messageItem('x'), responseEnd({ usage })))).usage).toMatchObject({
      inputTokens: 100,
      cachedInputTokens: 60,
      outputTokens: 30,
      reasoningTokens: 20,
    });
  });
});
