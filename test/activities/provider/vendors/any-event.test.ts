// Events that no vendor documents: they are read, or fail as a failure of the provider, and never come out as half a call.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { MessageFold } from '../../../../activities/provider/event-fold.ts';
import { laidOut } from '../../../../activities/provider/layout.ts';
import { writeJson } from '../../../../activities/provider/raw-json.ts';
import { ProviderFailure } from '../../../../activities/provider/types.ts';
import { AnthropicFold } from '../../../../activities/provider/vendors/anthropic-fold.ts';
import { fitIds } from '../../../../activities/provider/vendors/fit-ids.ts';
import { GoogleFold } from '../../../../activities/provider/vendors/google-fold.ts';
import { OpenAiFold } from '../../../../activities/provider/vendors/openai-fold.ts';
import type { Json, JsonObject } from '../../../../core/json.ts';
import { assertSendable } from '../../../../core/sendable.ts';
import type { Message } from '../../../../core/transcript.ts';

const FOLDS: Record<string, { make: () => MessageFold; words: string[]; types: string[] }> = {
  anthropic: {
    make: () => new AnthropicFold(() => {}),
    words: ['type', 'index', 'content_block', 'delta', 'message', 'usage', 'text', 'thinking', 'partial_json', 'input'],
    types: [
      'message_start',
      'content_block_start',
      'content_block_delta',
      'message_delta',
      'text',
      'tool_use',
      'text_delta',
    ],
  },
  openai: {
    make: () => new OpenAiFold(() => {}),
    words: [
      'type',
      'output_index',
      'item',
      'delta',
      'response',
      'output',
      'content',
      'text',
      'arguments',
      'usage',
      'summary',
    ],
    types: [
      'response.output_item.added',
      'response.output_item.done',
      'response.output_text.delta',
      'response.function_call_arguments.delta',
      'response.completed',
      'message',
      'function_call',
      'reasoning',
    ],
  },
  google: {
    make: () => new GoogleFold(() => {}),
    words: [
      'candidates',
      'content',
      'parts',
      'text',
      'thought',
      'functionCall',
      'args',
      'finishReason',
      'usageMetadata',
    ],
    types: ['STOP', 'model'],
  },
};

describe.each(Object.entries(FOLDS))('C10.8 any event of %s', (_, { make, words, types }) => {
  const { event } = fc.letrec<{ value: Json; event: JsonObject }>((tie) => ({
    value: fc.oneof(
      { depthSize: 'small', maxDepth: 5 },
      fc.constantFrom<Json>(null, 0, 1, -1, '', 'x', 'id', 'name', true, [], {}),
      fc.constantFrom<Json>(...types),
      fc.array(tie('value'), { maxLength: 3 }),
      tie('event'),
    ),
    event: fc.dictionary(fc.constantFrom(...words, 'id', 'name', 'call_id', 'error', '__proto__'), tie('value'), {
      maxKeys: 6,
      noNullPrototype: true,
    }),
  }));
  const typed = fc.tuple(event, fc.constantFrom(...types)).map(([body, type]) => ({ ...body, type }) as JsonObject);

  it('is read or fails as a failure of the provider', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(event, typed), { maxLength: 8 }), (events) => {
        const fold = make();
        for (const each of events) {
          try {
            const { text, thinking } = fold.push(each);
            expect([typeof text, typeof thinking]).toEqual(['string', 'string']);
          } catch (error) {
            expect(error).toBeInstanceOf(ProviderFailure);
          }
        }
        const { calls, tokens, layout } = fold.end();
        for (const call of calls) {
          expect([typeof call.id, typeof call.arguments, call.name.trim() !== '']).toEqual(['string', 'string', true]);
        }
        expect(Object.values(tokens).every((count) => Number.isSafeInteger(count) && count >= 0)).toBe(true);
        expect(layout.flatMap((part) => ('call' in part ? [part.call] : []))).toEqual(calls.map((__, place) => place));
        expect(() => JSON.parse(JSON.stringify(layout))).not.toThrow();
      }),
      { numRuns: 500 },
    );
  });
});

describe('C3.6 a layout', () => {
  const part = fc.oneof(
    fc.record({ raw: fc.jsonValue() as fc.Arbitrary<Json> }),
    fc.record({ text: fc.constantFrom('a', 'b', '', null) }),
    fc.record({ call: fc.nat(4) }),
  );
  const stored = fc.oneof(fc.array(part, { maxLength: 7 }), fc.jsonValue()) as fc.Arbitrary<Json>;

  it('whatever it holds, each call stands once and in its order, and no text is lost', () => {
    fc.assert(
      fc.property(stored, fc.nat(4), fc.constantFrom('', 'ab', 'abc', 'other'), (layout, count, text) => {
        const calls = Array.from({ length: count }, (_, n) => ({ id: `i${n}`, name: 'f', arguments: '{}' }));
        const said = laidOut({ role: 'assistant', text, calls }, layout, {
          text: (each) => [{ text: each }],
          call: ({ id }) => [{ id }],
          raw: () => [],
        });
        const ids = said.flatMap((each) => ('id' in each ? [each.id] : []));
        expect([...ids].sort()).toEqual(calls.map(({ id }) => id));
        expect(said.map((each) => ('text' in each ? each.text : '')).join('')).toBe(text);
      }),
      { numRuns: 500 },
    );
  });
});

describe('C3.6 ids that a vendor refuses', () => {
  const id = fc.constantFrom('a', 'a:1', 'c00000001', 'x y', 'ü', 'b');
  const round = fc.uniqueArray(id, { minLength: 1, maxLength: 3 });

  it('are replaced in call and result, the same when more follows', () => {
    fc.assert(
      fc.property(fc.array(round, { minLength: 1, maxLength: 4 }), (rounds) => {
        const used = new Set<string>();
        const messages = rounds.flatMap((ids, at): Message[] => {
          const own = ids.map((each) => (used.has(each) ? `${each}${at}` : each));
          for (const each of own) used.add(each);
          const calls = own.map((each) => ({ id: each, name: 'f', arguments: '{}' }));
          const results = own.map((each) => ({ id: each, name: 'f', text: each, success: true }));
          return [
            { role: 'user', text: 'x' },
            { role: 'assistant', text: '', calls },
            { role: 'tool', results },
          ];
        });
        const takes = /^[a-z0-9]+$/;
        const fit = fitIds(messages, takes);
        expect(assertSendable(fit)).toEqual([]);
        for (const message of fit) {
          if (message.role === 'assistant') for (const call of message.calls) expect(call.id).toMatch(takes);
        }
        expect(fitIds(messages.slice(0, 3), takes)).toEqual(fit.slice(0, 3));
        expect(fitIds(fit, takes)).toEqual(fit);
      }),
      { numRuns: 300 },
    );
  });
});

it('JSON is written as everybody writes it, but for texts that are given as they are', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(writeJson(value)).toBe(JSON.stringify(value));
    }),
  );
});
