// Google's generations: the suite that every adapter passes, and what is peculiar to them.
import { describe, expect, it } from 'vitest';
import { google } from '../../../../activities/provider/vendors/google.ts';
import { caseOf } from '../../../support/cases.ts';
import { googleDialect, googleEnd, parts, plain, stream } from '../../../support/vendor-wire.ts';
import { providerContract } from '../contract.ts';
import { stageOf, tool } from './stage.ts';

providerContract('google', {
  dialect: googleDialect,
  make: ({ baseUrl, apiKey, limits, scrub }) => google({ name: 'vendor', baseUrl, apiKey, limits, scrub }),
});

const plainAnswer = () => stream(parts({ text: 'ok' }), googleEnd('STOP'));
const { ask, again, sent, logged, server } = stageOf(google, plainAnswer);
const answer = (...pieces: string[]) => stream(...pieces, googleEnd('STOP', { promptTokenCount: 1 }));
const callPart = (name: string, args: unknown, more: object = {}) => ({ functionCall: { name, args }, ...more });

describe('the request', () => {
  it('B91 has the key in a header, never in the address', async () => {
    await ask(plainAnswer());
    expect(sent().path).toBe('/v1/models/small:streamGenerateContent?alt=sse');
    expect(sent().headers['x-goog-api-key']).toBe('the-key-0001');
    const lost = google({ name: 'v', baseUrl: 'http://127.0.0.1:1/v1', apiKey: 'FAKE-8888', scrub: (text) => text });
    const call = lost.call(
      { model: 'm', system: '', messages: [{ role: 'user', text: 'x' }], tools: [], toolChoice: 'auto' },
      { signal: new AbortController().signal, onPart: () => {} },
    );
    const error = await call.catch((reason: Error) => reason);
    for (const secret of caseOf('B91').expected.must_not_appear) expect(String(error)).not.toContain(secret);
  });

  it('C3.10 its tools are in its own dialect; one without parameters has none', async () => {
    const odd = {
      type: 'object',
      properties: { x: { type: ['string', 'null'] }, n: { enum: [1, 2] } },
      required: ['x'],
    };
    await ask(plainAnswer(), { tools: [tool('odd', odd), tool('bare')] });
    expect(sent().body.tools).toEqual([
      {
        functionDeclarations: [
          {
            name: 'odd',
            description: 'Does odd.',
            parameters: {
              type: 'object',
              properties: { x: { type: 'string', nullable: true }, n: { type: 'string', enum: ['1', '2'] } },
              required: ['x'],
            },
          },
          { name: 'bare', description: 'Does bare.' },
        ],
      },
    ]);
  });

  it('C3.10 a number of an enum comes back as a number, and goes back as the model wrote it', async () => {
    const schema = { type: 'object', properties: { n: { enum: [1, 2] } } };
    const reply = await ask(answer(parts(callPart('odd', { n: '2' }))), { tools: [tool('odd', schema)] });
    expect(reply.calls[0]?.arguments).toBe('{"n":2}');
    const { body } = await again(reply);
    expect(body.contents[1].parts[0].functionCall.args).toEqual({ n: '2' });
  });

  it('the system text is apart, failed results say so, calls and results share their ids', async () => {
    const messages = [
      { role: 'user' as const, text: 'go' },
      { role: 'assistant' as const, text: '', calls: [{ id: 'x', name: 'f', arguments: '{"a":1}' }] },
      { role: 'tool' as const, results: [{ id: 'x', name: 'f', text: 'Error: no', success: false }] },
    ];
    await ask(plainAnswer(), { messages, model: 'gemini-2.5-flash' });
    const { systemInstruction, contents } = sent().body;
    expect(systemInstruction).toEqual({ parts: [{ text: 'Be careful.' }] });
    expect(contents.slice(1)).toEqual([
      { role: 'model', parts: [{ functionCall: { id: 'x', name: 'f', args: { a: 1 } } }] },
      {
        role: 'user',
        parts: [{ functionResponse: { id: 'x', name: 'f', response: { name: 'f', error: 'Error: no' } } }],
      },
    ]);
  });

  it('a call that another model made stands with Google’s word for it, where a signature would be asked for', async () => {
    const calls = [
      { id: 'x', name: 'f', arguments: '{}', extras: { model: 'other/m', fields: { caller: 1 } } },
      { id: 'y', name: 'f', arguments: '{}' },
    ];
    const messages = [
      { role: 'user' as const, text: 'go' },
      { role: 'assistant' as const, text: '', calls },
      { role: 'tool' as const, results: calls.map(({ id }) => ({ id, name: 'f', text: 'r', success: true })) },
    ];
    await ask(plainAnswer(), { messages, model: 'gemini-3-pro-preview' });
    const [first, second] = sent().body.contents[1].parts;
    expect(first.thoughtSignature).toBe('skip_thought_signature_validator');
    expect(second).not.toHaveProperty('thoughtSignature');
  });
});

