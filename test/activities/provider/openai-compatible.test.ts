// The adapter of chat completions: the suite that every adapter passes, and what is peculiar to this wire format.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openAiCompatible } from '../../../activities/provider/openai-compatible.ts';
import type { ProviderAdapter, ProviderReply, ProviderRequest } from '../../../activities/provider/types.ts';
import {
  call,
  chunk,
  DONE,
  finish,
  say,
  sse,
  stream,
  think,
  usage,
  type WireCall,
  wholeCall,
} from '../../support/wire-format.ts';
import { startWireServer, type WireAnswer, type WireServer } from '../../support/wire-server.ts';
import { type Dialect, providerContract, REQUEST } from './contract.ts';

const FINISH = {
  stop: 'stop',
  calls: 'tool_calls',
  length: 'length',
  filter: 'content_filter',
  refusal: 'refusal',
  other: 'odd',
};

const dialect: Dialect = {
  text: (text) => [say(text)],
  thinking: (text) => [think(text)],
  call: (index, id, name, [first = '', ...rest]) => [
    call({ index, id, type: 'function', function: { name, arguments: first } }),
    ...rest.map((piece) => call({ index, function: { arguments: piece } })),
  ],
  end: (kind, { input, output, cached }) => [
    finish(FINISH[kind]),
    usage(input, output, { prompt_tokens_details: { cached_tokens: cached } }),
    DONE,
  ],
  // The finish reason is terminal; the usage and [DONE] may be missing.
  optionalEnd: 2,
  errorEvent: (message, kind) =>
    sse({ error: { message, type: kind === 'overloaded' ? 'server_error' : 'rate_limit_exceeded' } }),
  errorBody: (message) => JSON.stringify({ error: { message } }),
};

providerContract('openai-compatible', {
  dialect,
  make: ({ baseUrl, apiKey, limits, scrub }) => openAiCompatible({ name: 'local', baseUrl, apiKey, limits, scrub }),
});

let server: WireServer;
let adapter: ProviderAdapter;
const logged: string[] = [];

beforeAll(async () => {
  server = await startWireServer();
  adapter = openAiCompatible({
    name: 'local',
    baseUrl: server.url,
    apiKey: 'secret',
    prices: { small: { input: 2, output: 10 } },
    scrub: (text) => text,
    log: (message) => void logged.push(message),
  });
});
afterAll(() => server.close());

function ask(answer: WireAnswer, request: Partial<ProviderRequest> = {}): Promise<ProviderReply> {
  server.answer(answer);
  logged.length = 0;
  return adapter.call({ ...REQUEST, ...request }, { signal: new AbortController().signal, onPart: () => {} });
}
const body = () => server.requests[0]?.body;
const callsFrom = async (...pieces: string[]) => {
  const { calls } = await ask(stream(...pieces, finish('tool_calls'), DONE));
  return calls.map(({ id, name, arguments: args }) => [id, name, args]);
};
const piece = (index: number | undefined, id: string | undefined, name: string | undefined, args: unknown): string => {
  const fn = { ...(name === undefined ? {} : { name }), ...(args === undefined ? {} : { arguments: args }) };
  return call({
    ...(index === undefined ? {} : { index }),
    ...(id === undefined ? {} : { id }),
    function: fn,
  } as WireCall);
};

