// The scripted provider: the conversation alone decides what it says (docs/scripted-provider.md).
import { mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { scripted } from '../../../activities/provider/scripted.ts';
import type { ProviderReply, ProviderRequest, StreamPart } from '../../../activities/provider/types.ts';
import type { Message } from '../../../core/transcript.ts';

let folder: string;
let files = 0;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'everturn-script-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function provider(script: string) {
  const file = join(folder, `${files++}.yaml`);
  await writeFile(file, script);
  const adapter = scripted({ name: 'demo', file, prices: { small: { input: 1, output: 2 } } });
  const parts: StreamPart[] = [];
  const ask = (messages: Message[], over: Partial<ProviderRequest> = {}, signal = new AbortController().signal) => {
    parts.length = 0;
    const request: ProviderRequest = { model: 'small', system: '', messages, tools: [], toolChoice: 'auto', ...over };
    return adapter.call(request, { signal, onPart: (part) => void parts.push(part) });
  };
  return { adapter, ask, parts, file };
}

const user = (text: string): Message => ({ role: 'user', text });
const answered = (text: string): Message => ({ role: 'assistant', text, calls: [] });
const round = (text: string): Message[] => [
  { role: 'assistant', text: '', calls: [{ id: 'a', name: 'x', arguments: '{}' }] },
  { role: 'tool', results: [{ id: 'a', name: 'x', text, success: true }] },
];
const failureOf = (call: Promise<ProviderReply>) =>
  call.then(
    () => undefined,
    (error: unknown) => error,
  );

describe('which response', () => {
  it('says in its label that it is scripted', async () => {
    expect((await provider('responses: []')).adapter.label).toBe('demo (scripted)');
  });

  it('responses without a condition answer in order, then `otherwise`', async () => {
    const { ask } = await provider('responses: [{say: one}, {say: two, repeat: 2}]\notherwise: {say: over}');
    const said: string[] = [];
    const messages = [user('go')];
    for (let n = 0; n < 5; n++) {
      const { text } = await ask(messages);
      said.push(text);
      messages.push(answered(text), user('go'));
    }
    expect(said).toEqual(['one', 'two', 'two', 'over', 'over']);
  });

  it('`repeat: forever` has no end', async () => {
    const { ask } = await provider('responses: [{say: one}, {say: more, repeat: forever}]');
    expect((await ask([user('a'), ...Array.from({ length: 500 }, () => [answered('x'), user('b')]).flat()])).text).toBe(
      'more',
    );
  });

  it.for<[string, Message[]]>([
    ['{last_user: steer}', [user('go'), ...round('r'), user('I steer you')]],
    ['{last_user: {equals: exactly}}', [user('exactly')]],
    ['{first_user: go}', [user('go'), ...round('r'), user('I steer you')]],
    ['{last_result: "42"}', [user('go'), ...round('it is 42')]],
    ['{step: 2}', [user('old'), answered('x'), user('go'), ...round('r')]],
    ['{assistants: 2}', [user('old'), answered('x'), user('go'), ...round('r')]],
    ['{step: 1, last_user: go}', [user('old'), ...round('r'), answered('x'), user('go')]],
  ])('a response with `when: %s` comes first', async ([when, messages]) => {
    const { ask } = await provider(`responses: [{say: other, repeat: forever}, {when: ${when}, say: mine}]`);
    expect((await ask(messages)).text).toBe('mine');
    expect((await ask([user('something else')])).text).toBe('other');
  });

  it('`tool_choice: none` answers the call at the cap (C8.2)', async () => {
    const { ask } = await provider('responses: [{when: {tool_choice: none}, say: cap}, {say: other, repeat: forever}]');
    expect((await ask([user('a')], { toolChoice: 'none' })).text).toBe('cap');
    expect((await ask([user('a')])).text).toBe('other');
  });

  it('the same conversation gets the same answer, in any order of asking', async () => {
    const { ask } = await provider('responses: [{say: one, calls: [{name: x}]}, {say: two}]');
    const second = [user('go'), ...round('r')];
    expect((await ask(second)).text).toBe('two');
    expect(await ask([user('go')])).toEqual(await ask([user('go')]));
    expect((await ask(second)).text).toBe('two');
  });

  it('without any response it fails and says what to do', async () => {
    expect(await failureOf((await provider('responses: []')).ask([user('a')]))).toMatchObject({
      failureClass: 'fatal',
      message: expect.stringContaining('otherwise'),
    });
  });
});

describe('a loop', () => {
  const LOOP = `responses:
  - loop:
      iterations: 3
      calls: [{name: shell, arguments: {command: "echo {{iteration}}", n: "{{iteration|number}}"}}]
      answer: {say: "Done after {{iteration}}: {{last_result}}"}
  - say: later`;

  async function play(script: string, first = 'go') {
    const { ask } = await provider(script);
    const messages = [user(first)];
    const seen: string[] = [];
    for (;;) {
      const { text, calls } = await ask(messages);
      messages.push({ role: 'assistant', text, calls });
      if (calls.length === 0) return { seen, text, messages, ask };
      seen.push(...calls.map((each) => each.arguments));
      messages.push({
        role: 'tool',
        results: calls.map(({ id, name }) => ({ id, name, text: `r${seen.length}`, success: true })),
      });
    }
  }

  it('calls so many times, then answers', async () => {
    const { seen, text, messages, ask } = await play(LOOP);
    expect(seen).toEqual([1, 2, 3].map((n) => `{"command":"echo ${n}","n":${n}}`));
    expect(text).toBe('Done after 3: r3');
    expect((await ask([...messages, user('and?')])).text).toBe('later');
  });

  it('with a condition counts the steps of its turn', async () => {
    const script = LOOP.replace('- loop:', '- when: {first_user: go}\n    loop:');
    expect((await play(script)).seen).toHaveLength(3);
  });

  it('gives its calls ids that are unique in the conversation', async () => {
    const { messages } = await play(LOOP);
    const ids = messages.flatMap((each) => (each.role === 'assistant' ? each.calls.map(({ id }) => id) : []));
    expect(new Set(ids).size).toBe(3);
  });

  it('goes on for thousands of iterations', async () => {
    expect((await play(LOOP.replace('iterations: 3', 'iterations: 3000'))).seen).toHaveLength(3_000);
  });
});

