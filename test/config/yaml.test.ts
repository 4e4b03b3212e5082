// Files that are not valid YAML, or valid and hostile.
import { describe, expect, it } from 'vitest';
import { errorsOf, load, SMALL } from './folder.ts';

const CASES: [name: string, text: string, at: [number, number], message: RegExp][] = [
  ['a tab as indentation', 'gateway:\n\tport: 1\n', [2, 1], /tab/],
  ['a quote that is not closed', 'data: "abc\n', [2, 1], /missing/],
  ['a bracket that is not closed', 'hooks: [1, 2\nagents: {}\n', [2, 1], /./],
  ['a second colon', 'data: a: b\n', [1, 7], /second/],
  ['an alias without an anchor', 'gateway: *none\n', [1, 10], /anchor/],
  ['two documents', 'data: a\n---\ndata: b\n', [2, 1], /one document/],
  ['an unknown tag', 'data: !secret abc\n', [1, 7], /tag/],
];

describe('I2 says where YAML is broken:', () => {
  it.each(CASES)('%s', async (_, text, [line, column], message) => {
    const errors = await errorsOf(text);
    expect(errors).toContainEqual(expect.objectContaining({ line, column, message: expect.stringMatching(message) }));
  });

  it('a key that is there twice, with its path, and goes on looking', async () => {
    const text = SMALL.replace('{ model: local/small }', '{ model: local/small, model: local/smal }');
    expect(await errorsOf(text)).toMatchObject([
      { line: 7, column: 31, path: 'agents.main.model', message: expect.stringContaining('twice') },
      { line: 7, column: 38, path: 'agents.main.model', nearest: 'local/small' },
    ]);
  });

  it('never by quoting the file, which may hold a secret', async () => {
    const secret = 'sk-abcdefghijklmnop0123456789';
    for (const text of [
      `a: "x" ${secret}\n`,
      `a: *${secret}\n`,
      `a: !${secret} x\n`,
      `"${secret}\n`,
      `a: [${secret}\nb: }`,
    ]) {
      const errors = await errorsOf(text);
      expect(errors.length).toBeGreaterThan(0);
      expect(JSON.stringify(errors)).not.toContain(secret);
    }
  });

  it('aliases that multiply, and nesting without end', async () => {
    const levels = Array.from({ length: 12 }, (_, i) => `a${i}: &a${i} [${`*a${i - 1}, `.repeat(i === 0 ? 0 : 9)}x]`);
    expect(await errorsOf(levels.join('\n'))).toMatchObject([{ message: expect.stringContaining('aliases') }]);
    const deep = await errorsOf(`a: ${'['.repeat(50_000)}`);
    expect(deep[0]?.message).toBeDefined();
  });

  it('but takes anchors and aliases for what they are', async () => {
    const text = SMALL.replace('{ model: local/small }', '&base { model: local/small }\n  second: *base');
    expect(Object.keys((await load(text)).config.agents)).toEqual(['main', 'second']);
  });

  it('inside an alias at the place that it points to', async () => {
    const text = SMALL.replace('{ model: local/small }', '&base { model: local/none }\n  second: *base');
    expect(await errorsOf(text)).toMatchObject([
      { path: 'agents.main.model', line: 7 },
      { path: 'agents.second.model', line: 7 },
    ]);
  });
});
