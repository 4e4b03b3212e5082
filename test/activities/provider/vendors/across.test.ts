// Fallback across vendors in the middle of a turn (C3.6–C3.8): one history, told to each vendor in its own words.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callChain } from '../../../../activities/provider/chain.ts';
import { Cooldowns } from '../../../../activities/provider/cooldowns.ts';
import { createAdapters, type ProviderSettings } from '../../../../activities/provider/create-adapters.ts';
import type { ProviderAdapter, ProviderReply } from '../../../../activities/provider/types.ts';
import type { ModelRef } from '../../../../core/execution.ts';
import { outgoingMessages } from '../../../../core/outgoing.ts';
import type { Entry } from '../../../../core/transcript.ts';
import {
  anthropicEnd,
  anthropicStart,
  block,
  functionCall,
  googleEnd,
  messageItem,
  parts,
  reasoningItem,
  responseEnd,
  stream,
  toolUse,
} from '../../../support/vendor-wire.ts';
import { answerText } from '../../../support/wire-format.ts';
import { startWireServer, type WireAnswer, type WireRequest, type WireServer } from '../../../support/wire-server.ts';
import { tool } from './stage.ts';

const KINDS = ['anthropic', 'openai', 'google', 'openai-compatible'] as const;
type Kind = (typeof KINDS)[number];

let server: WireServer;
let adapters: Map<string, ProviderAdapter>;
beforeAll(async () => {
  server = await startWireServer();
  const common = { connectTimeoutMs: 2_000, idleTimeoutMs: 5_000, requestTimeoutMs: 5_000, retries: 2, models: {} };
  const settings = KINDS.map(
    (kind): ProviderSettings => ({ ...common, kind, name: kind, apiKey: 'the-key', baseUrl: server.url }),
  );
  adapters = createAdapters(settings, { scrub: (text) => text, log: () => {} });
});
afterAll(() => server.close());

const PATHS: Record<Kind, RegExp> = {
  anthropic: /messages$/,
  openai: /responses$/,
  google: /streamGenerateContent/,
  'openai-compatible': /completions$/,
};
const kindOf = ({ path }: WireRequest): Kind => KINDS.find((kind) => PATHS[kind].test(path)) as Kind;
const OVERLOADED: WireAnswer = { status: 529, pieces: ['{"error":{"message":"Overloaded"}}'] };

/** One step of a turn: who answers, who is down. */
async function step(entries: Entry[], answers: Partial<Record<Kind, WireAnswer>>) {
  server.answer((request) => answers[kindOf(request)] ?? OVERLOADED);
  const chain = KINDS.map(
    (kind): ModelRef => ({
      name: `${kind}/gemini-3-pro`,
      provider: kind,
      model: 'gemini-3-pro',
      nativeTools: true,
      contextTokens: null,
    }),
  );
  const answer = await callChain({
    chain,
    adapters,
    request: {
      system: 'Be careful.',
      messages: outgoingMessages(entries),
      tools: [tool('look'), tool('add', { type: 'object', properties: { n: { enum: [1, 2] } } })],
      toolChoice: 'auto',
    },
    signal: new AbortController().signal,
    onPart: () => {},
    onReset: () => {},
    cooldowns: new Cooldowns(),
    sleep: async () => {},
  });
  if ('failure' in answer) throw new Error(answer.failure.message);
  return answer;
}

/** What the store makes of an answer, and of the results. */
function stored(reply: ProviderReply, model: string, at: number): Entry[] {
  const { text, extras, calls } = JSON.parse(JSON.stringify(reply)) as ProviderReply;
  const kept = calls.map(({ id, ...call }, slot) => ({ callId: `c${at}-${slot}`, providerId: id, ...call }));
  const results = kept.map(({ callId, name }) => ({ callId, name, text: `result ${callId}`, success: true }));
  return [
    { kind: 'assistant', step: at, text, calls: kept, model, ...(extras === undefined ? {} : { extras }) },
    { kind: 'results', step: at, results },
  ];
}

const requestOf = (kind: Kind) => {
  const found = server.requests.find((request) => kindOf(request) === kind);
  if (!found) throw new Error(`${kind} was not asked`);
  return found;
};