describe('C3.6 the round trip', () => {
  it('returns thoughts, signatures, order and the bytes of arguments as they came', async () => {
    const args = '{"n":1.0,"__proto__":12345678901234567890,"e":1e3}';
    const call = `{"functionCall":{"id":"g1","name":"f","args":${args}},"thoughtSignature":"CsQ/+=="}`;
    const chunk = `data: {"candidates":[{"content":{"role":"model","parts":[${call}]}}]}\n\n`;
    const reply = await ask(
      answer(
        parts({ text: 'Hm, ', thought: true }),
        parts({ text: 'so.', thought: true }),
        parts({ text: 'Fir' }),
        parts({ text: 'st.' }),
        parts({ text: '', thoughtSignature: 'EmptyText=' }),
        chunk,
        parts(callPart('g', {})),
        parts({ text: 'Second.', thoughtSignature: 'Text=' }),
      ),
    );
    expect(reply).toMatchObject({ text: 'First.Second.', thinking: 'Hm, so.', finish: 'calls' });
    expect(reply.calls[0]).toMatchObject({ id: 'g1', arguments: args });
    const { body, bytes } = await again(reply);
    expect(body.contents[1].parts).toMatchObject([
      { text: 'Hm, so.', thought: true },
      { text: 'First.' },
      { text: '', thoughtSignature: 'EmptyText=' },
      { functionCall: { id: 'g1', name: 'f' }, thoughtSignature: 'CsQ/+==' },
      { functionCall: { id: 'ours1', name: 'g', args: {} } },
      { text: 'Second.', thoughtSignature: 'Text=' },
    ]);
    expect(bytes).toContain(`"args":${args}`);
    expect(
      body.contents[2].parts.map((part: { functionResponse: { id: string } }) => part.functionResponse.id),
    ).toEqual(['g1', 'ours1']);
  });

  it('gives signatures to no other model', async () => {
    const reply = await ask(answer(parts(callPart('f', {}, { thoughtSignature: 'CsQ=' }))));
    const { bytes } = await again(reply, {}, 'gemini-2.5-flash');
    expect(bytes).not.toContain('CsQ=');
  });
});

describe('C3.9 what the provider ran by itself', () => {
  const code = { executableCode: { language: 'PYTHON', code: 'print(1)' } };
  const result = { codeExecutionResult: { outcome: 'OUTCOME_OK', output: '1\n' } };

  it('B10 B76 is kept in the message, in its order, and is no call', async () => {
    const reply = await ask(answer(parts(code), parts(callPart('f', {})), parts(result), parts({ text: 'Answer.' })));
    expect(reply.calls.map(({ name }) => name)).toEqual(['f']);
    expect(reply.providerCalls).toEqual([code, result]);
    const { body } = await again(reply);
    expect(body.contents[1].parts).toMatchObject([code, { functionCall: { name: 'f' } }, result, { text: 'Answer.' }]);
  });

  it('is not run again when the rest fails', async () => {
    await expect(ask(stream(parts(code)))).rejects.toMatchObject({ ranOwnCall: true });
  });
});

