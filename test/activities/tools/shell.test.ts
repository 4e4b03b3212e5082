import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sandboxState } from '../../../activities/tools/sandbox.ts';
import { openWorkshop, POLICY, type Workshop } from './workshop.ts';

let shop: Workshop;

beforeEach(async () => {
  shop = await openWorkshop({ graceMs: 2500 });
});
afterEach(() => shop.close());

const shell = (command: string, change = {}) => shop.run('shell', { command }, change);

describe('C11.2 shell', () => {
  it('runs in the workspace and shows both streams, stderr marked', async () => {
    expect(await shell('pwd')).toMatchObject({ success: true, output: `${shop.workspace}\n` });
    expect((await shell('echo out; echo err >&2')).output).toBe('out\n[stderr]\nerr\n');
    expect((await shell('printf out; echo err >&2')).output).toBe('out\n[stderr]\nerr\n');
    expect((await shell('true')).output).toBe('');
  });

  it('C7.1 a failure says the exit code and keeps the output', async () => {
    expect(await shell('echo half; exit 3')).toMatchObject({ success: false, error: 'exit code 3', output: 'half\n' });
    expect(await shell('nosuch')).toMatchObject({
      success: false,
      error: 'exit code 127',
      output: expect.stringContaining('not found'),
    });
  });

  it('can work in a folder of the workspace, and in no other', async () => {
    await mkdir(join(shop.workspace, 'src'));
    expect((await shop.run('shell', { command: 'pwd', directory: 'src' })).output).toBe(
      `${join(shop.workspace, 'src')}\n`,
    );
    for (const directory of ['..', '/etc', '.everturn']) {
      expect(await shop.run('shell', { command: 'pwd', directory })).toMatchObject({
        success: false,
        error: expect.stringMatching(/^Blocked/),
      });
    }
  });

  it('C5.1 its facts are checked again when it runs: a link that came in between blocks it', async () => {
    await writeFile(join(shop.workspace, 'a'), 'x');
    expect((await shop.assess('shell', { command: 'cat a' })).blocked).toBeUndefined();
    await rm(join(shop.workspace, 'a'));
    await symlink('/etc/passwd', join(shop.workspace, 'a'));
    expect(await shell('cat a')).toMatchObject({ success: false, error: expect.stringMatching(/^Blocked/) });
    expect(shop.groups).toEqual([]);
  });

  it('clears the environment to a safe list and what is passed on', async () => {
    process.env.EVERTURN_TEST_SECRET = 'hidden';
    process.env.EVERTURN_TEST_SHOWN = 'shown';
    const shellPolicy = { ...POLICY.shell, envPassthrough: ['EVERTURN_TEST_SHOWN'] };
    const { output } = await shell('env', { policy: { ...POLICY, shell: shellPolicy } });
    expect(output).not.toContain('hidden');
    expect(output).toContain('EVERTURN_TEST_SHOWN=shown');
    expect(output).toMatch(/^PATH=/m);
  });

  it('reads nothing from its input', async () => {
    expect(await shell('cat; read x || echo end')).toMatchObject({ output: 'end\n', success: true });
  });

  it('says that it was the time-out, and keeps what was written', async () => {
    expect(await shell('echo first; sleep 100', { timeoutMs: 500 })).toMatchObject({
      success: false,
      output: 'first\n',
      error: expect.stringMatching(/timed out after 0\.5 s.*may have taken effect/),
    });
  });

  it('reports what it writes as progress', async () => {
    await shell('echo one; echo two');
    expect(shop.progress.join('')).toBe('one\ntwo\n');
  });

  it('lets a cancelled command tidy up, sandboxed or not', async () => {
    const progress = () => shop.cancel();
    const result = await shell('trap "echo tidy > tidied; exit 0" TERM; echo begun; while :; do sleep 0.05; done', {
      progress,
    });
    expect(result).toMatchObject({ success: false, error: expect.stringContaining('cancelled') });
    expect(await readFile(join(shop.workspace, 'tidied'), 'utf8')).toBe('tidy\n');
  });

  it('says whether it was sandboxed, in result and assessment', async () => {
    const found = await sandboxState();
    const { data } = await shell('true');
    expect(data).toMatchObject({ sandboxed: found.kind === 'bubblewrap' });
    const { reasons } = (await shop.assess('shell', { command: 'mkdir x' })).risk;
    expect(reasons.some((reason) => reason.startsWith('not sandboxed'))).toBe(found.kind === 'none');
  });
});

describe('C11.2 the sandbox holds what no assessment can foresee', () => {
  /** Says nothing on a machine without bubblewrap. */
  const inSandbox = (name: string, body: () => Promise<void>) =>
    it(name, async () => {
      if ((await sandboxState()).kind === 'bubblewrap') await body();
    });

  /** Words that are only known when the command runs. */
  const hidden = (path: string) => `$(printf %s ${path.replace('/', '"/"')})`;

  inSandbox('writes to the workspace, not to the system or the home folder', async () => {
    expect((await shell('echo hi > a && cat a')).output).toBe('hi\n');
    expect(await readFile(join(shop.workspace, 'a'), 'utf8')).toBe('hi\n');
    for (const place of ['/usr', '/etc', '/var']) {
      const { error, output } = await shell(`touch ${hidden(`${place}/everturn-test`)}`);
      expect([error, output]).toEqual(['exit code 1', expect.stringContaining('Read-only file system')]);
    }
    for (const place of [homedir(), '/tmp']) {
      await shell(`touch ${hidden(`${place}/everturn-test`)}`);
      expect(existsSync(`${place}/everturn-test`)).toBe(false);
    }
  });

  inSandbox("hides the product's own state, and keeps its configuration from being written", async () => {
    await writeFile(join(shop.workspace, '.everturn/deployment.key'), 'secret');
    await writeFile(join(shop.workspace, 'everturn.yaml'), 'version: 1\n');
    const state = `$(echo .ever)turn`;
    expect((await shell(`cat ${state}/deployment.key`)).output).toContain('No such file');
    expect((await shell(`touch ${state}/x`)).output).toContain('Read-only');
    expect((await shell(`umount ${state}`)).success).toBe(false);
    expect((await shell(`f=$(echo everturn.yaml); cat $f; tee $f < /dev/null`)).output).toMatch(
      /version: 1[\s\S]*Read-only/,
    );
    expect(await readFile(join(shop.workspace, 'everturn.yaml'), 'utf8')).toBe('version: 1\n');
  });

  inSandbox('hides credentials and other processes', async () => {
    expect((await shell(`cat ${hidden('/etc/shadow')}`)).error).toBe('exit code 1');
    const { output } = await shell(`cat ${hidden('/proc/')}*/environ | tr "\\0" "\\n"`);
    expect(output).toContain('PATH=');
    expect(output).not.toContain('VITEST');
  });

  inSandbox('shows allowed roots, each as it is allowed', async () => {
    const [read, write] = [join(shop.folder, 'read'), join(shop.folder, 'write')];
    await mkdir(read);
    await mkdir(write);
    await writeFile(join(read, 'a'), 'hi\n');
    const paths = { ...POLICY.paths, read: [read], write: [write] };
    const change = { policy: { ...POLICY, paths } };
    expect((await shell(`cat ${read}/a; echo x > ${write}/b`, change)).output).toBe('hi\n');
    expect((await shell(`touch ${hidden(`${read}/b`)}`, change)).output).toContain('Read-only');
    expect(await readFile(join(write, 'b'), 'utf8')).toBe('x\n');
  });
});