describe('what is said', () => {
  it('comes in pieces, thinking first, with the templates filled in', async () => {
    const { ask, parts } = await provider(
      'responses: [{think: hm, say: ["You said ", {wait_ms: 1}, "{{last_user}}"], delay_ms: 1}]',
    );
    expect(await ask([user('$& {{step}}')])).toMatchObject({
      thinking: 'hm',
      text: 'You said $& {{step}}',
      finish: 'stop',
    });
    expect(parts).toEqual([
      { type: 'thinking', text: 'hm' },
      { type: 'text', text: 'You said ' },
      { type: 'text', text: '$& {{step}}' },
    ]);
  });

  it('may hold broken arguments, ids, calls of the provider, a finish and usage', async () => {
    const { ask } = await provider(`responses:
  - calls: [{name: shell, arguments: '{"command": "ls', id: x}, {name: now}]
    provider_calls: [{name: web_search}]
    finish: length
    usage: {input: 1000, output: 500, cached: 10}`);
    expect(await ask([user('a')])).toEqual({
      text: '',
      thinking: '',
      calls: [
        { id: 'x', name: 'shell', arguments: '{"command": "ls' },
        { id: 'call_1_2', name: 'now', arguments: '{}' },
      ],
      providerCalls: [{ name: 'web_search' }],
      finish: 'length',
      usage: { inputTokens: 1000, outputTokens: 500, cachedInputTokens: 10, reasoningTokens: 0, costUsd: 0.002 },
    });
  });

  it('is read again when the file changes', async () => {
    const { ask, file } = await provider('responses: [{say: old, repeat: forever}]');
    expect((await ask([user('a')])).text).toBe('old');
    await writeFile(file, 'responses: [{say: new, repeat: forever}]');
    await utimes(file, new Date(), new Date(Date.now() + 5_000));
    expect((await ask([user('a')])).text).toBe('new');
  });

  it('C8.4 stops at once when the call is cancelled', async () => {
    const { ask } = await provider('responses: [{say: [a, {wait_ms: 600000}, b]}]');
    const cancel = new AbortController();
    const call = failureOf(ask([user('a')], {}, cancel.signal));
    setImmediate(() => cancel.abort());
    expect(await call).toMatchObject({ name: 'AbortError' });
  });
});

describe('faults', () => {
  it.for([
    ['{kind: status, status: 429, retry_after: 3}', { failureClass: 'rate_limited', retryAfterMs: 3_000 }, ''],
    ['{kind: status, status: 401, message: wrong key}', { failureClass: 'fatal' }, ''],
    ['{kind: status, status: 413}', { failureClass: 'overflow' }, ''],
    ['{kind: error}', { failureClass: 'retryable' }, ''],
    ['{kind: cut}', { failureClass: 'retryable' }, 'onetwo'],
    ['{kind: cut, after: 1}', { failureClass: 'retryable' }, 'one'],
    ['{kind: stall, idle_ms: 5}', { message: expect.stringContaining('idle_timeout') }, 'onetwo'],
  ] as const)('%s', async ([fault, expected, shown]) => {
    const { ask, parts } = await provider(`responses: [{say: [one, two], fault: ${fault}}]`);
    expect(await failureOf(ask([user('a')]))).toMatchObject(expected);
    expect(parts.map((part) => ('text' in part ? part.text : '')).join('')).toBe(shown);
  });

  it('`times` ends a fault', async () => {
    const { ask } = await provider('responses: [{say: whole, fault: {kind: cut, times: 2}}]');
    for (let n = 0; n < 2; n++) expect(await failureOf(ask([user('a')]))).toBeInstanceOf(Error);
    expect((await ask([user('a')])).text).toBe('whole');
  });

  it('a stall without an end is cut by a cancel', async () => {
    const { ask } = await provider('responses: [{fault: {kind: stall}}]');
    const cancel = new AbortController();
    const call = failureOf(ask([user('a')], {}, cancel.signal));
    setImmediate(() => cancel.abort());
    expect(await call).toMatchObject({ name: 'AbortError' });
  });
});

describe('a bad file', () => {
  it.for<[string, RegExp]>([
    ['responses: [{sya: hello}]', /responses\.0.*sya/],
    ['responses: [{say: 3}]', /responses\.0\.say/],
    ['responses: [{say: a, repeat: 2, when: {step: 1}}]', /repeat/],
    ['responses: [{say: a, loop: {iterations: 1, answer: {}}}]', /loop/],
    ['responses: [unclosed', /line 1/],
  ])('%s is named', async ([script, words]) => {
    const error = await failureOf((await provider(script)).ask([user('a')]));
    expect(error).toMatchObject({ failureClass: 'fatal', message: expect.stringMatching(words) });
  });

  it('that is missing is named', async () => {
    const lost = scripted({ name: 'demo', file: join(folder, 'none.yaml') });
    const request: ProviderRequest = {
      model: 'small',
      system: '',
      messages: [user('a')],
      tools: [],
      toolChoice: 'auto',
    };
    const call = lost.call(request, { signal: new AbortController().signal, onPart: () => {} });
    await expect(call).rejects.toThrow(/none\.yaml cannot be read/);
  });
});
