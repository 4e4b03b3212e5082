// Whatever a provider sends as JSON: it is read, or it fails as the provider's failure; nothing else is thrown (C10.8).
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ChatFold } from '../../../activities/provider/chat-fold.ts';
import { failureOfStatus, retryAfterMs } from '../../../activities/provider/failure-of.ts';
import { finishKind } from '../../../activities/provider/finish-kind.ts';
import { SseReader } from '../../../activities/provider/sse.ts';
import { ProviderFailure } from '../../../activities/provider/types.ts';
import { usageOf } from '../../../activities/provider/usage-of.ts';
import type { JsonObject } from '../../../core/json.ts';

const odd = fc.oneof(fc.jsonValue({ maxDepth: 2 }), fc.constantFrom(null, '', 0, [], {}));
const some = <T>(value: fc.Arbitrary<T>) => fc.oneof({ weight: 4, arbitrary: value }, { weight: 1, arbitrary: odd });
const entry = some(
  fc.record(
    {
      index: some(fc.constantFrom(0, 1, 2)),
      id: some(fc.constantFrom('', 'a', 'b')),
      type: some(fc.constantFrom('function', 'web_search')),
      function: some(
        fc.record(
          {
            name: some(fc.constantFrom('f', 'g', '')),
            arguments: some(fc.constantFrom('', '{', '}', '{}', '{"a":1}')),
          },
          { requiredKeys: [] },
        ),
      ),
      __proto__: odd,
    },
    { requiredKeys: [] },
  ),
);
const delta = some(
  fc.record(
    {
      content: some(fc.string()),
      reasoning_content: some(fc.string()),
      reasoning_details: some(
        fc.array(some(fc.record({ type: fc.constant('t'), index: fc.constant(0), text: some(fc.string()) }))),
      ),
      tool_calls: some(fc.array(entry, { maxLength: 3 })),
      refusal: odd,
      executed_tools: odd,
    },
    { requiredKeys: [] },
  ),
);
const chunkOf = fc.record(
  {
    choices: some(
      fc.array(
        some(
          fc.record(
            { index: odd, delta, message: odd, finish_reason: some(fc.constantFrom('stop', 'length', '')) },
            { requiredKeys: [] },
          ),
        ),
        { maxLength: 2 },
      ),
    ),
    usage: odd,
    error: fc.option(odd, { freq: 12 }),
    object: odd,
    x_groq: odd,
  },
  { requiredKeys: [] },
);

describe('any chunk', () => {
  it('C10.8 is read or fails as a failure of the provider', () => {
    fc.assert(
      fc.property(fc.array(chunkOf, { maxLength: 6 }), (chunks) => {
        const fold = new ChatFold(() => {});
        try {
          for (const each of chunks) {
            const { text, thinking } = fold.push(each as JsonObject);
            expect([typeof text, typeof thinking]).toEqual(['string', 'string']);
          }
        } catch (error) {
          expect(error).toBeInstanceOf(ProviderFailure);
          return;
        }
        const end = fold.end();
        for (const each of end.calls) {
          expect(each.name).not.toBe('');
          expect([typeof each.id, typeof each.arguments]).toEqual(['string', 'string']);
        }
        for (const figure of Object.values(usageOf(end.usage, { input: 1, output: 1 })))
          expect(figure).toBeGreaterThanOrEqual(0);
        expect(JSON.parse(JSON.stringify(end.extras))).toEqual(end.extras);
      }),
      { numRuns: 5_000 },
    );
  });
});

describe('any bytes', () => {
  it('C10.8 give the same events in any cut', () => {
    const piece = fc.constantFrom(
      'data: ',
      'data:',
      '{"a":1}',
      '\n',
      '\r',
      '\r\n',
      '\n\n',
      ': x',
      'ä🙂',
      'event: error',
      'id: 1',
      'x',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 14 }), fc.array(fc.nat(80), { maxLength: 8 }), (pieces, cuts) => {
        const bytes = new TextEncoder().encode(pieces.join(''));
        const read = (at: number[]) => {
          const reader = new SseReader();
          return [...at.flatMap((from, n) => reader.push(bytes.slice(from, at[n + 1]))), ...reader.end()];
        };
        const at = [...new Set([0, ...cuts.map((each) => each % (bytes.length + 1))])].sort((a, b) => a - b);
        expect(read(at)).toEqual(read([0]));
      }),
      { numRuns: 4_000 },
    );
  });
});

describe('any error', () => {
  it('C3.7 has a class and a text of one line, not too long', () => {
    fc.assert(
      fc.property(fc.integer({ min: 400, max: 599 }), fc.oneof(fc.string(), fc.json()), (status, body) => {
        const { failureClass, message } = failureOfStatus(status, body, undefined);
        expect(['retryable', 'rate_limited', 'overflow', 'fatal']).toContain(failureClass);
        expect(message.length).toBeLessThan(800);
        expect(message).not.toMatch(/[\r\n\0]/);
      }),
      { numRuns: 2_000 },
    );
  });

  it.for<[string, string]>([
    ['{"error":{"message":"This model\'s maximum context length is 8192 tokens"}}', 'overflow'],
    ['{"error":{"code":"context_length_exceeded","message":"too long"}}', 'overflow'],
    ['{"error":"prompt is too long: 9 > 8"}', 'overflow'],
    ['{"detail":"model not found"}', 'fatal'],
    ['[{"error":{"message":"the request exceeds the available context size"}}]', 'overflow'],
  ])('C8.6 400 with %s is %s', ([body, failureClass]) => {
    expect(failureOfStatus(400, body, undefined).failureClass).toBe(failureClass);
  });

  it('C3.7 Retry-After may be seconds, a date, nothing or nonsense', () => {
    expect([retryAfterMs('2'), retryAfterMs('0.5'), retryAfterMs('-3'), retryAfterMs(''), retryAfterMs('x')]).toEqual([
      2_000,
      500,
      0,
      undefined,
      undefined,
    ]);
    expect(retryAfterMs('Thu, 01 Jan 1970 00:01:00 GMT', 30_000)).toBe(30_000);
  });

  it('C10.7 a finish word is read whatever its spelling', () => {
    expect(['Max Tokens', 'MAX-TOKENS', ' max_tokens '].map(finishKind)).toEqual(['length', 'length', 'length']);
  });
});
