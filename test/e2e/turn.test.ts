// The thin line: a turn on the real server, with the scripted provider and real tools.
import { afterEach, expect, it } from 'vitest';
import { assembleText } from '../../core/events.ts';
import { type Stack, startStack } from '../support/stack.ts';

let stack: Stack;
afterEach(() => stack.close());

it('C8.1 answers a message without tools', async () => {
  stack = await startStack({ script: 'responses: [{ say: ["Hel", "lo."] }]' });
  const turnId = await stack.start('Hi');
  const row = await stack.ended(turnId);
  expect(row).toMatchObject({ status: 'completed', stopReason: 'answer', answer: 'Hello.' });
  const events = await stack.events(turnId);
  expect(events.map(({ number }) => number)).toEqual(events.map((_, index) => index + 1));
  expect([...assembleText(events).values()]).toEqual(['Hello.']);
  expect(events.at(-1)).toMatchObject({ type: 'turn_ended', status: 'completed', answer: 'Hello.' });
});

it('C6 runs a tool in the workspace and shows its result to the model', async () => {
  stack = await startStack({
    script: `
responses:
  - calls: [{ name: file_write, arguments: { path: note.txt, content: "kept" } }]
  - say: "The file says: {{last_result}}"
`,
    agent: '    policy: { auto_approve: [file_write] }',
  });
  const turnId = await stack.start('Write it down');
  const row = await stack.ended(turnId);
  expect(row.status).toBe('completed');
  expect(await stack.file('note.txt')).toBe('kept');
  const events = await stack.events(turnId);
  expect(events.map(({ type }) => type).filter((type) => type.startsWith('tool'))).toEqual([
    'tool_call',
    'tool_result',
  ]);
});
