import { chmod, mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openWorkshop, POLICY, type Workshop } from './workshop.ts';

let shop: Workshop;
const at = (path: string) => join(shop.workspace, path);

beforeEach(async () => {
  shop = await openWorkshop();
});
afterEach(() => shop.close());

describe('C1.6 file_read', () => {
  it('gives back the lines exactly', async () => {
    await writeFile(at('a.txt'), 'one\r\n\ttwo\nthree');
    expect(await shop.run('file_read', { path: 'a.txt' })).toEqual({ success: true, output: 'one\r\n\ttwo\nthree' });
    await writeFile(at('empty'), '');
    expect((await shop.run('file_read', { path: 'empty' })).output).toBe('(the file is empty)');
  });

  it('reads a part, and says where to read on', async () => {
    await writeFile(at('a.txt'), Array.from({ length: 10 }, (_, index) => `line ${index + 1}\n`).join(''));
    const read = async (offset: number, limit: number) =>
      (await shop.run('file_read', { path: 'a.txt', offset, limit })).output;
    expect(await read(3, 2)).toBe('line 3\nline 4\n[lines 3–4; read on with offset 5]');
    expect(await read(9, 5)).toBe('line 9\nline 10\n[lines 9–10, the end of the file]');
    expect(await shop.run('file_read', { path: 'a.txt', offset: 11 })).toMatchObject({
      success: false,
      error: 'a.txt has fewer than 11 lines',
    });
  });

  it('reads on through a long file without losing a line', async () => {
    const whole = Array.from({ length: 5000 }, (_, index) => `zeile ${index + 1} äöü ${'x'.repeat(50)}`).join('\n');
    await writeFile(at('long.txt'), whole);
    const lines: string[] = [];
    for (let offset = 1; offset <= 5000; offset += 1700) {
      const { output } = await shop.run('file_read', { path: 'long.txt', offset, limit: 1700 });
      lines.push(...output.replace(/\n\[[^\n]*\]$/, '').split('\n'));
    }
    expect(lines.join('\n')).toBe(whole);
  });

  it('refuses binary files, folders and pipes in words', async () => {
    await writeFile(at('bin'), Buffer.from([1, 0, 2]));
    await writeFile(at('latin'), Buffer.from([0x66, 0xfc, 0x72]));
    for (const path of ['bin', 'latin']) {
      expect(await shop.run('file_read', { path })).toMatchObject({
        success: false,
        error: expect.stringContaining('binary'),
      });
    }
    expect(await shop.run('file_read', { path: '.' })).toMatchObject({
      success: false,
      error: expect.stringContaining('folder'),
    });
    expect(await shop.run('file_read', { path: 'none' })).toMatchObject({
      success: false,
      error: expect.stringMatching(/none does not exist$/),
    });
    const made = await shop.context.run({
      command: ['mkfifo', 'pipe'],
      cwd: shop.workspace,
      env: { PATH: '/usr/bin:/bin' },
      timeoutMs: 5000,
      maxOutputBytes: 100,
    });
    expect(made.exitCode).toBe(0);
    expect(await shop.run('file_read', { path: 'pipe' })).toMatchObject({
      success: false,
      error: expect.stringContaining('not a regular file'),
    });
  });
});

describe('C1.6 file_list', () => {
  it('lists entries, and folders inside when asked', async () => {
    await mkdir(at('src/deep'), { recursive: true });
    await mkdir(at('node_modules/x'), { recursive: true });
    await writeFile(at('src/a.ts'), 'abc');
    await writeFile(at('src/deep/b.ts'), '');
    await symlink('/etc', at('out'));
    expect((await shop.run('file_list', {})).output.split('\n')).toEqual(['node_modules/', 'out@', 'src/']);
    const deep = (await shop.run('file_list', { depth: 3 })).output.split('\n');
    expect(deep).toEqual(['node_modules/', 'out@', 'src/', 'src/a.ts 3', 'src/deep/', 'src/deep/b.ts 0']);
    expect((await shop.run('file_list', { path: 'src/deep' })).output).toBe('b.ts 0');
  });

  it('says when there is more, and when there is nothing', async () => {
    await mkdir(at('many'));
    await mkdir(at('empty'));
    await Promise.all(Array.from({ length: 1100 }, (_, index) => writeFile(at(`many/${index}`), '')));
    expect((await shop.run('file_list', { path: 'many' })).output).toContain('more than 1000 entries');
    expect((await shop.run('file_list', { path: 'empty' })).output).toBe('(the folder is empty)');
  });
});

