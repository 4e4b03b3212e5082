// A slice of `npm run fuzz`: planted, damaged, random and quoted texts, each as a whole and as a stream.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Chance, type Storm } from '../turn-chance.ts';
import { findingsOf, KINDS } from './findings.ts';
import { ALL_DIALECTS, cutEvery, read, streamed, tool } from './reading.ts';

const RUNS = Number(process.env.TEXT_RUNS ?? 600);
const SEED = Number(process.env.TEXT_SEED ?? 20_261_130);

const storm: fc.Arbitrary<Storm> = fc.record({ seed: fc.nat(), draws: fc.integer({ min: 0, max: 400 }) });

describe('the text protocol, whatever comes', () => {
  it.for(KINDS)('C3.4, C10.4: nothing throws, nothing is invented, every cut is the whole: %s', (kind) => {
    fc.assert(
      fc.property(storm, (of) => {
        expect(findingsOf(kind, of, { stream: true })).toEqual([]);
      }),
      { numRuns: RUNS, seed: SEED },
    );
  });

  it('C3.4, C10.4: any characters at all', () => {
    const text = fc.string({ unit: 'binary', maxLength: 200 });
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 9 }), (said, size) => {
        const whole = read(said, [tool('now')], ALL_DIALECTS);
        expect(whole.kind).not.toBe('calls');
        expect(streamed(cutEvery(said, size), [tool('now')], ALL_DIALECTS)).toMatchObject({
          text: whole.text,
          parsed: whole,
        });
      }),
      { numRuns: RUNS, seed: SEED },
    );
  });

  it('C10.4: prose is shown as it comes, but for blanks at its end', () => {
    const prose = ['One two.\n', '\n- a `b` c\n', '```js\nlet x = 1;\n', '```\n', '> said\n', 'The end.'];
    const { shownBefore } = streamed(prose, [tool('now')], ALL_DIALECTS);
    expect(shownBefore.join('')).toBe(prose.join(''));
    expect(shownBefore[2]).toContain('let x = 1;');
  });

  it('C3.3, C10.4: thinking comes as thinking, in any cut', () => {
    const chance = new Chance({ seed: 1, draws: 100 });
    const text = 'Hi <think>I may <tool_call>{"name":"now"}</tool_call></think> there.';
    for (let nth = 0; nth < 20; nth += 1) {
      const { text: shown, thinking } = streamed(cutEvery(text, 1 + chance.below(12)), [tool('now')]);
      expect({ shown, thinking }).toEqual({
        shown: 'Hi there.',
        thinking: 'I may <tool_call>{"name":"now"}</tool_call>',
      });
    }
  });
});
