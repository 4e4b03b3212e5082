// What every provider adapter must do, whatever its vendor's wire format (C3.7, C10.1–C10.3, C10.5, C10.7, C10.8).
// An adapter joins with a dialect: how its vendor writes an answer down.
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Limits } from '../../../activities/provider/limits.ts';
import {
  type FinishKind,
  type ProviderAdapter,
  ProviderFailure,
  type ProviderReply,
  type ProviderRequest,
  type StreamPart,
} from '../../../activities/provider/types.ts';
import { startBlackHole } from '../../support/black-hole.ts';
import { type Piece, startWireServer, type WireAnswer, type WireServer } from '../../support/wire-server.ts';

/** A vendor's way of writing an answer; each string is one event. */
export type Dialect = {
  text: (text: string) => string[];
  thinking: (text: string) => string[];
  /** A call, its arguments in the pieces given. */
  call: (place: number, id: string, name: string, pieces: string[]) => string[];
  /** The last events: finish word, usage, terminal event. `input` includes `cached`. */
  end: (finish: FinishKind, usage: { input: number; output: number; cached: number }) => string[];
  /** How many of `end`'s events may be missing without harm. */
  optionalEnd: number;
  /** The ends that the vendor has a word for; default: all. */
  finishes?: readonly FinishKind[];
  errorEvent: (message: string, kind: 'overloaded' | 'rate_limited') => string;
  errorBody: (message: string) => string;
};

export type Subject = {
  dialect: Dialect;
  make: (settings: {
    baseUrl: string;
    apiKey: string;
    limits: Partial<Limits>;
    scrub: (text: string) => string;
  }) => ProviderAdapter;
};

const SECRET = 'key-that-is-held-0001';
const USAGE = { input: 11, output: 7, cached: 4 };

export const REQUEST: ProviderRequest = {
  model: 'small',
  system: 'Be careful.',
  messages: [
    { role: 'user', text: 'hello' },
    { role: 'assistant', text: 'I look.', calls: [{ id: 'a1', name: 'file_read', arguments: '{"path": "x"}' }] },
    { role: 'tool', results: [{ id: 'a1', name: 'file_read', text: 'the file', success: true }] },
  ],
  tools: [],
  toolChoice: 'auto',
};

