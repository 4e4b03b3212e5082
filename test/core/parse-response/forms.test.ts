// Every form of a call that the text protocol knows (C3.4), with its dialect on and off.
import { describe, expect, it } from 'vitest';
import { ALL_DIALECTS, callsOf, cutEvery, read, streamed, tool } from './reading.ts';
import { type Planted, WRITERS } from './written-calls.ts';

const TOOLS = [
  tool('weather', { city: 'string', days: 'integer', exact: 'boolean', tags: 'array' }),
  tool('now'),
  tool('shell', { cmd: 'string' }),
];
const CALLS: Planted[] = [
  { name: 'weather', args: { city: 'Oslo & "so" <b>', days: 3, exact: true, tags: ['a', 'b'] } },
  { name: 'now', args: {} },
];
/** JSON that could be an answer, when it names no tool. */
const SAYS_LITTLE = ['json fence', 'llama, joined'];
const single = (form: string): boolean => /^(?:tools|object|json fence)$/.test(form);

describe.for(WRITERS)('$form', ({ form, dialect, whole, write }) => {
  const calls = single(form) ? CALLS.slice(0, 1) : CALLS;
  const on = dialect ? [dialect] : [];
  const text = whole ? write(calls) : `Let me look.\n\n${write(calls)}`;

  it('C3.4 is read, and nothing of it is shown', () => {
    const parsed = read(text, TOOLS, on);
    expect(callsOf(parsed).map(({ name, args }) => ({ name, args }))).toEqual(calls);
    expect(parsed).toMatchObject({ kind: 'calls', text: whole ? '' : 'Let me look.', dropped: [] });
  });

  it('C10.4 in every cut is what it is as a whole', () => {
    const parsed = read(text, TOOLS, on);
    for (let size = 1; size < 40; size += 1) {
      const stream = streamed(cutEvery(text, size), TOOLS, on);
      expect(stream).toMatchObject({ text: parsed.text, parsed });
    }
  });

  it('C3.3 is not read in a fence behind prose, in a line with >, or in thinking', () => {
    const body = write(calls).replaceAll('```', '~~~');
    const behind = `It is written so:\n\n\`\`\`\`text\n${body}\n\`\`\`\``;
    const lines = body
      .split('\n')
      .map((line) => `> ${line}`)
      .join('\n');
    for (const quoted of [behind, lines]) {
      expect(read(quoted, TOOLS, ALL_DIALECTS)).toEqual({ kind: 'prose', text: quoted });
    }
    expect(read(`<think>${write(calls)}</think>No.`, TOOLS, ALL_DIALECTS)).toEqual({ kind: 'prose', text: 'No.' });
  });

  it('C3.3 drops calls of tools that are not in the set', () => {
    const parsed = read(text, [tool('other')], on);
    expect(parsed.kind).toBe(SAYS_LITTLE.includes(form) ? 'prose' : 'malformed');
  });

  it('C3.3 without any tool there is no call', () => {
    expect(read(text, [], on).kind).not.toBe('calls');
  });
});

describe.for(WRITERS.filter(({ dialect }) => dialect !== undefined))(
  '$form, off',
  ({ form, dialect, whole, write }) => {
    it('C3.5 is malformed and not shown; a fence is a quote', () => {
      const also = ['word', 'bracket', 'arrow'].includes(form) ? ['minimax', 'function_call'] : [];
      const others = ALL_DIALECTS.filter((each) => each !== dialect && !also.includes(each));
      const text = whole ? write(CALLS) : `Let me look.\n\n${write(CALLS)}`;
      const parsed = read(text, TOOLS, others);
      if (dialect === 'fence') expect(parsed).toEqual({ kind: 'prose', text });
      else expect(parsed).toMatchObject({ kind: 'malformed', text: whole ? '' : 'Let me look.' });
    });
  },
);

describe('ids', () => {
  it('C3.3 a call keeps its own id when that is unique', () => {
    const text = ['a', 'a', 'b']
      .map((id) => `<tool_call>${JSON.stringify({ id, name: 'now', arguments: {} })}</tool_call>`)
      .join('\n');
    const parsed = read(text, TOOLS);
    expect(callsOf(parsed).map(({ id }) => id)).toEqual(['a', undefined, 'b']);
  });

  it('C3.4 kimi: the name stands between "functions." and the number, the whole is the id', () => {
    const text =
      '<|tool_calls_section_begin|><|tool_call_begin|>functions.now:7<|tool_call_argument_begin|>{}<|tool_call_end|><|tool_calls_section_end|>';
    expect(callsOf(read(text, TOOLS, ['kimi']))).toEqual([{ name: 'now', args: {}, id: 'functions.now:7' }]);
  });
});

describe('names', () => {
  const meant = (written: string, ...names: string[]) =>
    callsOf(
      read(
        `<tool_call>{"name":"${written}","arguments":{}}</tool_call>`,
        names.map((name) => tool(name)),
      ),
    )[0]?.name;

  it.for([
    ['bash', 'shell'],
    ['sh', 'shell'],
    ['exec', 'shell'],
    ['Bash', 'shell'],
    ['read', 'file_read'],
    ['write', 'file_write'],
    ['list', 'file_list'],
    ['recall', 'memory_recall'],
    ['store', 'memory_store'],
    ['forget', 'memory_forget'],
    ['fetch', 'http_request'],
    ['curl', 'http_request'],
    ['wget', 'http_request'],
  ] as const)('C3.4 %s is %s', ([written, name]) => {
    expect(meant(written, name)).toBe(name);
    expect(meant(written, 'other')).toBeUndefined();
  });

  it('C3.4 no search and no browser is a shell', () => {
    for (const name of ['search', 'web_search', 'browser', 'browse', 'open_url', 'python', 'find']) {
      expect(meant(name, 'shell')).toBeUndefined();
    }
  });

  it('C2.8 a name without __ is a unique suffix; an exact name and a tool of that spelling go before', () => {
    expect(meant('read_file', 'fs__read_file')).toBe('fs__read_file');
    expect(meant('read_file', 'a__read_file', 'b__read_file')).toBeUndefined();
    expect(meant('bash', 'shell', 'bash')).toBe('bash');
  });
});

describe('several forms in one response', () => {
  it('C3.4 the first form in the order wins, the others are named', () => {
    const text = '[TOOL_CALLS]now[ARGS]{}\n<tool_call>{"name":"shell","arguments":{"cmd":"ls"}}</tool_call>';
    const parsed = read(text, TOOLS, ['mistral']);
    expect(callsOf(parsed)).toEqual([{ name: 'shell', args: { cmd: 'ls' } }]);
    expect(parsed).toMatchObject({ dropped: [expect.stringMatching(/"now".*another form/)] });
  });
});
