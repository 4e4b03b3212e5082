import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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
