// Thinking that a model writes into its text (C3.3).
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { splitThink, thinkSplitter } from '../../core/think-split.ts';

describe('splitThink', () => {
  it.for<[string, string, string]>([
    ['hello', 'hello', ''],
    ['<think>a</think>b', 'b', 'a'],
    ['<think>a</think>\n\n b', 'b', 'a'],
    ['x <think>a</think> y', 'x y', 'a'],
    ['x <think>never ends', 'x ', 'never ends'],
    ['<think>1</think>b<think>2</think>c', 'bc', '12'],
    ['<think>a <think> b</think>c', 'c', 'a <think> b'],
    ['done<|eom|>', 'done', ''],
    ['done<eom>', 'done', ''],
    ['a < b, <thinking> and <th', 'a < b, <thinking> and <th', ''],
    ['', '', ''],
  ])('C3.3 reads %j', ([whole, text, thinking]) => {
    expect(splitThink(whole)).toEqual({ text, thinking });
  });

  it('C3.3 gives the same in any cut', () => {
    const piece = fc.constantFrom(
      '<think>',
      '</think>',
      '<',
      '>',
      'a',
      ' ',
      '\n',
      '<th',
      'ink>',
      '<|eom|>',
      '<eom>',
      '</',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 16 }), fc.array(fc.nat(60), { maxLength: 8 }), (pieces, cuts) => {
        const whole = pieces.join('');
        const splitter = thinkSplitter();
        const at = [...new Set([0, ...cuts.map((each) => each % (whole.length + 1))])].sort((a, b) => a - b);
        const parts = [...at.map((from, n) => splitter.push(whole.slice(from, at[n + 1]))), splitter.end()];
        const joined = {
          text: parts.map((each) => each.text).join(''),
          thinking: parts.map((each) => each.thinking).join(''),
        };
        expect(joined).toEqual(splitThink(whole));
      }),
      { numRuns: 4_000 },
    );
  });
});