export function providerContract(name: string, { dialect, make }: Subject): void {
  let server: WireServer;
  let adapter: ProviderAdapter;
  let hasty: ProviderAdapter;
  /** Where a limit is to fire. Everywhere else a machine under load may take its time. */
  const limits = { connectTimeoutMs: 400, idleTimeoutMs: 400, requestTimeoutMs: 700 };
  const patient = { connectTimeoutMs: 10_000, idleTimeoutMs: 10_000, requestTimeoutMs: 10_000 };
  const scrub = (text: string) => text.replaceAll(SECRET, '[REDACTED:k1]');

  beforeAll(async () => {
    server = await startWireServer();
    adapter = make({ baseUrl: server.url, apiKey: SECRET, limits: patient, scrub });
    hasty = make({ baseUrl: server.url, apiKey: SECRET, limits, scrub });
  });
  afterAll(() => server.close());

  const parts: StreamPart[] = [];
  const ask = (
    answer: WireAnswer,
    { signal = new AbortController().signal, by = adapter }: { signal?: AbortSignal; by?: ProviderAdapter } = {},
  ): Promise<ProviderReply> => {
    server.answer(answer);
    parts.length = 0;
    return by.call(REQUEST, { signal, onPart: (part) => void parts.push(part) });
  };
  const failure = async (answer: WireAnswer, by = adapter): Promise<ProviderFailure> => {
    const error = await ask(answer, { by }).then(
      () => new Error('the call resolved'),
      (reason: unknown) => reason,
    );
    expect(error).toBeInstanceOf(ProviderFailure);
    return error as ProviderFailure;
  };
  const joined = (type: 'text' | 'thinking') => parts.map((part) => (part.type === type ? part.text : '')).join('');

  const whole = (): string[] => [
    ...dialect.thinking('Hm, '),
    ...dialect.thinking('北京.'),
    ...dialect.text('Grüße '),
    ...dialect.text('aus 北京 🙂'),
    ...dialect.call(0, 'c1', 'shell', ['{"command":', '"ls"}']),
    ...dialect.call(1, 'c2', 'file_read', ['{"path":"ä"}']),
    ...dialect.end('calls', USAGE),
  ];
  const expectWhole = (reply: ProviderReply) => {
    expect(reply).toMatchObject({
      text: 'Grüße aus 北京 🙂',
      thinking: 'Hm, 北京.',
      finish: 'calls',
      providerCalls: [],
    });
    expect(reply.calls.map(({ id, name: tool, arguments: args }) => [id, tool, args])).toEqual([
      ['c1', 'shell', '{"command":"ls"}'],
      ['c2', 'file_read', '{"path":"ä"}'],
    ]);
    expect(reply.usage).toMatchObject({ inputTokens: 11, outputTokens: 7, cachedInputTokens: 4 });
    expect([joined('text'), joined('thinking')]).toEqual([reply.text, reply.thinking]);
  };

  describe(`${name}: an answer`, () => {
    it('C10.1 is read to its end, with text and thinking as they come', async () => {
      expectWhole(await ask({ pieces: whole() }));
      expect(parts.filter(({ type }) => type === 'text').length).toBeGreaterThan(1);
      expect(parts.some(({ type }) => type === 'activity')).toBe(true);
    });

    it('C10.8 is the same when every byte comes alone', async () => {
      expectWhole(await ask({ pieces: bytesOf(whole().join('')) }));
    });

    it('C10.8 is the same in any cut, with any line end, with comments in between', async () => {
      const cut = fc.record({
        ends: fc.constantFrom('\n', '\r\n', '\r'),
        comment: fc.boolean(),
        cuts: fc.array(fc.nat(4_000), { maxLength: 12 }),
      });
      await fc.assert(
        fc.asyncProperty(cut, async ({ ends, comment, cuts }) => {
          const events = whole().map((each) => (comment ? `: keep-alive\n\n${each}` : each));
          const bytes = new TextEncoder().encode(events.join('').replaceAll('\n', ends));
          const at = [...new Set([0, ...cuts.map((each) => each % bytes.length)])].sort((a, b) => a - b);
          expectWhole(await ask({ pieces: at.map((from, n) => bytes.slice(from, at[n + 1])) }));
        }),
        { numRuns: 60 },
      );
    });

    it('C10.7 says in our words why it ended', async () => {
      for (const finish of dialect.finishes ?? (['stop', 'calls', 'length', 'filter', 'refusal'] as const)) {
        const reply = await ask({ pieces: [...dialect.text('x'), ...dialect.end(finish, USAGE)] });
        expect([finish, reply.finish]).toEqual([finish, finish]);
      }
    });

    it('C10.2 is complete at its terminal event: what comes after is ignored', async () => {
      const late = [...dialect.text('!'), ...dialect.call(5, 'late', 'shell', ['{}']), ...dialect.end('stop', USAGE)];
      expectWhole(await ask({ pieces: [...whole(), ...late] }));
    });

    it('C10.2 is complete although the connection stays open', async () => {
      expectWhole(await ask({ pieces: whole(), end: 'open' }));
    });

    it('leaves its connection to the next call', async () => {
      const on: (number | undefined)[] = [];
      for (let n = 0; n < 8; n++) {
        await ask({ pieces: whole() });
        on.push(server.requests[0]?.connection);
      }
      // The next call may begin before the last byte of this one is in: two connections take turns then.
      expect(new Set(on).size).toBeLessThanOrEqual(2);
    });

    it('of many megabytes is read whole, with a reader that is slow', async () => {
      const part = 'x'.repeat(60_000);
      const pieces = [...Array.from({ length: 60 }, () => dialect.text(part).join('')), ...dialect.end('stop', USAGE)];
      expect((await ask({ pieces })).text).toBe(part.repeat(60));
    });

    it('C3.8 is asked for with one system text, and each result behind its call', async () => {
      await ask({ pieces: whole() });
      const sent = JSON.stringify(server.requests[0]?.body);
      expect(sent.split('Be careful.')).toHaveLength(2);
      expect(sent.indexOf('the file')).toBeGreaterThan(sent.indexOf('I look.'));
    });
  });

  describe(`${name}: a failure`, () => {
    it('C10.2 an end before the terminal event is an error, wherever it comes', async () => {
      const events = whole();
      for (let length = 0; length < events.length - dialect.optionalEnd; length++) {
        const { failureClass } = await failure({ pieces: events.slice(0, length) });
        expect([length, failureClass]).toEqual([length, 'retryable']);
      }
    });

    it('C10.5 a half-written call never comes out', async () => {
      const [first = ''] = dialect.call(0, 'c1', 'shell', ['{"command":"rm', ' -r x"}']);
      for (const end of ['eof', 'reset', 'open'] as const) {
        expect((await failure({ pieces: [first], end }, hasty)).failureClass).toBe('retryable');
      }
    });

    it.for<[string, WireAnswer]>([
      ['before the headers', { end: 'silent' }],
      ['before the first byte', { end: 'open' }],
      ['in the middle of a text', { pieces: dialect.text('half'), end: 'open' }],
      ['inside a call', { pieces: dialect.call(0, 'c', 'shell', ['{"a":', '1}']).slice(0, 1), end: 'open' }],
    ])('C10.3 silence %s fires idle_timeout and says so', async ([, answer]) => {
      const { failureClass, message } = await failure(answer, hasty);
      expect(failureClass).toBe('retryable');
      expect(message).toContain('idle_timeout');
    });

    it('C10.3 a slow generation may go on beyond every limit as long as bytes come', async () => {
      const drip = [...'a generation'].flatMap((letter): Piece[] => [...dialect.text(letter), { waitMs: 90 }]);
      const reply = await ask({ pieces: [...drip, ...dialect.end('stop', USAGE)] }, { by: hasty });
      expect(reply.text).toBe('a generation');
    });

    it('C10.3 an answer that is not streamed has request_timeout', async () => {
      const pieces = Array.from({ length: 40 }, (): Piece[] => [' ', { waitMs: 60 }]).flat();
      const { message, failureClass } = await failure({ status: 500, pieces }, hasty);
      expect([failureClass, message]).toEqual(['retryable', expect.stringContaining('request_timeout')]);
    });

    it('C10.3 a peer that never completes the connection fires connect_timeout', async () => {
      const hole = await startBlackHole();
      const lost = make({ baseUrl: hole.url, apiKey: SECRET, limits, scrub });
      const call = lost.call(REQUEST, { signal: new AbortController().signal, onPart: () => {} });
      await expect(call).rejects.toThrow(/connect_timeout/);
      await hole.close();
    });

    it('C3.7 a connection that the provider closed while it was kept is replaced without a word', async () => {
      await ask({ pieces: whole() });
      await server.dropConnections();
      expectWhole(await ask({ pieces: whole() }));
    });

    it('C3.7 a refused connection is retryable and names the place', async () => {
      const closed = make({ baseUrl: 'http://127.0.0.1:1/v1', apiKey: SECRET, limits, scrub });
      const call = closed.call(REQUEST, { signal: new AbortController().signal, onPart: () => {} });
      await expect(call).rejects.toMatchObject({
        failureClass: 'retryable',
        message: expect.stringContaining('127.0.0.1:1'),
      });
    });

    it.for<[number, ProviderFailure['failureClass']]>([
      [400, 'fatal'],
      [401, 'fatal'],
      [403, 'fatal'],
      [404, 'fatal'],
      [408, 'retryable'],
      [413, 'overflow'],
      [422, 'fatal'],
      [429, 'rate_limited'],
      [500, 'retryable'],
      [502, 'retryable'],
      [503, 'retryable'],
      [529, 'retryable'],
    ])('C3.7 HTTP %i is %s, in the words of the provider', async ([status, failureClass]) => {
      const error = await failure({ status, pieces: [dialect.errorBody('so it says')] });
      expect([error.failureClass, error.message]).toEqual([failureClass, expect.stringContaining('so it says')]);
      expect(error.message).toContain(String(status));
    });

    it('C3.7 Retry-After is handed on, in seconds or as a date', async () => {
      const retryAfter = async (header: string) =>
        (await failure({ status: 429, headers: { 'retry-after': header }, pieces: ['{}'] })).retryAfterMs;
      expect(await retryAfter('7')).toBe(7_000);
      expect(await retryAfter(new Date(Date.now() + 30_000).toUTCString())).toBeGreaterThan(20_000);
      expect(await retryAfter('soon')).toBeUndefined();
    });

    it('C3.7 an error inside the stream fails the call, in its class', async () => {
      const broken = (kind: 'overloaded' | 'rate_limited') =>
        failure({ pieces: [...dialect.text('half'), dialect.errorEvent('too much to do', kind)] });
      expect((await broken('overloaded')).failureClass).toBe('retryable');
      expect((await broken('rate_limited')).failureClass).toBe('rate_limited');
      expect((await broken('overloaded')).message).toContain('too much to do');
    });

    it.for<[string, WireAnswer]>([
      ['a web page', { headers: { 'content-type': 'text/html' }, pieces: ['<html><title>Sign in</title></html>'] }],
      ['a web page that claims to be a stream', { pieces: ['<html>\n<title>Sign in</title>\n</html>'] }],
      ['garbage', { pieces: ['\x00\x01garbage\n\nmore: of it\n\n'] }],
      ['events that are no JSON', { pieces: ['data: {"broken\n\ndata: nonsense\n\n'] }],
      ['nothing', {}],
      ['nothing, as 204', { status: 204 }],
      ['a redirect', { status: 302, headers: { location: 'http://elsewhere.test/' } }],
      [
        'an error with 200',
        { headers: { 'content-type': 'application/json' }, pieces: [dialect.errorBody('out of service')] },
      ],
    ])('C10.2 %s instead of an answer is a clear failure', async ([, answer]) => {
      const { message } = await failure(answer);
      expect(message.length).toBeGreaterThan(20);
      expect(message).not.toMatch(/undefined|\[object/);
    });

    it('C9.1 its text is scrubbed', async () => {
      const { message } = await failure({ status: 401, pieces: [dialect.errorBody(`wrong key ${SECRET}`)] });
      expect(message).toContain('[REDACTED:k1]');
      expect(message).not.toContain(SECRET);
    });
  });

  describe(`${name}: a cancel`, () => {
    it.for<[string, WireAnswer]>([
      ['before the headers', { end: 'silent' }],
      ['in the middle of the text', { pieces: dialect.text('half'), end: 'open' }],
    ])('C8.4 %s cuts the call at once and lets the connection go', async ([, answer]) => {
      const cancel = new AbortController();
      const call = ask(answer, { signal: cancel.signal });
      await server.asked(1);
      cancel.abort();
      await expect(call).rejects.toMatchObject({ name: 'AbortError' });
      await server.left();
    });

    it('C8.4 that came before the call lets nothing be sent', async () => {
      await expect(ask({}, { signal: AbortSignal.abort() })).rejects.toMatchObject({ name: 'AbortError' });
      expect(server.requests).toHaveLength(0);
    });
  });
}

const bytesOf = (text: string): Uint8Array[] => [...new TextEncoder().encode(text)].map((byte) => Uint8Array.of(byte));
