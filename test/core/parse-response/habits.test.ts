// Habits of small models (C3.4): untidy, but clear; and made-up things, which are never taken for true.
import { describe, expect, it } from 'vitest';
import { ALL_DIALECTS, callsOf, cutEvery, read, streamed, tool } from './reading.ts';

const TOOLS = [tool('now'), tool('shell', { cmd: 'string' })];
const NOW = '{"name":"now","arguments":{}}';
const LS = [{ name: 'shell', args: { cmd: 'ls -la' } }];
const PARAMETERS = '<parameter=cmd>\nls -la\n</parameter>';

describe('untidy calls that are clear', () => {
  it.for([
    ['a fence inside the tag', `<tool_call>\n\`\`\`json\n${NOW}\n\`\`\`\n</tool_call>`],
    ['the opening tag in place of the closing one', `<tool_call>${NOW}<tool_call>`],
    ['closed twice', `<tool_call>${NOW}</tool_call></tool_call>`],
    ['closed by a token', `<tool_call>${NOW}</s>`],
    ['tags in a fence of calls', `\`\`\`tool_call\n<tool_call>${NOW}</tool_call>\n\`\`\``],
    ['a fence without a name', `\`\`\`\n${NOW}\n\`\`\``],
    ['a fence that is not closed', `\`\`\`json\n${NOW}`],
    ['capitals', `<TOOL_CALL>${NOW}</TOOL_CALL>`],
    ['an attribute', `<tool_call id="1">${NOW}</tool_call>`],
    ['an empty element', '<tool_call><now/></tool_call>'],
    ['brackets', '<tool_call>now()</tool_call>'],
    ['the end of a message of llama', `${NOW}<|eom_id|>`],
  ] as const)('C3.4 %s', ([, text]) => {
    expect(read(text, TOOLS)).toMatchObject({ kind: 'calls', text: '', dropped: [] });
    expect(callsOf(read(text, TOOLS))).toEqual([{ name: 'now', args: {} }]);
    expect(streamed(cutEvery(text, 3), TOOLS).text).toBe('');
  });

  it('C3.4 an envelope that was closed but never begun', () => {
    const text = `<function=shell>\n${PARAMETERS}\n</function>\n</tool_call>`;
    expect(callsOf(read(text, TOOLS, ['invoke']))).toEqual(LS);
  });

  it('C3.4 name and arguments as elements', () => {
    const text = '<tool_call><name>shell</name><arguments>{"cmd":"ls -la"}</arguments></tool_call>';
    expect(callsOf(read(text, TOOLS))).toEqual(LS);
  });

  it('C3.4 lines of one tool are one call until a parameter comes again', () => {
    const known = [tool('note', { a: 'string', b: 'string' })];
    const text = 'I write.\nnote/a>1\nnote/b>2\nnote/a>3\n\nDone.';
    const parsed = read(text, known, ['glm']);
    expect(callsOf(parsed).map(({ args }) => args)).toEqual([{ a: '1', b: '2' }, { a: '3' }]);
    expect(parsed.text).toBe('I write.\n\nDone.');
  });

  it('C3.4 what an answer says beside its list of calls is shown', () => {
    const text = `{"role":"assistant","content":"I look.","tool_calls":[${NOW}]}`;
    expect(read(text, TOOLS)).toMatchObject({ kind: 'calls', text: 'I look.' });
  });
});

describe('calls that are not clear', () => {
  it.for([
    `<tool_call>${NOW}}</tool_call>`,
    `<tool_call>${NOW} and ${NOW}</tool_call>`,
    '<tool_call>now',
    '<tool_call></tool_call>',
    "<tool_call>{'name': 'now', 'arguments': {}}</tool_call>",
    "{'name': 'now', 'arguments': {}}",
    '<tool_call name="shell">{"cmd":"ls"}</tool_call>',
    '<|python_tag|>now.call()',
    `Well. <|python_tag|>${NOW}`,
    `[TOOL_CALLS]now[ARGS]{"a": `,
    '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>now<｜tool▁sep｜>{}<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
  ])('C3.5 %s', (text) => {
    expect(read(text, TOOLS, ALL_DIALECTS).kind).toBe('malformed');
  });

  it('C1.5 a backslash before a raw line break is no escape, and nothing is made of it', () => {
    const text = '<tool_call>{"name":"shell","arguments":"{\\"cmd\\":\\"a\\\n\\"}"}</tool_call>';
    expect(callsOf(read(text, TOOLS)).map(({ args }) => args)).not.toContainEqual({
      cmd: expect.stringContaining('u000a'),
    });
  });
});

describe('made-up results', () => {
  const text = `<tool_call>${NOW}</tool_call>\n<tool_result name="now">\n12:00\n</tool_result>\nIt is noon.`;

  it('C3.2 are not shown, and the model is told', () => {
    expect(read(text, TOOLS)).toMatchObject({
      kind: 'calls',
      text: 'It is noon.',
      dropped: [expect.stringMatching(/tool_result/)],
    });
  });

  it('C3.5 without a call are malformed', () => {
    expect(read('<tool_result name="now">12:00</tool_result> It is noon.', TOOLS)).toMatchObject({
      kind: 'malformed',
      text: 'It is noon.',
    });
  });
});