describe('C1.6 file_write', () => {
  it('makes a file with its folders, and replaces one', async () => {
    expect((await shop.run('file_write', { path: 'a/b/c.txt', content: 'hi\nyou\n' })).output).toBe(
      'Wrote a/b/c.txt (7 bytes, 2 lines).',
    );
    expect((await shop.run('file_write', { path: 'a/b/c.txt', content: 'x' })).output).toBe(
      'Replaced a/b/c.txt (1 byte, 1 line).',
    );
    expect(await readFile(at('a/b/c.txt'), 'utf8')).toBe('x');
    expect(await readdir(at('a/b'))).toEqual(['c.txt']);
  });

  it('keeps the mode of what it replaces', async () => {
    await writeFile(at('run.sh'), 'old');
    await chmod(at('run.sh'), 0o775);
    await shop.run('file_write', { path: 'run.sh', content: 'new' });
    expect((await stat(at('run.sh'))).mode & 0o777).toBe(0o775);
  });

  it('C6.2 run again with the same key, it knows its own finished effect', async () => {
    await writeFile(at('a.txt'), 'old');
    const idempotencyKey = 'turn/3/0';
    const first = await shop.run('file_write', { path: 'a.txt', content: 'new' }, { idempotencyKey });
    const changed = (await stat(at('a.txt'))).mtimeMs;
    const again = await shop.run('file_write', { path: 'a.txt', content: 'new' }, { idempotencyKey });
    expect(again).toEqual(first);
    expect((await stat(at('a.txt'))).mtimeMs).toBe(changed);
  });

  it('C1.6 run again, it never overwrites what somebody else wrote in between', async () => {
    await writeFile(at('a.txt'), 'old');
    const idempotencyKey = 'turn/3/0';
    await shop.run('file_write', { path: 'a.txt', content: 'new' }, { idempotencyKey });
    await writeFile(at('a.txt'), 'by a person');
    const again = await shop.run('file_write', { path: 'a.txt', content: 'new' }, { idempotencyKey });
    expect(again).toMatchObject({ success: false, error: expect.stringContaining('changed by something else') });
    expect(await readFile(at('a.txt'), 'utf8')).toBe('by a person');
  });
});

describe('C1.6 file_edit', () => {
  const edit = (old_text: string, new_text: string, more = {}, change = {}) =>
    shop.run('file_edit', { path: 'a.txt', old_text, new_text, ...more }, change);

  it('replaces the one place, exactly', async () => {
    await writeFile(at('a.txt'), 'a $1 b\nc');
    expect((await edit('$1 b', '$& \\n')).output).toBe('Edited a.txt in 1 place.');
    expect(await readFile(at('a.txt'), 'utf8')).toBe('a $& \\n\nc');
  });

  it('refuses what is not there, or there more than once, and changes nothing', async () => {
    await writeFile(at('a.txt'), 'x x');
    expect(await edit('y', 'z')).toMatchObject({ success: false, error: expect.stringContaining('was not found') });
    expect(await edit('x', 'z')).toMatchObject({ success: false, error: expect.stringContaining('occurs 2 times') });
    expect(await readFile(at('a.txt'), 'utf8')).toBe('x x');
    expect((await edit('x', 'z', { all: true })).output).toBe('Edited a.txt in 2 places.');
    expect(await readFile(at('a.txt'), 'utf8')).toBe('z z');
  });

  it('finds lines in a file with \\r\\n, and keeps them so', async () => {
    await writeFile(at('a.txt'), 'one\r\ntwo\r\nthree\r\n');
    expect((await edit('one\ntwo', 'uno\ndos')).success).toBe(true);
    expect(await readFile(at('a.txt'), 'utf8')).toBe('uno\r\ndos\r\nthree\r\n');
  });

  it('refuses a file that is missing or no text', async () => {
    expect(await edit('a', 'b')).toMatchObject({ success: false, error: expect.stringContaining('use file_write') });
    await writeFile(at('a.txt'), Buffer.from([0x61, 0xff]));
    expect(await edit('a', 'b')).toMatchObject({
      success: false,
      error: expect.stringContaining('not a UTF-8 text file'),
    });
  });

  it('C6.2 run again with the same key, it knows its own finished effect', async () => {
    await writeFile(at('a.txt'), 'count: 1');
    const change = { idempotencyKey: 'turn/4/0' };
    expect((await edit('1', '11', {}, change)).success).toBe(true);
    expect((await edit('1', '11', {}, change)).success).toBe(true);
    expect(await readFile(at('a.txt'), 'utf8')).toBe('count: 11');
  });
});

