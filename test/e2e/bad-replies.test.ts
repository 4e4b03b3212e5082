// What a model may send that nobody should (C1.5, C3.9, C4.4, C6.4, C10.7): each becomes a result or a note, never an exception.
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { fitBytes } from '../../activities/tools/fit-bytes.ts';
import { type Stack, startStack } from '../support/stack.ts';

const calls = (count: number) =>
  Array.from({ length: count }, (_, n) => `{ name: file_list, arguments: { path: "d${n}" } }`).join(', ');

const TOOLS = `
export default [
  { name: 'boom', description: 'Throws.', effect: 'none', provenance: 'extension', executor: 'activity', timeoutMs: 60000,
    parameters: { type: 'object', properties: {} },
    assess: () => ({ effect: 'none', risk: { level: 'low', reasons: [] }, assessed: true }),
    execute: async () => { throw new Error('the disk is on fire'); } },
  { name: 'huge', description: 'Much text.', effect: 'none', provenance: 'extension', executor: 'activity', timeoutMs: 60000,
    parameters: { type: 'object', properties: {} },
    assess: () => ({ effect: 'none', risk: { level: 'low', reasons: [] }, assessed: true }),
    execute: async () => ({ success: true, output: 'x'.repeat(2_000_000) + 'é'.repeat(2_194_474) }) },
];
`;

/** Of what `huge` gives, as far as the store takes one text. */
const REF = createHash('sha256')
  .update(fitBytes(`${'x'.repeat(2_000_000)}${'é'.repeat(2_194_474)}`))
  .digest('hex');

const SCRIPT = `
responses:
  - when: { last_user: many }
    calls: [${calls(70)}]
  - when: { last_user: { contains: "64" } }
    say: "I was told: {{last_user}}"
  - when: { first_user: unknown, step: 1 }
    calls: [{ name: file_raed, arguments: { path: a } }, { name: file_read, arguments: '{"path": "a' }, { name: file_read, arguments: { wrong: 1 } }]
  - when: { first_user: throws, step: 1 }
    calls: [{ name: boom }, { name: file_list, arguments: { path: "." } }]
  - when: { first_user: huge, step: 1 }
    calls: [{ name: huge }]
  - when: { first_user: "read on", step: 1 }
    calls: [{ name: huge }]
  - when: { first_user: "read on", step: 2 }
    calls: [{ name: result_read, arguments: { ref: "${REF}", limit: 100 } }]
  - when: { first_user: foreign, step: 1 }
    calls: [{ name: result_read, arguments: { ref: "${REF}", limit: 100 } }]
  - when: { first_user: cut, step: 1 }
    calls: [{ name: file_list, arguments: { path: "." } }, { name: file_list, arguments: { path: "x" } }]
    finish: length
otherwise: { say: "Result: {{last_result}}" }
`;

let stack: Stack;
beforeAll(async () => {
  stack = await startStack({ script: SCRIPT, tools: TOOLS });
});
afterAll(() => stack.close());

const play = async (text: string) => {
  const turnId = await stack.start(text);
  const row = await stack.ended(turnId);
  const { entries } = await stack.store.transcript.ofTurn(turnId);
  const results = entries.flatMap((entry) => (entry.kind === 'results' ? entry.results : []));
  return { row, entries, results, turnId };
};

it('C3.9 keeps 64 calls of a response and tells the model of the rest', async () => {
  const { row, results } = await play('many');
  expect(results).toHaveLength(64);
  expect(row.answer).toContain('Your response had 70 calls; a response may have 64');
});

it('C1.5 C4.4 names the nearest tools, says what is incomplete, and what to send', async () => {
  const { row, results } = await play('unknown');
  expect(row.status).toBe('completed');
  expect(results.map(({ success }) => success)).toEqual([false, false, false]);
  expect(results[0]?.text).toMatch(/^Error: There is no tool "file_raed"\. Tools that exist: file_read/);
  expect(results[1]?.text).toContain('incomplete');
  expect(results[2]?.text).toContain('path');
});

it('C6.4 B04 B26 a tool that throws is its own result alone', async () => {
  const { row, results } = await play('throws');
  expect(row.status).toBe('completed');
  expect(results[0]).toMatchObject({ success: false, text: 'Error: the disk is on fire' });
  expect(results[1]?.success).toBe(true);
});

it('C7.3 B131 a result of 4 MB is bounded, its head and tail kept, and read on by reference', async () => {
  const { row, results } = await play('huge');
  expect(row.status).toBe('completed');
  expect(results[0]?.text.length).toBeLessThanOrEqual(50_000);
  expect(results[0]?.text).toMatch(/characters left out; read on with result_read/);
});

it('C7.3 reads on what a result named, and nothing else of the store', async () => {
  const { results } = await play('huge');
  expect(results[0]?.text).toContain(REF);
  const own = await play('read on');
  expect(own.results.map(({ success }) => success)).toEqual([true, true]);
  expect(own.results[1]?.text).toContain('xxxx');
  const foreign = await play('foreign');
  expect(foreign.results[0]?.success).toBe(false);
  expect(foreign.results[0]?.text).not.toContain('xxxx');
});

it('C10.7 B65 the last call of a cut response does not run, the one before it does', async () => {
  const { results, row } = await play('cut');
  expect(results.map(({ success }) => success)).toEqual([true, false]);
  expect(results[1]?.text).toContain('output limit was hit');
  expect(row.status).toBe('completed');
});
