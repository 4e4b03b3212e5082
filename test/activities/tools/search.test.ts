import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openWorkshop, type Workshop } from './workshop.ts';

let shop: Workshop;
const lines = async (tool: string, args: Record<string, string | boolean>) =>
  (await shop.run(tool, args)).output.split('\n');

beforeAll(async () => {
  shop = await openWorkshop();
  const files: Record<string, string> = {
    'a.ts': 'const needle = 1;\nconst other = 2;\n',
    'src/b.ts': 'needle\nNEEDLE\n',
    'src/c.json': '{"needle": true}',
    'src/.hidden': 'needle',
    'node_modules/x/d.ts': 'needle',
    '.git/e.ts': 'needle',
    '.everturn/secret.ts': 'needle',
  };
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(shop.workspace, path)), { recursive: true });
    await writeFile(join(shop.workspace, path), text);
  }
  await writeFile(join(shop.workspace, 'binary.ts'), Buffer.from('needle\0'));
  await symlink('/etc', join(shop.workspace, 'out'));
});
afterAll(() => shop.close());

describe('C1.6 glob_search', () => {
  it('finds files by name, in order, and follows no links', async () => {
    expect(await lines('glob_search', { pattern: '**/*.ts' })).toEqual(['a.ts', 'binary.ts', 'src/b.ts']);
    expect(await lines('glob_search', { pattern: '*.ts' })).toEqual(['a.ts', 'binary.ts']);
    expect(await lines('glob_search', { pattern: 'src/{b,c}.*' })).toEqual(['src/b.ts', 'src/c.json']);
    expect(await lines('glob_search', { pattern: '**/*', path: 'src' })).toEqual(['.hidden', 'b.ts', 'c.json']);
    expect(await lines('glob_search', { pattern: '**/passwd' })).toEqual(['No file matches.']);
  });

  it('looks into node_modules only when it is named, never into what is closed', async () => {
    expect(await lines('glob_search', { pattern: 'node_modules/**/*.ts' })).toEqual(['node_modules/x/d.ts']);
    expect(await lines('glob_search', { pattern: '.everturn/**' })).toEqual(['No file matches.']);
  });

  it('says what is wrong with a pattern', async () => {
    expect(await shop.run('glob_search', { pattern: 'a[' })).toMatchObject({
      success: false,
      error: expect.stringContaining('cannot be used'),
    });
  });
});

describe('C1.6 content_search', () => {
  it('finds lines with path and number', async () => {
    expect(await lines('content_search', { pattern: 'needle' })).toEqual([
      'a.ts:1: const needle = 1;',
      'src/.hidden:1: needle',
      'src/b.ts:1: needle',
      'src/c.json:1: {"needle": true}',
    ]);
    expect(await lines('content_search', { pattern: '^NEEDLE$', ignore_case: true, glob: 'src/*.ts' })).toEqual([
      'src/b.ts:1: needle',
      'src/b.ts:2: NEEDLE',
    ]);
    expect(await lines('content_search', { pattern: '{"needle"', literal: true })).toEqual([
      'src/c.json:1: {"needle": true}',
    ]);
    expect(await lines('content_search', { pattern: 'other', path: 'a.ts' })).toEqual(['a.ts:2: const other = 2;']);
    expect(await lines('content_search', { pattern: 'nowhere' })).toEqual([
      expect.stringMatching(/^No line matches \(\d+ files searched\)\.$/),
    ]);
  });

  it('stops a pattern that would never end, and says what to do', async () => {
    await writeFile(join(shop.workspace, 'long.txt'), `${'a'.repeat(60)}b`);
    expect(await shop.run('content_search', { pattern: '^(a+)+$', path: 'long.txt' })).toMatchObject({
      success: false,
      error: expect.stringContaining('takes too long'),
    });
  });

  it('says what is wrong with an expression', async () => {
    expect(await shop.run('content_search', { pattern: '(' })).toMatchObject({
      success: false,
      error: expect.stringContaining('literal'),
    });
    expect((await shop.run('content_search', { pattern: 'needle\\_' })).success).toBe(true);
  });

  it('stops at its cap, with long lines cut', async () => {
    await writeFile(join(shop.workspace, 'many.txt'), `${'y'.repeat(1000)}\n`.repeat(500));
    const found = await lines('content_search', { pattern: 'y', path: 'many.txt' });
    expect(found).toHaveLength(201);
    expect(found[0]?.length).toBeLessThan(330);
    expect(found.at(-1)).toContain('stopped at 200 lines');
  });
});
