import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ShellContext } from '../../assess/shell/assess-shell.ts';
import { assessShell } from '../../assess/shell/assess-shell.ts';
import { CORPUS } from './shell-corpus.ts';

let folder: string;
let context: ShellContext;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'everturn-shell-'));
  const workspace = join(folder, 'workspace');
  await mkdir(join(workspace, 'src'), { recursive: true });
  await mkdir(join(workspace, 'own'));
  await symlink('/etc/passwd', join(workspace, 'link-out'));
  await symlink('/etc', join(workspace, 'link-dir'));
  await writeFile(join(workspace, 'everturn.yaml'), 'version: 1\n');
  context = {
    workspace,
    policy: {
      shell: { allowedCommands: null, envPassthrough: [], timeoutMs: 60_000 },
      paths: { workspaceOnly: true, read: [], write: [], forbidden: [] },
    },
    ownState: [join(workspace, 'own'), join(workspace, 'everturn.yaml')],
  };
});

afterAll(() => rm(folder, { recursive: true, force: true }));

describe('C11.2 the shell corpus', () => {
  it.each(CORPUS)('%s', async (line, level, expected) => {
    const found = await assessShell(line, context);
    const said = found.blocked === undefined ? found.effect : 'blocked';
    expect([found.risk.level, said], JSON.stringify(found)).toEqual([level, expected]);
  });
});

describe('C11.2 the list of commands', () => {
  const assess = (line: string, allowedCommands: string[] | null) =>
    assessShell(line, {
      ...context,
      policy: { ...context.policy, shell: { ...context.policy.shell, allowedCommands } },
    });

  it('names every command it found, in order, and those that are not listed', async () => {
    const found = await assess('ls && env FOO=1 sort a | tee b', null);
    expect(found.commands).toEqual(['ls', 'env', 'sort', 'tee']);
    expect(found.unlisted).toEqual(['env', 'sort', 'tee']);
    expect((await assess('ls', null)).unlisted).toBeUndefined();
  });

  it("an operator's list replaces the default one", async () => {
    expect((await assess('sort a', ['sort'])).risk.level).toBe('low');
    expect((await assess('ls', ['sort'])).unlisted).toEqual(['ls']);
    expect((await assess('cd sub; [ -f a ] && echo x', ['sort'])).unlisted).toBeUndefined();
    expect((await assess('mkdir x', ['*'])).unlisted).toBeUndefined();
    expect((await assess('mkdir x', ['*'])).risk.level).toBe('medium');
  });

  it('C5.1 every part is listed by name only when the operator wrote each name', async () => {
    expect((await assess('rm a && ls', ['rm', 'ls'])).everyPartListed).toBe(true);
    expect((await assess('rm a && ls', ['rm'])).everyPartListed).toBeUndefined();
    expect((await assess('rm a', ['*'])).everyPartListed).toBeUndefined();
    expect((await assess('git push', null)).everyPartListed).toBeUndefined();
    expect((await assess('timeout 5 rm a', ['rm'])).everyPartListed).toBeUndefined();
    expect((await assess("sh -c 'rm a'", ['sh', 'rm'])).everyPartListed).toBe(true);
  });

  it('what is unclear is never listed by name', async () => {
    for (const line of ['$x a', 'eval rm a', 'echo rm a | sh', 'PATH=. rm a', 'rm "unclosed', 'sh -c "$x"']) {
      const found = await assess(line, ['rm', 'sh', 'echo']);
      expect([found.risk.level, found.everyPartListed], line).toEqual(['high', undefined]);
    }
  });

  it('a function of the line is no program, and cannot hide one', async () => {
    const found = await assess('f() { ls; }; f', null);
    expect(found.commands).toEqual(['ls']);
    expect((await assess('ls() { rm a; }; ls', null)).risk.level).toBe('high');
  });

  it('says the worst first, in words for people', async () => {
    const { risk } = await assess('mkdir x; rm a', null);
    expect(risk.reasons[0]).toBe('rm is high risk');
    expect(risk.reasons).toContain('not on the list of commands: mkdir, rm');
  });

  it('notes the paths that are touched', async () => {
    const { paths } = await assess('cat src/a > src/b', null);
    expect(paths).toContainEqual({ path: join(context.workspace, 'src/a'), access: 'read' });
    expect(paths).toContainEqual({ path: join(context.workspace, 'src/b'), access: 'write' });
  });

  it('judges relative paths from the folder it runs in', async () => {
    expect((await assessShell('cat ../a', { ...context, directory: 'src' })).blocked).toBeUndefined();
    expect((await assessShell('cat ../../a', { ...context, directory: 'src' })).blocked).toContain('outside');
  });

  it('gives up on what is too long or too deep, as high risk', async () => {
    for (const line of [
      'ls;'.repeat(20_000),
      `${'$('.repeat(500)}ls${')'.repeat(500)}`,
      `${'('.repeat(3000)}ls${')'.repeat(3000)}`,
      'ls;'.repeat(1000),
    ]) {
      expect((await assess(line, null)).risk.level).toBe('high');
    }
  });
});