describe('C11.3 paths of file tools', () => {
  const tools: [string, (path: string) => Record<string, string>][] = [
    ['file_read', (path) => ({ path })],
    ['file_list', (path) => ({ path })],
    ['file_write', (path) => ({ path, content: 'x' })],
    ['file_edit', (path) => ({ path, old_text: 'a', new_text: 'b' })],
    ['glob_search', (path) => ({ path, pattern: '*' })],
    ['content_search', (path) => ({ path, pattern: 'x' })],
  ];
  const places = [
    '/etc/passwd',
    '../x',
    '~/.ssh/id_rsa',
    '~root/x',
    'a\0b',
    '%2e%2e/x',
    '..%2fx',
    '.everturn/everturn.db',
    'out/passwd',
  ];

  it.each(tools)('%s refuses what is closed, when it is assessed and again when it runs', async (tool, args) => {
    await symlink('/etc', at('out'));
    for (const path of places) {
      expect((await shop.assess(tool, args(path))).blocked, `${tool} ${path}`).toBeTypeOf('string');
      expect(await shop.run(tool, args(path)), `${tool} ${path}`).toMatchObject({
        success: false,
        error: expect.stringMatching(/^Blocked: /),
      });
    }
  });

  it('the configuration may be read and never written', async () => {
    await writeFile(at('everturn.yaml'), 'version: 1');
    expect((await shop.run('file_read', { path: 'everturn.yaml' })).output).toBe('version: 1');
    expect(await shop.run('file_write', { path: 'everturn.yaml', content: '' })).toMatchObject({ success: false });
    expect((await shop.assess('file_write', { path: 'everturn.yaml', content: '' })).blocked).toContain(
      'belongs to Everturn',
    );
  });

  it('read and write roots are apart', async () => {
    await mkdir(join(shop.folder, 'in'));
    await mkdir(join(shop.folder, 'out'));
    const paths = { ...POLICY.paths, read: [join(shop.folder, 'in')], write: [join(shop.folder, 'out')] };
    const change = { policy: { ...POLICY, paths } };
    await writeFile(join(shop.folder, 'in/a'), 'hi');
    expect(await shop.run('file_read', { path: join(shop.folder, 'in/a') }, change)).toMatchObject({ output: 'hi' });
    expect(await shop.run('file_write', { path: join(shop.folder, 'in/a'), content: 'x' }, change)).toMatchObject({
      success: false,
    });
    expect(await shop.run('file_write', { path: join(shop.folder, 'out/a'), content: 'x' }, change)).toMatchObject({
      success: true,
    });
    expect(await shop.run('file_read', { path: join(shop.folder, 'out/a') }, change)).toMatchObject({ success: false });
  });

  it('a write into the version control folder is high risk', async () => {
    const { risk } = await shop.assess('file_write', { path: '.git/hooks/pre-commit', content: 'x' });
    expect(risk.level).toBe('high');
    expect((await shop.assess('file_write', { path: 'a.txt', content: 'x' })).risk.level).toBe('medium');
    expect((await shop.assess('file_read', { path: '.git/config' })).risk.level).toBe('low');
  });
});
