// The model chain: retries, backoff, cooling, fallbacks (C3.7, C3.9, C10.5). Waiting is told to the test, not waited.
import { describe, expect, it } from 'vitest';
import { type ChainPosition, type ChainRequest, callChain } from '../../../activities/provider/chain.ts';
import { Cooldowns } from '../../../activities/provider/cooldowns.ts';
import {
  type CallOptions,
  type ProviderAdapter,
  ProviderFailure,
  type ProviderReply,
  type ProviderRequest,
} from '../../../activities/provider/types.ts';
import type { ModelRef } from '../../../core/execution.ts';
import { NO_USAGE } from '../../../core/usage.ts';

type Turn =
  | ProviderReply
  | ProviderFailure
  | ((options: CallOptions, request: ProviderRequest) => Promise<ProviderReply>);

const reply = (over: Partial<ProviderReply> = {}): ProviderReply => ({
  text: 'hello',
  thinking: '',
  calls: [],
  providerCalls: [],
  finish: 'stop',
  usage: NO_USAGE,
  ...over,
});
const fails = (kind: ProviderFailure['failureClass'], after?: number, ranOwnCall = false) =>
  new ProviderFailure(kind, `it is ${kind}.`, after, ranOwnCall);
const model = (provider: string): ModelRef => ({
  name: `${provider}/small`,
  provider,
  model: 'small',
  nativeTools: true,
  contextTokens: null,
});

/** Providers that answer as told; the last answer stays. */
function setup(turns: Record<string, Turn[]>, over: Partial<ChainRequest> = {}) {
  const asked: string[] = [];
  const waited: number[] = [];
  const resets: number[] = [];
  const positions: ChainPosition[] = [];
  let clock = 0;
  const adapters = new Map<string, ProviderAdapter>(
    Object.entries(turns).map(([name, answers]) => {
      let count = 0;
      const call = async (request: ProviderRequest, options: CallOptions) => {
        asked.push(name);
        const answer = answers[Math.min(count++, answers.length - 1)] as Turn;
        if (answer instanceof ProviderFailure) throw answer;
        return typeof answer === 'function' ? await answer(options, request) : answer;
      };
      return [name, { name, label: name, call }];
    }),
  );
  const input: ChainRequest = {
    chain: Object.keys(turns).map(model),
    adapters,
    request: { system: '', messages: [], tools: [], toolChoice: 'auto' },
    signal: new AbortController().signal,
    onPart: () => {},
    onReset: () => void resets.push(asked.length),
    onPosition: (position) => void positions.push(position),
    cooldowns: new Cooldowns(),
    sleep: async (ms) => {
      waited.push(ms);
      clock += ms;
    },
    now: () => clock,
    random: () => 0,
    ...over,
  };
  return { asked, waited, resets, positions, input, run: () => callChain(input) };
}

