import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { judgePath, type PathContext } from '../../assess/paths.ts';
import type { PathPolicy } from '../../core/execution.ts';

let folder: string;
let workspace: string;
const at = (path: string) => join(workspace, path);

beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'everturn-paths-')));
  workspace = join(folder, 'workspace');
  await mkdir(at('sub/deep'), { recursive: true });
  await mkdir(at('.everturn'));
  await mkdir(join(folder, 'outside'));
  await mkdir(join(folder, 'workspace-two'));
  await writeFile(at('a'), '');
  await symlink('sub', at('in'));
  await symlink(join(folder, 'outside'), at('out'));
  await symlink('../../outside', at('sub/up'));
  await symlink('nowhere', at('dangling'));
  await symlink('/etc/none/there', at('dangling-out'));
  await symlink('loop', at('loop'));
  await symlink(workspace, join(folder, 'alias'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

function judge(
  path: string,
  access: 'read' | 'write' = 'read',
  change: Partial<PathPolicy> = {},
  more: Partial<PathContext> = {},
) {
  const paths = { workspaceOnly: true, read: [], write: [], forbidden: [], ...change };
  return judgePath(path, access, {
    workspace,
    policy: { paths },
    ownState: [at('.everturn'), at('everturn.yaml')],
    ...more,
  });
}

describe('C11.3 inside the workspace', () => {
  it.each([
    ['a', 'a'],
    ['./a', 'a'],
    ['sub/../a', 'a'],
    ['sub//deep/', 'sub/deep'],
    ['.', '.'],
    ['new/file', 'new/file'],
    ['in/deep', 'sub/deep'],
    ['in/new', 'sub/new'],
    ['dangling', 'nowhere'],
    ['..a', '..a'],
    ['a..b/c', 'a..b/c'],
    ['100%', '100%'],
    ['näme 😀', 'näme 😀'],
  ])('%s leads to %s', async (path, resolved) => {
    expect(await judge(path, 'write')).toMatchObject({ kind: 'ok', resolved: join(workspace, resolved) });
    expect(await judge(join(workspace, path))).toMatchObject({ kind: 'ok', resolved: join(workspace, resolved) });
  });

  it('also when the workspace is named through a link', async () => {
    expect(await judge('a', 'write', {}, { workspace: join(folder, 'alias') })).toMatchObject({
      kind: 'ok',
      resolved: at('a'),
    });
    expect(await judge(join(folder, 'alias/a'))).toMatchObject({ kind: 'ok', resolved: at('a') });
  });

  it('says whether it exists', async () => {
    expect(await judge('a')).toMatchObject({ exists: true });
    expect(await judge('new')).toMatchObject({ exists: false });
  });
});

describe('C11.3 refused', () => {
  it.each([
    ['', /empty/],
    ['a\0b', /NUL/],
    ['..', /leaves the workspace/],
    ['../workspace-two/a', /leaves the workspace/],
    ['sub/../../outside', /leaves the workspace/],
    ['%2e%2e/a', /encoding/],
    ['..%2fa', /encoding/],
    ['%252e%252e/a', /encoding/],
    ['..\\a', /backslash/],
    ['~bob/a', /~user/],
    ['~/a', /outside the workspace|system directory/],
    ['/', /outside/],
    ['out/a', /outside the workspace/],
    ['sub/up/a', /outside the workspace/],
    ['in/up/a', /outside the workspace/],
    ['out/../a', /outside the workspace/],
    ['dangling-out', /system directory/],
    ['loop', /too many symbolic links/],
    ['none/../../x', /leaves|leads nowhere/],
    ['none/../a', /leads nowhere/],
    ['a/b/../../../x', /leaves|leads nowhere|outside/],
    ['/etc/passwd', /system directory/],
    ['/usr/bin/x', /system directory/],
    ['/etc/shadow', /credentials/],
    ['/proc/1/environ', /credentials/],
    ['/proc/self/environ', /credentials/],
    ['.everturn/everturn.db', /belongs to Everturn/],
    ['in/../.everturn/x', /belongs to Everturn/],
    ['x'.repeat(5000), /longer/],
  ])('%j', async (path, reason) => {
    expect(await judge(path)).toMatchObject({ kind: 'blocked', reason: expect.stringMatching(reason) });
    expect(await judge(path, 'write')).toMatchObject({ kind: 'blocked' });
  });

  it("the product's own configuration is never written, its state not even read", async () => {
    expect(await judge('everturn.yaml')).toMatchObject({ kind: 'ok' });
    expect(await judge('everturn.yaml', 'write')).toMatchObject({ kind: 'blocked' });
    expect(await judge('.everturn', 'read', { read: [at('.everturn')] })).toMatchObject({ kind: 'blocked' });
  });

  it('a neighbour whose name begins alike is not inside', async () => {
    expect(await judge(join(folder, 'workspace-two'))).toMatchObject({ kind: 'blocked' });
  });
});

describe('C11.3 what policy opens and closes', () => {
  it('roots, read and write apart', async () => {
    const outside = join(folder, 'outside');
    expect(await judge(join(outside, 'a'), 'read', { read: [outside] })).toMatchObject({ kind: 'ok' });
    expect(await judge(join(outside, 'a'), 'write', { read: [outside] })).toMatchObject({ kind: 'blocked' });
    expect(await judge(join(outside, 'a'), 'write', { write: [outside] })).toMatchObject({ kind: 'ok' });
    expect(await judge(join(outside, 'a'), 'read', { write: [outside] })).toMatchObject({ kind: 'blocked' });
    expect(await judge('out/a', 'read', { read: [outside] })).toMatchObject({
      kind: 'ok',
      resolved: join(outside, 'a'),
    });
  });

  it('forbidden places, also in the workspace', async () => {
    expect(await judge('sub/deep/x', 'read', { forbidden: [at('sub/deep')] })).toMatchObject({ kind: 'blocked' });
    expect(await judge('sub/x', 'read', { forbidden: ['sub/deep'] })).toMatchObject({ kind: 'ok' });
    expect(await judge('in/deep/x', 'read', { forbidden: ['sub/deep'] })).toMatchObject({ kind: 'blocked' });
  });

  it('outside the workspace when that is allowed, but for system and credential folders', async () => {
    const open = { workspaceOnly: false };
    expect(await judge(join(folder, 'outside/a'), 'write', open)).toMatchObject({ kind: 'ok' });
    expect(await judge('/etc/passwd', 'read', open)).toMatchObject({ kind: 'blocked' });
    expect(await judge('~/.ssh/id_rsa', 'read', open)).toMatchObject({
      kind: 'blocked',
      reason: expect.stringContaining('credentials'),
    });
    expect(await judge(join(homedir(), '.aws'), 'read', { read: [homedir()] })).toMatchObject({ kind: 'blocked' });
  });

  it('a root deep inside a system folder is open, the rest of that folder is not', async () => {
    expect(await judge('/usr/share/doc/x', 'read', { read: ['/usr/share/doc'] })).toMatchObject({ kind: 'ok' });
    expect(await judge('/usr/share/x', 'read', { read: ['/usr/share/doc'] })).toMatchObject({ kind: 'blocked' });
    expect(await judge('/usr/share/x', 'read', { read: ['/'] })).toMatchObject({ kind: 'blocked' });
  });

  it('/dev/null is harmless', async () => {
    expect(await judge('/dev/null', 'write')).toMatchObject({ kind: 'ok' });
  });
});