describe('the end', () => {
  it.for([
    ['STOP', 'stop'],
    ['MAX_TOKENS', 'length'],
    ['CONTINUATION', 'length'],
    ['SAFETY', 'filter'],
    ['RECITATION', 'filter'],
    ['LANGUAGE', 'filter'],
    ['BLOCKLIST', 'filter'],
    ['PROHIBITED_CONTENT', 'filter'],
    ['SPII', 'filter'],
    ['IMAGE_SAFETY', 'filter'],
    ['MALFORMED_FUNCTION_CALL', 'other'],
    ['OTHER', 'other'],
  ])('C10.7 "%s" is %s', async ([word, kind]) => {
    expect((await ask(stream(parts({ text: 'x' }), googleEnd(word as string)))).finish).toBe(kind);
  });

  it('C10.2 the usage may come behind the finish reason', async () => {
    const end = plain({ candidates: [{ finishReason: 'STOP' }] });
    const late = plain({ usageMetadata: { promptTokenCount: 9, candidatesTokenCount: 1 } });
    const { usage } = await ask({ ...stream(parts({ text: 'x' }), end, late), end: 'open' });
    expect(usage).toMatchObject({ inputTokens: 9, outputTokens: 1 });
    expect((await ask(stream(parts({ text: 'x' }), end))).text).toBe('x');
  });

  it('C10.2 a reason that is none is no end', async () => {
    const none = plain({
      candidates: [{ content: { parts: [{ text: 'x' }] }, finishReason: 'FINISH_REASON_UNSPECIFIED' }],
    });
    await expect(ask(stream(none))).rejects.toMatchObject({ failureClass: 'retryable' });
  });

  it('C3.7 a conversation that it does not take fails clearly, and is not asked again', async () => {
    await expect(ask(stream(plain({ promptFeedback: { blockReason: 'SAFETY' } })))).rejects.toMatchObject({
      failureClass: 'fatal',
      message: expect.stringContaining('SAFETY'),
    });
  });

  it('C10.2 an answer that is not streamed is understood', async () => {
    const whole = JSON.stringify([{ candidates: [{ content: { parts: [{ text: 'hi' }] }, finishReason: 'STOP' }] }]);
    const reply = await ask({ headers: { 'content-type': 'application/json' }, pieces: [whole] });
    expect(reply.text).toBe('hi');
  });

  it.for<[string, string, string]>([
    ['UNAVAILABLE', 'The model is overloaded.', 'retryable'],
    ['RESOURCE_EXHAUSTED', 'You exceeded your quota.', 'rate_limited'],
    ['INVALID_ARGUMENT', 'The input token count (9) exceeds the maximum number of tokens allowed (5).', 'overflow'],
    ['PERMISSION_DENIED', 'No access.', 'fatal'],
  ])('C3.7 %s inside the stream, with or without its number', async ([status, message, failureClass]) => {
    const code = { UNAVAILABLE: 503, RESOURCE_EXHAUSTED: 429, INVALID_ARGUMENT: 400, PERMISSION_DENIED: 403 }[status];
    for (const error of [
      { code, message, status },
      { code: null, message, status },
    ]) {
      await expect(ask(stream(parts({ text: 'half' }), plain({ error })))).rejects.toMatchObject({
        failureClass,
        message: expect.stringContaining(message),
      });
    }
  });

  it('C3.7 how long to wait may stand in the body', async () => {
    const error = {
      code: 429,
      message: 'slow down',
      status: 'RESOURCE_EXHAUSTED',
      details: [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '34.5s' }],
    };
    await expect(ask({ status: 429, pieces: [JSON.stringify({ error })] })).rejects.toMatchObject({
      retryAfterMs: 34_500,
    });
  });
});

describe('calls', () => {
  it('C3.9 one without a name is dropped and logged', async () => {
    expect(await ask(answer(parts({ functionCall: { args: {} } }), parts({ text: 'A.' })))).toMatchObject({
      calls: [],
    });
    expect(logged).toHaveLength(1);
  });

  it('many in one part list come out in order, each with an id of its own or none', async () => {
    const { calls } = await ask(
      answer(parts(callPart('f', { n: 1 }), callPart('f', { n: 2 }), { functionCall: { name: 'f' } })),
    );
    expect(calls.map((call) => [call.id, call.arguments])).toEqual([
      ['', '{"n":1}'],
      ['', '{"n":2}'],
      ['', ''],
    ]);
    expect(server().requests).toHaveLength(1);
  });
});

describe('usage', () => {
  it('is counted once although every chunk reports it; what was thought is part of the output', async () => {
    const grown = [1, 2].map((n) =>
      plain({
        candidates: [{ content: { parts: [{ text: 'x' }] } }],
        usageMetadata: { promptTokenCount: 100, candidatesTokenCount: n },
      }),
    );
    const end = googleEnd('STOP', {
      promptTokenCount: 100,
      cachedContentTokenCount: 40,
      candidatesTokenCount: 10,
      thoughtsTokenCount: 5,
      toolUsePromptTokenCount: 7,
    });
    expect((await ask(stream(...grown, end))).usage).toMatchObject({
      inputTokens: 107,
      cachedInputTokens: 40,
      outputTokens: 15,
      reasoningTokens: 5,
    });
  });
});