describe('retries', () => {
  it('C3.7 asks an entry three times, waiting 500 ms and twice that', async () => {
    const { run, waited, asked } = setup({ a: [fails('retryable'), fails('retryable'), reply()] });
    expect(await run()).toMatchObject({ reply: { text: 'hello' }, answeredBy: { name: 'a/small' }, attempts: 3 });
    expect([waited, asked]).toEqual([
      [500, 1_000],
      ['a', 'a', 'a'],
    ]);
  });

  it('C3.7 takes up to half of the wait off by chance, and never waits over 10 s by itself', async () => {
    const adapter = (of: ReturnType<typeof setup>) =>
      of.input.adapters.get('a') as ProviderAdapter & { retries?: number };
    const some = setup({ a: [fails('retryable')] }, { random: () => 0.5 });
    Object.assign(adapter(some), { retries: 7 });
    await some.run();
    expect(some.waited).toEqual([375, 750, 1_500, 3_000, 6_000, 7_500, 7_500]);
  });

  it('C3.7 honours Retry-After, at most 60 s', async () => {
    const { run, waited } = setup({ a: [fails('rate_limited', 7_000), fails('rate_limited', 3_600_000), reply()] });
    await run();
    expect(waited).toEqual([7_000, 60_000]);
  });

  it('C3.7 asks again after a completion without text and call', async () => {
    const { run, asked } = setup({ a: [reply({ text: ' \n' }), reply({ text: '', thinking: 'only' }), reply()] });
    expect(await run()).toMatchObject({ attempts: 3 });
    expect(asked).toHaveLength(3);
  });

  it('C3.7 says so when nothing ever comes', async () => {
    const { run } = setup({ a: [reply({ text: '', finish: 'length' })] });
    expect(await run()).toMatchObject({
      failure: {
        failureClass: 'retryable',
        message: expect.stringContaining('neither text nor a tool call'),
        attempts: 3,
      },
    });
  });

  it('C3.9 takes an empty completion when the provider ran calls of its own', async () => {
    const { run } = setup({ a: [reply({ text: '', providerCalls: [{ name: 'web_search' }] })] });
    expect(await run()).toMatchObject({ attempts: 1 });
  });

  it('C3.9 asks nobody again after such a call', async () => {
    const { run, asked } = setup({ a: [fails('retryable', undefined, true)], b: [reply()] });
    expect(await run()).toMatchObject({ failure: { attempts: 1 } });
    expect(asked).toEqual(['a']);
  });

  it('C3.7 does not ask again when it is fatal, and shows the words of the provider', async () => {
    const { run, waited } = setup({ a: [fails('fatal')] });
    expect(await run()).toEqual({ failure: { failureClass: 'fatal', message: 'a/small: it is fatal.', attempts: 1 } });
    expect(waited).toEqual([]);
  });

  it('C8.6 says that the context overflowed', async () => {
    const { run } = setup({ a: [fails('overflow')], b: [fails('retryable')] });
    expect(await run()).toMatchObject({ failure: { failureClass: 'overflow' } });
  });
});

describe('fallbacks', () => {
  it('C3.7 follow when the tries of an entry are used up, and are named', async () => {
    const { run, asked } = setup({ a: [fails('retryable')], b: [reply()] });
    expect(await run()).toMatchObject({ answeredBy: { name: 'b/small' }, fallback: 'b/small', attempts: 4 });
    expect(asked).toEqual(['a', 'a', 'a', 'b']);
  });

  it('C3.7 follow at once when an entry fails for good', async () => {
    const { run, asked } = setup({ a: [fails('fatal')], b: [fails('overflow')], c: [reply()] });
    expect(await run()).toMatchObject({ fallback: 'c/small' });
    expect(asked).toEqual(['a', 'b', 'c']);
  });

  it('C3.7 are named one by one when all fail', async () => {
    const { run } = setup({ a: [fails('fatal')], b: [fails('retryable')] });
    expect(await run()).toMatchObject({
      failure: { failureClass: 'fatal', message: 'a/small: it is fatal. b/small: it is retryable.', attempts: 4 },
    });
  });

  it('C3.1 get a request of their own', async () => {
    const seen: string[] = [];
    const note = async (_: CallOptions, request: ProviderRequest) => {
      seen.push(`${request.model} ${request.system}`);
      throw fails('fatal');
    };
    const { run } = setup(
      { a: [note], b: [note] },
      { request: (entry) => ({ system: `for ${entry.name}`, messages: [], tools: [], toolChoice: 'auto' }) },
    );
    await run();
    expect(seen).toEqual(['small for a/small', 'small for b/small']);
  });

  it('a provider that this worker does not know fails like a fatal one', async () => {
    const { run, input } = setup({ a: [reply()], b: [reply()] });
    (input.adapters as Map<string, ProviderAdapter>).delete('a');
    expect(await run()).toMatchObject({ fallback: 'b/small' });
  });
});

describe('cooling', () => {
  it('C3.7 a 429 lets other turns take the fallback until the entry has rested', async () => {
    const cooldowns = new Cooldowns();
    const first = setup({ a: [fails('rate_limited', 30_000)], b: [reply()] }, { cooldowns });
    await first.run();
    const at = first.waited.reduce((sum, ms) => sum + ms, 0);
    const second = setup({ a: [reply()], b: [reply()] }, { cooldowns, now: () => at });
    expect(await second.run()).toMatchObject({ fallback: 'b/small' });
    const third = setup({ a: [reply()], b: [reply()] }, { cooldowns, now: () => at + 30_001 });
    expect(await third.run()).not.toHaveProperty('fallback');
  });

  it('C3.7 an entry that rests is waited for when there is no other', async () => {
    const cooldowns = new Cooldowns();
    cooldowns.cool('a/small', 9_000);
    const { run, waited } = setup({ a: [reply()] }, { cooldowns });
    await run();
    expect(waited).toEqual([9_000]);
  });

  it('C3.7 an entry that rests comes after those that do not', async () => {
    const cooldowns = new Cooldowns();
    cooldowns.cool('a/small', 9_000);
    const { run, asked } = setup({ a: [reply()], b: [fails('fatal')] }, { cooldowns });
    await run();
    expect(asked).toEqual(['b', 'a']);
  });
});