describe('calls', () => {
  it('C10.8 a new id starts a call even if the index repeats', async () => {
    expect(await callsFrom(piece(0, 'a', 'f', '{"n":1}'), piece(0, 'b', 'f', '{"n":2}'))).toEqual([
      ['a', 'f', '{"n":1}'],
      ['b', 'f', '{"n":2}'],
    ]);
  });

  it('C10.8 a new name starts a call without id and index', async () => {
    expect(await callsFrom(piece(undefined, undefined, 'f', '{}'), piece(undefined, undefined, 'g', '{}'))).toEqual([
      ['', 'f', '{}'],
      ['', 'g', '{}'],
    ]);
  });

  it('C10.8 arguments alone continue the call of their index, else the latest', async () => {
    const pieces = [piece(7, 'a', 'f', '{"n"'), piece(3, 'b', 'g', '{"m"'), piece(7, undefined, undefined, ':1}')];
    expect(await callsFrom(...pieces, piece(undefined, undefined, undefined, ':2}'))).toEqual([
      ['a', 'f', '{"n":1}'],
      ['b', 'g', '{"m":2}'],
    ]);
  });

  it('C10.8 an id and a name that are repeated on every piece start nothing', async () => {
    const pieces = ['{"n"', ':', '1}'].map((args) => piece(0, 'a', 'f', args));
    expect(await callsFrom(...pieces)).toEqual([['a', 'f', '{"n":1}']]);
  });

  it('C10.8 a name that comes after the id, or an id after the name, completes the call', async () => {
    expect(await callsFrom(piece(0, 'a', undefined, ''), piece(0, undefined, 'f', '{}'))).toEqual([['a', 'f', '{}']]);
    expect(await callsFrom(piece(0, undefined, 'f', ''), piece(0, 'a', undefined, '{}'))).toEqual([['a', 'f', '{}']]);
  });

  it('C10.8 two calls with the same id and name are two', async () => {
    expect(await callsFrom(call(wholeCall(0, 'd', 'f', '{"n":1}'), wholeCall(1, 'd', 'f', '{"n":2}')))).toHaveLength(2);
    expect(await callsFrom(piece(undefined, 'd', 'f', '{"n":1}'), piece(undefined, 'd', 'f', '{"n":2}'))).toHaveLength(
      2,
    );
  });

  it('C1.5 arguments that come as an object are given as their text', async () => {
    expect(await callsFrom(piece(undefined, undefined, 'f', { city: 'Oslo' }))).toEqual([['', 'f', '{"city":"Oslo"}']]);
  });

  it('C3.9 an entry without a name is dropped and logged', async () => {
    expect(
      await callsFrom(piece(0, '', undefined, undefined), piece(1, 'x', '', '{}'), piece(2, 'b', 'g', '{}')),
    ).toEqual([['b', 'g', '{}']]);
    expect(logged).toHaveLength(2);
  });

  it('C3.9 what the provider ran by itself is kept apart', async () => {
    const run = { name: 'web_search', arguments: '{"query":"x"}', output: 'hits' };
    const reply = await ask(stream(chunk({ executed_tools: [run] }), say('Answer.'), finish('tool_calls'), DONE));
    expect(reply).toMatchObject({ calls: [], providerCalls: [run], text: 'Answer.' });
  });

  it('C3.9 a failure after such a call says that nothing may be repeated', async () => {
    const broken = ask(stream(chunk({ executed_tools: [{ name: 'buy' }] }), say('half')));
    await expect(broken).rejects.toMatchObject({ ranOwnCall: true });
  });

  it('C10.8 ten thousand calls are read in order', async () => {
    const many = Array.from({ length: 10_000 }, (_, n) => piece(n, `c${n}`, 'f', `{"n":${n}}`));
    const { calls } = await ask(stream(many.join(''), finish('tool_calls'), DONE));
    expect(calls).toHaveLength(10_000);
    expect(calls.at(-1)?.arguments).toBe('{"n":9999}');
  });
});

describe('the end', () => {
  it.for([
    ['max_tokens', 'length'],
    ['MAX_TOKENS', 'length'],
    ['model_length', 'length'],
    ['model_context_window_exceeded', 'length'],
    ['SAFETY', 'filter'],
    ['RECITATION', 'filter'],
    ['content-filter', 'filter'],
    ['refusal', 'refusal'],
    ['end_turn', 'stop'],
    ['tool_use', 'calls'],
    ['whatever', 'other'],
  ])('C10.7 "%s" is %s', async ([word, kind]) => {
    expect((await ask(stream(say('x'), finish(word), DONE))).finish).toBe(kind);
  });

  it('C10.7 a refusal is text and finish, also when the reason says stop', async () => {
    expect(await ask(stream(chunk({ refusal: 'I will not.' }), finish('stop'), DONE))).toMatchObject({
      text: 'I will not.',
      finish: 'refusal',
    });
  });

  it('C10.2 [DONE] alone is an end; an empty reason is none', async () => {
    expect((await ask(stream(say('x'), finish(''), DONE))).finish).toBe('stop');
    expect((await ask(stream(call(wholeCall(0, 'a', 'f', {})), finish(null), DONE))).finish).toBe('calls');
    await expect(ask(stream(say('x'), finish('')))).rejects.toMatchObject({ failureClass: 'retryable' });
  });

  it('C10.2 waits for [DONE] and the usage, but not for ever', async () => {
    const late = await ask({ pieces: [say('x'), finish(), { waitMs: 300 }, usage(3, 1), DONE], end: 'open' });
    expect(late.usage.inputTokens).toBe(3);
    const never = await ask({ pieces: [say('x'), finish()], end: 'open' });
    expect(never.text).toBe('x');
  });

  it('C10.2 a connection that breaks after the finish reason is an end', async () => {
    expect((await ask({ pieces: [say('x'), finish(), usage(3, 1)], end: 'reset' })).text).toBe('x');
  });

  it('C10.2 a server that does not stream is understood', async () => {
    const message = { role: 'assistant', content: 'hi', tool_calls: [wholeCall(0, 'a', 'f', {})] };
    const completion = {
      object: 'chat.completion',
      choices: [{ index: 0, message, finish_reason: 'tool_calls' }],
      usage: { prompt_tokens: 4, completion_tokens: 2 },
    };
    const reply = await ask({ headers: { 'content-type': 'application/json' }, pieces: [JSON.stringify(completion)] });
    expect(reply).toMatchObject({
      text: 'hi',
      calls: [{ id: 'a', name: 'f' }],
      usage: { inputTokens: 4, outputTokens: 2 },
    });
  });
});