describe('C11.2 nothing hides a command', () => {
  const quote = (line: string) => `'${line.replaceAll("'", `'\\''`)}'`;
  const around: ((line: string) => string)[] = [
    (line) => `$( ${line})`,
    (line) => `echo "$( ${line})"`,
    (line) => `( ${line})`,
    (line) => `{ ${line}\n}`,
    (line) => `ls && ${line}`,
    (line) => `ls || ${line}`,
    (line) => `ls; ${line}`,
    (line) => `ls\n${line}`,
    (line) => `ls | ${line}`,
    (line) => `! ${line}`,
    (line) => `time ${line}`,
    (line) => `if ${line}\nthen ls; fi`,
    (line) => `while ${line}\ndo ls; done`,
    (line) => `for f in a b; do ${line}\ndone`,
    (line) => `case a in a) ${line}\n;; esac`,
    (line) => `f() { ${line}\n}; f`,
    (line) => `cat <( ${line})`,
    (line) => `cat <<EOF\n$( ${line})\nEOF\n`,
    (line) => `x=$( ${line})`,
    (line) => `x=(a $( ${line}))`,
    (line) => `echo \${x:-$( ${line})}`,
    (line) => `sh -c ${quote(line)}`,
    (line) => `bash -euc ${quote(line)}`,
    (line) => `env A=1 sh -c ${quote(line)}`,
    (line) => `timeout -k 1 5 bash -c ${quote(line)}`,
    (line) => `ls | xargs sh -c ${quote(line)}`,
    (line) => `trap ${quote(line)} EXIT`,
    (line) => `nice -n 1 nohup sh -c ${quote(line)}`,
  ];

  it.each([
    ['rm a', 'high'],
    ["python3 -c 'x'", 'blocked'],
    ['mkdir a', 'medium'],
    ['cat /etc/passwd', 'blocked'],
  ])('%s, in whatever it is put', async (line, expected) => {
    const wrapped = fc
      .array(fc.constantFrom(...around), { maxLength: 4 })
      .map((each) => each.reduce((text, wrap) => wrap(text), line));
    await fc.assert(
      fc.asyncProperty(wrapped, async (text) => {
        const found = await assessShell(text, context);
        // What no shell would take is high, whatever is in it.
        if (expected === 'blocked') expect(found.blocked !== undefined || found.risk.level === 'high', text).toBe(true);
        else expect(found.risk.level === 'high' || found.risk.level === expected, text).toBe(true);
        expect(found.effect, text).toBe('once');
      }),
      { numRuns: 300 },
    );
  });

  it('never throws, whatever it is given', async () => {
    const pieces = fc.constantFrom(
      ...' \n\t;|&(){}[]<>$`"\'\\#!~*?=',
      'ls',
      'rm',
      '$(',
      '<<E',
      '${',
      '((',
      '[[',
      'if',
      'then',
      'fi',
      'do',
      'é',
      '\0',
    );
    await fc.assert(
      fc.asyncProperty(fc.array(pieces, { maxLength: 40 }), async (each) => {
        expect((await assessShell(each.join(''), context)).assessed).toBe(true);
      }),
      { numRuns: 1000 },
    );
  });
});