describe('C3.7 a turn goes on with another vendor', () => {
  const entries: Entry[] = [{ kind: 'user', text: 'go', via: 'start' }];

  it('whatever each of them put into its messages, and gives it back to its own', async () => {
    const thinking = block({ type: 'thinking', thinking: 'Hm.', signature: 'AnthropicSig=' });
    const first = await step(entries, {
      anthropic: stream(
        anthropicStart(),
        thinking,
        toolUse('toolu_1', 'look', ['{}']),
        toolUse('toolu_2', 'add', ['{"n":1}']),
        anthropicEnd('tool_use'),
      ),
    });
    expect(first.answeredBy.provider).toBe('anthropic');
    entries.push(...stored(first.reply, first.answeredBy.name, 1));

    const second = await step(entries, {
      openai: stream(reasoningItem('So.', 'OpenAiSig='), functionCall('call|odd/id', 'look', ['{}']), responseEnd()),
    });
    expect(second).toMatchObject({ fallback: 'openai/gemini-3-pro', attempts: 4 });
    expect(requestOf('openai').bytes).not.toContain('AnthropicSig');
    expect(requestOf('openai').body.input.slice(2)).toMatchObject([
      { type: 'function_call', call_id: 'toolu_1' },
      { type: 'function_call', call_id: 'toolu_2', arguments: '{"n":1}' },
      { type: 'function_call_output', call_id: 'toolu_1', output: 'result c1-0' },
      { type: 'function_call_output', call_id: 'toolu_2', output: 'result c1-1' },
    ]);
    entries.push(...stored(second.reply, second.answeredBy.name, 2));

    const third = await step(entries, {
      google: stream(
        parts({ functionCall: { name: 'add', args: { n: '2' } }, thoughtSignature: 'GoogleSig=' }),
        googleEnd('STOP', { promptTokenCount: 1 }),
      ),
    });
    expect(third.answeredBy.provider).toBe('google');
    expect(third.reply.calls[0]?.arguments).toBe('{"n":2}');
    const { contents } = requestOf('google').body;
    expect(requestOf('google').bytes).not.toMatch(/AnthropicSig|OpenAiSig/);
    expect(contents.map(({ role }: { role: string }) => role)).toEqual(['user', 'model', 'user', 'model', 'user']);
    expect(contents[1].parts[0].thoughtSignature).toBe('skip_thought_signature_validator');
    entries.push(...stored(third.reply, third.answeredBy.name, 3));

    const fourth = await step(entries, {
      anthropic: stream(anthropicStart(), block({ type: 'text', text: 'Done.' }), anthropicEnd('end_turn')),
    });
    expect(fourth.reply.text).toBe('Done.');
    const { messages } = requestOf('anthropic').body;
    expect(messages[1].content[0]).toEqual({ type: 'thinking', thinking: 'Hm.', signature: 'AnthropicSig=' });
    // An id that this vendor refuses is another one in call and result alike.
    const [call] = messages[3].content;
    expect(call.id).toMatch(/^[a-zA-Z0-9_-]+$/);
    expect(messages[4].content[0]).toMatchObject({ tool_use_id: call.id });
    expect(messages[5].content[0].input).toEqual({ n: 2 });
    expect(requestOf('anthropic').bytes).not.toMatch(/OpenAiSig|GoogleSig/);
  });

  it('and its own extras come back to each of the others', async () => {
    const fifth = await step(entries, { 'openai-compatible': answerText('Done.') });
    expect(fifth).toMatchObject({ reply: { text: 'Done.' }, fallback: 'openai-compatible/gemini-3-pro' });
    expect(requestOf('openai-compatible').bytes).not.toMatch(/Sig=/);
    expect(requestOf('google').body.contents[5].parts[0]).toMatchObject({
      functionCall: { name: 'add', args: { n: '2' } },
      thoughtSignature: 'GoogleSig=',
    });
    expect(requestOf('openai').body.input.filter(({ type }: { type: string }) => type === 'reasoning')).toMatchObject([
      { encrypted_content: 'OpenAiSig=' },
    ]);
  });

  it('an answer in words goes over as words', async () => {
    const talked: Entry[] = [{ kind: 'user', text: 'go', via: 'start' }];
    const said = await step(talked, { openai: stream(reasoningItem('So.'), messageItem('Yes.'), responseEnd()) });
    talked.push(...stored(said.reply, said.answeredBy.name, 1).slice(0, 1), {
      kind: 'user',
      text: 'and?',
      via: 'start',
    });
    await step(talked, { 'openai-compatible': answerText('Done.') });
    expect(requestOf('anthropic').body.messages[1]).toMatchObject({ content: [{ type: 'text', text: 'Yes.' }] });
    expect(requestOf('google').body.contents[1]).toEqual({ role: 'model', parts: [{ text: 'Yes.' }] });
  });
});