describe('streams', () => {
  const streams =
    (text: string, end: ProviderFailure | ProviderReply): Turn =>
    async ({ onPart }) => {
      onPart({ type: 'activity' });
      if (text) onPart({ type: 'text', text });
      if (end instanceof ProviderFailure) throw end;
      return end;
    };

  it('C10.5 readers are told to take back what they were shown, before the next try', async () => {
    const { run, resets } = setup({ a: [streams('half', fails('retryable')), streams('whole', reply())] });
    await run();
    expect(resets).toEqual([1]);
  });

  it('C10.5 and not when nothing was shown', async () => {
    const { run, resets } = setup({ a: [streams('', fails('retryable')), streams('whole', reply())] });
    await run();
    expect(resets).toEqual([]);
  });

  it('C3.3 what a model thinks in its text is thinking, in the parts and in the reply', async () => {
    const parts: string[] = [];
    const aloud: Turn = async ({ onPart }) => {
      for (const text of ['<thi', 'nk>let me', ' see</th', 'ink>\n\nYes', '.<eo', 'm>']) onPart({ type: 'text', text });
      return reply({ text: '<think>let me see</think>\n\nYes.<eom>', thinking: '' });
    };
    const { input } = setup({ a: [aloud] });
    const answer = await callChain({
      ...input,
      onPart: (part) => void (part.type === 'activity' || parts.push(`${part.type}:${part.text}`)),
    });
    expect(answer).toMatchObject({ reply: { text: 'Yes.', thinking: 'let me see' } });
    expect(parts).toEqual(['thinking:let me', 'thinking: see', 'text:Yes', 'text:.']);
  });

  it('C10.5 also when the next try is a fallback', async () => {
    const { run, resets } = setup({ a: [streams('half', fails('fatal'))], b: [streams('whole', reply())] });
    await run();
    expect(resets).toEqual([1]);
  });
});

describe('place', () => {
  it('is told before each try, and a walk goes on from it', async () => {
    const first = setup({ a: [fails('retryable')], b: [fails('retryable')] });
    await first.run();
    expect(first.positions.map(({ entry, attempt }) => `${entry}.${attempt}`)).toEqual([
      '0.1',
      '0.2',
      '0.3',
      '1.1',
      '1.2',
      '1.3',
    ]);
    const resumed = setup({ a: [fails('retryable')], b: [fails('retryable')] }, { startAt: { entry: 1, attempt: 2 } });
    await resumed.run();
    expect(resumed.positions.map(({ entry, attempt }) => `${entry}.${attempt}`)).toEqual(['1.2', '1.3']);
  });
});

describe('a cancel', () => {
  it('C8.4 cuts the wait between two tries', async () => {
    const cancel = new AbortController();
    const { input, asked } = setup({ a: [fails('rate_limited', 60_000)] });
    const { sleep: _, ...real } = input;
    const asking = new Promise<void>((resolve) => {
      real.onPosition = () => resolve();
    });
    const walk = callChain({ ...real, signal: cancel.signal });
    await asking;
    setImmediate(() => cancel.abort());
    await expect(walk).rejects.toMatchObject({ name: 'AbortError' });
    expect(asked).toEqual(['a']);
  });

  it('C8.4 is never taken for a failure of the provider', async () => {
    const cancel = new AbortController();
    const { run } = setup(
      {
        a: [
          async () => {
            cancel.abort();
            throw fails('retryable');
          },
        ],
      },
      { signal: cancel.signal },
    );
    await expect(run()).rejects.toMatchObject({ name: 'AbortError' });
  });

  it('a fault that is not the provider’s is not hidden', async () => {
    const broken = async () => {
      throw new TypeError('a bug');
    };
    await expect(setup({ a: [broken], b: [reply()] }).run()).rejects.toThrow('a bug');
  });
});
