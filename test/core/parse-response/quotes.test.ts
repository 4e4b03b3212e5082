// What is quoted is prose (C3.3, C3.5): shown as it is, never run, never malformed.
import { describe, expect, it } from 'vitest';
import { ALL_DIALECTS, callsOf, cutEvery, read, streamed, tool } from './reading.ts';

const TOOLS = [tool('shell', { cmd: 'string' }), tool('now')];
const CALL = '<tool_call>{"name":"shell","arguments":{"cmd":"rm x"}}</tool_call>';
const NOW = '<tool_call>{"name":"now","arguments":{}}</tool_call>';

describe('quotes', () => {
  it.for([
    ['inline code', `You write \`${CALL}\` for that.`],
    ['inline code of two backticks', `You write \`\` ${CALL} \` \`\` for that.`],
    ['inline code over two lines', `You write \`<tool_call>\n{"name":"shell","arguments":{}}</tool_call>\` for that.`],
    ['a fence', `So:\n\`\`\`\n${CALL}\n\`\`\`\nClear?`],
    ['a fence of tildes', `So:\n~~~xml\n${CALL}\n~~~`],
    ['a fence in a fence', `So:\n\`\`\`\`md\n\`\`\`xml\n${CALL}\n\`\`\`\n\`\`\`\``],
    ['a fence first, then prose', `\`\`\`xml\n${CALL}\n\`\`\`\nThat is the form.`],
    ['a line with >', `So:\n> ${CALL}\nClear?`],
    ['a call fence without its dialect', `So:\n\`\`\`tool_call\n{"name":"shell","arguments":{}}\n\`\`\``],
    ['a block of tools', '<tools>[{"name":"shell","description":"runs","parameters":{"type":"object"}}]</tools>'],
    ['calls in a block of tools', `<tools>{"name":"shell","parameters":{}}\n${CALL}</tools>`],
    ['words that look like it', 'Use the tool_call tag, a <toolbox>, [TOOL], or a < b > c; {"name": 3}.'],
    ['an answer in JSON', '{"name": "Ada", "parameters": {"born": 1815}, "age": 36}'],
    ['a list in JSON', '[{"name": "a"}, {"name": "b"}]'],
    ['a description of a tool', '{"name":"shell","description":"runs","parameters":{"type":"object","properties":{}}}'],
    ['code that is the whole response', '```js\nprint("<tool_call>{}</tool_call>");\n```'],
  ] as const)('C3.3 %s', ([, text]) => {
    expect(read(text, TOOLS)).toEqual({ kind: 'prose', text });
    expect(streamed(cutEvery(text, 1), TOOLS).text).toBe(text);
  });

  it.for(['For example:', 'It would look like this:', 'The syntax is', 'e.g.'])(
    'C3.3 a call fence that prose calls an example: %s',
    (before) => {
      const text = `${before}\n\`\`\`tool_call\n{"name":"now","arguments":{}}\n\`\`\``;
      expect(read(text, TOOLS, ['fence'])).toEqual({ kind: 'prose', text });
      expect(read(text.replace(before, 'I look.'), TOOLS, ['fence']).kind).toBe('calls');
    },
  );

  it('C3.3 a quote does not hide the call behind it', () => {
    const text = `Not \`${CALL}\` but:\n${NOW}`;
    expect(read(text, TOOLS)).toMatchObject({ kind: 'calls', text: `Not \`${CALL}\` but:` });
    expect(callsOf(read(text, TOOLS))).toEqual([{ name: 'now', args: {} }]);
  });

  it('C3.4 what stands in a value is no quote: fences, backticks and > in arguments are data', () => {
    const body = '# Title\n\n```sh\nnpm i `x`\n```\n> said\n';
    const text = `<tool_call><invoke name="shell"><parameter name="cmd">${body}</parameter></invoke></tool_call>`;
    expect(callsOf(read(text, TOOLS))).toEqual([{ name: 'shell', args: { cmd: body } }]);
  });
});

describe('what is neither quoted nor clear', () => {
  it.for([
    ['a fence that never closes', `So:\n\`\`\`xml\n${CALL}`, 'So:\n```xml'],
    ['a backtick that never closes', `So \`${CALL}`, 'So `'],
    ['a closing tag alone', 'Done.\n</tool_call>', 'Done.'],
    ['a tag that was cut', 'Done.\n<tool_call', 'Done.'],
    ['a call object behind prose', 'I look.\n{"name":"now","arguments":{}}', 'I look.'],
    ['a call object before prose', '{"name":"now","arguments":{}}\nI look.', 'I look.'],
    ['an empty list of calls', '{"tool_calls":[]}', ''],
    ['a call object of no tool', '{"name":"nothing","arguments":{}}', ''],
    ['a list that is not calls alone', '[{"name":"now","arguments":{}}, 5]', ''],
  ] as const)('C3.5 %s is malformed', ([, text, shown]) => {
    expect(read(text, TOOLS, ALL_DIALECTS)).toMatchObject({ kind: 'malformed', text: shown });
    expect(streamed(cutEvery(text, 1), TOOLS, ALL_DIALECTS).text).toBe(shown);
  });

  it('C3.5 a call object that prose calls an example is prose', () => {
    const text = 'A call looks like this:\n{"name":"now","arguments":{}}\nClear?';
    expect(read(text, TOOLS)).toEqual({ kind: 'prose', text });
  });

  it('C3.3 thinking inside a call breaks it: a value is never changed', () => {
    const text = '<tool_call>{"name":"shell","arguments":{"cmd":"echo <think>x</think> y"}}</tool_call>';
    expect(read(text, TOOLS)).toMatchObject({ kind: 'malformed', text: '', why: expect.stringMatching(/thinking/) });
  });

  it('C3.3 terminal markers are nothing', () => {
    expect(read('Hi.<|eom|>', TOOLS)).toEqual({ kind: 'prose', text: 'Hi.' });
    expect(callsOf(read(`${NOW}<eom>`, TOOLS))).toEqual([{ name: 'now', args: {} }]);
  });
});
