// The collected bad cases of the text protocol, each as a whole and streamed in every cut.
import { describe, expect, it } from 'vitest';
import type { ToolShape } from '../../../core/parse-response/parse.ts';
import { type Case, caseOf, casesOf } from '../../support/cases.ts';
import { ALL_DIALECTS, callsOf, cutEvery, read, streamed } from './reading.ts';

type Given = { text: string; tools: ToolShape[]; pieces?: string[] };

function givenOf({ input }: Case): Given[] {
  const tools = input.tools.map(({ name, schema }: { name: string; schema: object }) => ({ name, parameters: schema }));
  if (input.form === 'text') return [{ text: input.assistant_text, tools }];
  if (input.form === 'text_set') return input.texts.map((text: string) => ({ text, tools }));
  return input.streams.map((pieces: string[]) => ({ text: pieces.join(''), tools, pieces }));
}

const given = (id: string, nth = 0) => givenOf(caseOf(id))[nth] as Given;
const calls = ({ text, tools }: Given, dialects: readonly string[] = []) => callsOf(read(text, tools, dialects));

/** Which dialect a case needs; the others need none. */
const DIALECT: Record<string, string> = {
  B46: 'fence',
  B49: 'deepseek',
  B50: 'deepseek',
  B52: 'mistral',
  B53: 'minimax',
  B59: 'llama',
};
const on = (id: string): string[] => (DIALECT[id] ? [DIALECT[id]] : []);

describe('the calls that a case expects', () => {
  it.for(['B43', 'B44', 'B46', 'B49', 'B50', 'B52', 'B53', 'B56'])('C3.4 %s', (id) => {
    for (const each of givenOf(caseOf(id))) expect(calls(each, on(id))).toEqual(caseOf(id).expected.calls);
  });

  it.for(['B58', 'B59'])('C3.4 %s', (id) => {
    const read = givenOf(caseOf(id)).map((each) => calls(each, on(id)));
    expect(read).toEqual(caseOf(id).expected.calls_per_text);
  });

  it('C3.4 B43 names the broken call, and shows nothing of it', () => {
    const { text, tools } = given('B43');
    expect(read(text, tools)).toMatchObject({
      kind: 'calls',
      text: '',
      dropped: [expect.stringMatching(/not complete/)],
    });
  });

  it('C3.4 B43 a new open tag in mid-line is data: no call, malformed', () => {
    const { text, tools } = given('B43');
    expect(read(text.replace('\n', ' '), tools)).toMatchObject({ kind: 'malformed', text: '' });
  });

  it('C3.5 B47 tag text is never shown, and the open call is not run', () => {
    const parsed = givenOf(caseOf('B47')).map(({ text, tools }) => read(text, tools));
    for (const { text } of parsed) expect(text).not.toContain(caseOf('B47').expected.never_in_visible_text);
    expect(parsed.map(({ kind }) => kind)).toEqual(['calls', 'calls', 'malformed']);
    expect(parsed.slice(0, 2).map(callsOf)).toEqual(
      Array(2).fill([{ name: 'send_message', args: { channel: 'general', message: 'hi' } }]),
    );
  });

  it('C3.3 B55 calls in thinking are not calls; thinking that does not end is malformed', () => {
    const parsed = givenOf(caseOf('B55')).map(({ text, tools }) => read(text, tools));
    expect(parsed.map((each) => callsOf(each).length)).toEqual(caseOf('B55').expected.runs);
    expect(parsed[1]).toMatchObject({ kind: 'malformed', text: '', why: expect.stringMatching(/thinking/) });
  });

  it('C3.5 B56 what is quoted is prose, shown unchanged', () => {
    const { text, tools } = given('B56');
    expect(read(text, tools, ALL_DIALECTS)).toEqual({ kind: 'prose', text });
  });
});

describe('a dialect that is off', () => {
  it.for(['B46', 'B49', 'B50', 'B52', 'B53'])('C3.5 %s is malformed and not shown', (id) => {
    for (const { text, tools } of givenOf(caseOf(id))) {
      const parsed = read(text, tools);
      expect(parsed).toMatchObject({ kind: 'malformed', text: id === 'B49' ? 'Sure.' : '' });
    }
  });

  it('C3.5 B59 the forms of llama are malformed, the fence of JSON is always read', () => {
    const parsed = givenOf(caseOf('B59')).map(({ text, tools }) => read(text, tools).kind);
    expect(parsed).toEqual(['calls', 'malformed', 'malformed']);
  });
});

describe('in a stream', () => {
  it.for(casesOf('text_protocol').map(({ id }) => id))('C10.4 %s in every cut is what it is as a whole', (id) => {
    for (const { text, tools, pieces } of givenOf(caseOf(id))) {
      for (const dialects of [on(id), ALL_DIALECTS, []]) {
        const whole = read(text, tools, dialects);
        for (let size = 1; size <= text.length; size += 1) {
          const { text: shown, parsed } = streamed(cutEvery(text, size), tools, dialects);
          expect({ shown, parsed }).toEqual({ shown: whole.text, parsed: whole });
        }
        if (pieces) expect(streamed(pieces, tools, dialects).text).toBe(whole.text);
      }
    }
  });

  it('C10.4 B49 no part of a marker is shown while it comes', () => {
    for (const { text, tools } of givenOf(caseOf('B49'))) {
      expect(streamed(cutEvery(text, 1), tools).shownBefore.join('')).toBe('Sure.');
    }
  });

  it('C10.4 text that only begins like a marker comes out complete', () => {
    const text = 'a < b, <tool_ca and [TOOL_CA';
    expect(streamed(cutEvery(text, 1), [tool]).text).toBe(text);
  });
});

const tool: ToolShape = { name: 'now', parameters: { type: 'object', properties: {} } };
