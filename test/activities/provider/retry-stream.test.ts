// Chain, adapter and a real server together: what readers assemble equals the answer, however often a stream breaks (C10.5).
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callChain } from '../../../activities/provider/chain.ts';
import { Cooldowns } from '../../../activities/provider/cooldowns.ts';
import { openAiCompatible } from '../../../activities/provider/openai-compatible.ts';
import type { ModelRef } from '../../../core/execution.ts';
import { answerCalls, answerText, FAULTS, wholeCall } from '../../support/wire-format.ts';
import { startWireServer, type WireAnswer, type WireServer } from '../../support/wire-server.ts';

let primary: WireServer;
let other: WireServer;
beforeAll(async () => {
  [primary, other] = await Promise.all([startWireServer(), startWireServer()]);
});
afterAll(() => Promise.all([primary.close(), other.close()]));

const model = (provider: string): ModelRef => ({
  name: `${provider}/small`,
  provider,
  model: 'small',
  nativeTools: true,
  contextTokens: null,
});

async function run(...answers: WireAnswer[]) {
  primary.answer(...answers);
  other.answer(answerText('from the other'));
  const adapter = (name: string, server: WireServer) =>
    openAiCompatible({ name, baseUrl: server.url, limits: { idleTimeoutMs: 200 }, scrub: (text) => text });
  let shown = '';
  const result = await callChain({
    chain: [model('primary'), model('other')],
    adapters: new Map([
      ['primary', adapter('primary', primary)],
      ['other', adapter('other', other)],
    ]),
    request: { system: '', messages: [{ role: 'user', text: 'hi' }], tools: [], toolChoice: 'auto' },
    signal: new AbortController().signal,
    onPart: (part) => {
      if (part.type === 'text') shown += part.text;
    },
    onReset: () => {
      shown = '';
    },
    cooldowns: new Cooldowns(),
    sleep: async () => {},
  });
  return { result, shown, asked: primary.requests.length };
}

describe('a stream that fails', () => {
  it.for(Object.entries(FAULTS).filter(([name]) => !['unauthorized', 'unknownModel', 'tooLarge'].includes(name)))(
    'C10.5 by %s is asked for again',
    async ([, fault]) => {
      const { result, shown, asked } = await run(fault, fault, answerText('the whole answer'));
      expect(result).toMatchObject({ reply: { text: 'the whole answer' }, attempts: 3 });
      expect([shown, asked]).toEqual(['the whole answer', 3]);
    },
  );

  it.for(Object.entries(FAULTS))('C3.7 by %s for good leads to the fallback, which is named', async ([, fault]) => {
    const { result, shown } = await run(fault);
    expect(result).toMatchObject({ reply: { text: 'from the other' }, fallback: 'other/small' });
    expect(shown).toBe('from the other');
  });

  it('B70 C10.3 is asked for on a new connection', async () => {
    await run({ end: 'open' }, answerText('back'));
    const [first, second] = primary.requests;
    expect(second?.connection).not.toBe(first?.connection);
  });

  it('C10.5 in the middle of a call gives the whole call of the next try alone', async () => {
    const { result } = await run(FAULTS.cutInCall, answerCalls(wholeCall(0, 'c1', 'shell', { command: 'ls' })));
    expect(result).toMatchObject({ reply: { calls: [{ id: 'c1', arguments: '{"command":"ls"}' }] } });
  });
});