describe('usage', () => {
  it('is counted once although it is reported with every chunk, and priced as configured', async () => {
    const grown = [1, 2, 3].map((n) =>
      sse({ choices: [{ index: 0, delta: { content: 'x' } }], usage: { prompt_tokens: 100, completion_tokens: n } }),
    );
    const { usage: used } = await ask(stream(...grown, finish(), DONE));
    expect(used).toMatchObject({ inputTokens: 100, outputTokens: 3 });
    expect(used.costUsd).toBeCloseTo((100 * 2 + 3 * 10) / 1e6, 12);
  });

  it('odd figures count as nothing', async () => {
    const odd = sse({
      choices: null,
      usage: { prompt_tokens: 'many', completion_tokens: -3, prompt_tokens_details: null },
    });
    const reply = await ask(stream(say('x'), finish(), odd, DONE));
    expect(reply.usage).toEqual({
      inputTokens: 0,
      outputTokens: 0,
      cachedInputTokens: 0,
      reasoningTokens: 0,
      costUsd: 0,
    });
  });
});

describe('the round trip', () => {
  const again = async (reply: ProviderReply, model = 'small') => {
    const calls = reply.calls.map((each) => ({ ...each, id: each.id || 'ours' }));
    const extras = reply.extras === undefined ? {} : { extras: reply.extras };
    await ask(stream(say('x'), finish(), DONE), {
      model,
      messages: [
        { role: 'user', text: 'go' },
        { role: 'assistant', text: reply.text, calls, ...extras },
        { role: 'tool', results: calls.map(({ id, name }) => ({ id, name, text: 'r', success: false })) },
      ],
    });
    return body().messages[2];
  };

  it('C3.6 returns the extras of a call and of a message byte for byte', async () => {
    const signature = { google: { thought_signature: 'AbC/+==' } };
    const detail = (text: string, index: number) => ({
      type: 'reasoning.text',
      index,
      text,
      signature: index ? 'S' : null,
    });
    const reply = await ask(
      stream(
        chunk({ reasoning_content: 'think ', reasoning_details: [detail('a', 0)] }),
        chunk({ reasoning_content: 'more', reasoning_details: [detail('b', 0)] }),
        chunk({ reasoning_details: [detail('c', 1)] }),
        call({ ...wholeCall(0, 'a', 'f', '{ "n" : 1.0 }'), extra_content: signature } as WireCall),
        finish('tool_calls'),
        DONE,
      ),
    );
    expect(reply.thinking).toBe('think more');
    expect(await again(JSON.parse(JSON.stringify(reply)) as ProviderReply)).toEqual({
      role: 'assistant',
      content: null,
      reasoning_content: 'think more',
      reasoning_details: [
        { type: 'reasoning.text', index: 0, text: 'ab', signature: null },
        { type: 'reasoning.text', index: 1, text: 'c', signature: 'S' },
      ],
      tool_calls: [
        { id: 'a', type: 'function', function: { name: 'f', arguments: '{ "n" : 1.0 }' }, extra_content: signature },
      ],
    });
  });

  it('C3.6 gives them to no other model', async () => {
    const reply = await ask(
      stream(chunk({ reasoning_content: 't' }), call(wholeCall(0, 'a', 'f', {})), finish('tool_calls'), DONE),
    );
    expect(await again(reply, 'other')).not.toHaveProperty('reasoning_content');
  });

  it('C3.6 sends the bytes of the arguments that the model wrote', async () => {
    const args = '{"__proto__": 1, "big": 12345678901234567890}';
    await ask(stream(say('x'), finish(), DONE), {
      messages: [
        { role: 'user', text: 'go' },
        { role: 'assistant', text: '', calls: [{ id: 'a', name: 'f', arguments: args }] },
        { role: 'tool', results: [{ id: 'a', name: 'f', text: '', success: true }] },
      ],
    });
    expect(body().messages[2].tool_calls[0].function.arguments).toBe(args);
    expect(body().messages[3]).toEqual({ role: 'tool', tool_call_id: 'a', content: '' });
  });
});

describe('the request', () => {
  it('C3.1 lists the tools in their order, with tool choice auto or none', async () => {
    const tool = (name: string) => ({
      name,
      description: `does ${name}`,
      parameters: { type: 'object', properties: { x: { type: 'string' } } },
      effect: 'none' as const,
      executor: 'activity' as const,
      timeoutMs: 1,
      provenance: 'native' as const,
    });
    await ask(stream(say('x'), finish(), DONE), { tools: [tool('b'), tool('a')], toolChoice: 'none' });
    expect(body().tools.map((each: { function: { name: string } }) => each.function.name)).toEqual(['b', 'a']);
    expect(body().tools[0].function.parameters).toEqual(tool('b').parameters);
    expect(body().tool_choice).toBe('none');
  });

  it('C3.1 without tools names neither tools nor a choice, and asks for a stream with usage', async () => {
    await ask(stream(say('x'), finish(), DONE));
    expect(body()).not.toHaveProperty('tools');
    expect(body()).not.toHaveProperty('tool_choice');
    expect(body()).toMatchObject({ model: 'small', stream: true, stream_options: { include_usage: true } });
    expect(server.requests[0]?.headers.authorization).toBe('Bearer secret');
  });

  it('the same request has the same bytes', async () => {
    await ask(stream(say('x'), finish(), DONE));
    const first = JSON.stringify(body());
    await ask(stream(say('x'), finish(), DONE));
    expect(JSON.stringify(body())).toBe(first);
  });
});
