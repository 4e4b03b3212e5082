import { type ChildProcess, spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { killGroup } from '../../../activities/tools/launcher/kill-group.ts';
import { createProcessRunner, GroupVoid, type LedGroup } from '../../../activities/tools/launcher/process-runner.ts';
import { startTimeOf } from '../../../activities/tools/launcher/process-table.ts';
import { sandboxState } from '../../../activities/tools/sandbox.ts';
import type { ProcessRequest } from '../../../activities/tools/types.ts';
import { openWorkshop, until, type Workshop } from './workshop.ts';

let shop: Workshop;
const children: ChildProcess[] = [];

beforeEach(async () => {
  shop = await openWorkshop({ graceMs: 2500 });
});
afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  for (const group of shop.groups) await killGroup(group);
  await shop.close();
});

function request(script: string, change: Partial<ProcessRequest> = {}): ProcessRequest {
  const env = { PATH: process.env.PATH ?? '', MARK: shop.workspace };
  return {
    command: ['/bin/sh', '-c', script],
    cwd: shop.workspace,
    env,
    timeoutMs: 60_000,
    maxOutputBytes: 1024 * 1024,
    ...change,
  };
}

const run = (script: string, change: Partial<ProcessRequest> = {}) => shop.context.run(request(script, change));

/** Processes that carry this test's mark in their environment, whatever became of their parents and groups. */
function leftRunning(mark = shop.workspace): string[] {
  return readdirSync('/proc')
    .filter((pid) => /^\d+$/.test(pid) && Number(pid) !== process.pid)
    .filter((pid) => {
      try {
        return (
          readFileSync(`/proc/${pid}/environ`, 'latin1').includes(`MARK=${mark}`) &&
          startTimeOf(Number(pid)) !== undefined
        );
      } catch {
        return false;
      }
    });
}

describe('C11.2 a command in its own process group', () => {
  it('tells exit code and both streams, with nothing to read', async () => {
    const result = await run('cat; echo out; echo err >&2; exit 3');
    expect(result).toEqual({
      exitCode: 3,
      signal: null,
      stdout: 'out\n',
      stderr: 'err\n',
      dropped: { stdout: 0, stderr: 0 },
      ended: 'exit',
    });
  });

  it('gives it real pipes, on which /dev/stdout and /dev/stderr can be opened', async () => {
    expect(await run('echo a > /dev/stdout; echo b > /dev/stderr')).toMatchObject({
      stdout: 'a\n',
      stderr: 'b\n',
      exitCode: 0,
    });
  });

  it('leads a group and a session of its own, with default signals and no way to the worker', async () => {
    const { stdout } = await run(
      "ps -o pgid=,sid= -p $$; grep -E '^Sig(Ign|Blk)' /proc/self/status; ls -l /proc/self/fd",
    );
    const [ids = ''] = stdout.split('\n');
    const [group] = shop.groups;
    expect(ids.trim().split(/\s+/).map(Number)).toEqual([group?.pgid, group?.pgid]);
    expect(stdout).toMatch(/SigBlk:\s+0+\n/);
    expect(stdout).toMatch(/SigIgn:\s+0+\n/);
    expect(stdout).not.toContain('socket:');
  });

  it('has exactly the environment it was given, and the mark of its group', async () => {
    const { stdout } = await shop.context.run(
      request('', { command: ['env'], env: { PATH: process.env.PATH ?? '', A: 'b' } }),
    );
    const names = stdout
      .trim()
      .split('\n')
      .map((line) => line.split('=')[0]);
    expect(names.sort()).toEqual(['A', 'EVERTURN_GROUP', 'PATH', 'PWD']);
  });

  it('runs programs, never shell words or functions of the launcher', async () => {
    expect(await run('', { command: ['echo', '$HOME; exit 3', '`id`'] })).toMatchObject({
      stdout: '$HOME; exit 3 `id`\n',
      exitCode: 0,
    });
    expect(await run('', { command: ['pump'] })).toMatchObject({
      exitCode: 127,
      stderr: expect.stringContaining('not found'),
    });
  });

  it('says when the folder is missing', async () => {
    await expect(run('true', { cwd: join(shop.workspace, 'none') })).rejects.toThrow(/none does not exist/);
  });

  it('keeps the beginning and the end of much output, and reads all of it', async () => {
    const result = await run('seq 1 200000; seq 1 200000 >&2; echo done', { maxOutputBytes: 10_000 });
    expect(result.exitCode).toBe(0);
    expect(result.stdout.startsWith('1\n2\n3\n')).toBe(true);
    expect(result.stdout.endsWith('200000\ndone\n')).toBe(true);
    expect(result.stdout).toContain(`[… ${result.dropped.stdout} bytes left out …]`);
    expect(result.dropped.stdout).toBe(1_288_895 + 5 - 10_000);
    expect(result.dropped.stderr).toBe(1_288_895 - 10_000);
  });

  it('never cuts a character in two, neither at a chunk nor at a cap', async () => {
    await writeFile(join(shop.workspace, 'text'), 'ä€😀'.repeat(50_000));
    const pieces: string[] = [];
    const result = await run('cat text', { maxOutputBytes: 1001, onOutput: (_, text) => void pieces.push(text) });
    expect(pieces.join('')).toBe('ä€😀'.repeat(50_000));
    expect(result.stdout).not.toContain('\ufffd');
  });

  it('leaves nothing running when it ends, also what went into the background or left the group', async () => {
    const result = await run('sleep 1000 & setsid sleep 1001 & nohup sleep 1002 >/dev/null 2>&1 & echo begun');
    expect(result).toMatchObject({ exitCode: 0, stdout: 'begun\n' });
    await until(() => leftRunning().length === 0);
  });
});

describe('the group is in the ledger before the command runs', () => {
  it('tells host, group and start time, and waits', async () => {
    let seen: LedGroup | undefined;
    let began = false;
    const wait = createProcessRunner({
      onGroup: async (group) => {
        seen = group;
        await new Promise((resolve) => setTimeout(resolve, 100));
        began = (await import('node:fs')).existsSync(join(shop.workspace, 'ran'));
      },
      graceMs: 2500,
      signal: shop.context.signal,
    });
    await wait(request('touch ran; echo $EVERTURN_GROUP'));
    expect(began).toBe(false);
    expect(seen).toEqual({ host: hostname(), pgid: expect.any(Number), startTime: expect.stringMatching(/^\d+$/) });
  });

  it.each<[string, () => Promise<'void'>, new () => Error]>([
    ['answers void', async () => 'void', GroupVoid],
    ['fails', () => Promise.reject(new TypeError('no ledger')), TypeError],
  ])('runs nothing when the ledger %s', async (_, onGroup, error) => {
    const refused = createProcessRunner({ onGroup, graceMs: 2500, signal: shop.context.signal });
    await expect(refused(request('touch ran'))).rejects.toThrow(error);
    await until(() => leftRunning().length === 0);
    expect((await run('ls')).stdout).toBe('');
  });

  it('starts nothing once it is cancelled', async () => {
    shop.cancel();
    expect(await run('touch ran')).toMatchObject({ ended: 'cancelled', exitCode: null });
    expect(shop.groups).toEqual([]);
  });
});

describe('C6.5 cancel and time-out end the whole group', () => {
  it('SIGTERM at once: the command may tidy up', async () => {
    const going = run('trap "echo tidy; exit 9" TERM; echo begun; while :; do sleep 0.05; done', {
      onOutput: (_, text) => text.includes('begun') && shop.cancel(),
    });
    expect(await going).toMatchObject({ ended: 'cancelled', exitCode: 9, stdout: 'begun\ntidy\n' });
    await until(() => leftRunning().length === 0);
  });

  it('SIGKILL for what does not listen, and for what left the group', async () => {
    const script = `trap '' TERM; setsid sh -c 'trap "" TERM; sleep 1000' & sleep 1001 & echo begun; while :; do sleep 1; done`;
    const result = await run(script, { onOutput: (_, text) => text.includes('begun') && shop.cancel() });
    expect(result).toMatchObject({ ended: 'cancelled', stdout: 'begun\n' });
    await until(() => leftRunning().length === 0);
  });

  it('a stopped command too', async () => {
    const result = await run('echo begun; kill -STOP $$; sleep 1000', {
      onOutput: (_, text) => text.includes('begun') && shop.cancel(),
    });
    expect(result.ended).toBe('cancelled');
    await until(() => leftRunning().length === 0);
  });

  it('the time-out says that it was one, and keeps what was written', async () => {
    const result = await run('echo first; sleep 1000', { timeoutMs: 300 });
    expect(result).toMatchObject({ ended: 'timeout', stdout: 'first\n' });
    await until(() => leftRunning().length === 0);
  });
});

describe('C6.2 a worker that is killed leaves nothing running', () => {
  const script = fileURLToPath(new URL('parent-that-dies.ts', import.meta.url));

  function parent(command: string, ...more: string[]): Promise<{ child: ChildProcess; group: LedGroup }> {
    const child = spawn(process.execPath, [script, shop.workspace, command, ...more], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    children.push(child);
    return new Promise((resolve) => {
      child.stdout?.once('data', (chunk: Buffer) =>
        resolve({ child, group: JSON.parse(chunk.toString()) as LedGroup }),
      );
    });
  }

  it.each([
    ['that listens', 'echo begun; sleep 1000'],
    ['that ignores SIGTERM', "trap '' TERM; echo begun; while :; do sleep 1; done"],
    ['that writes without end', 'echo begun; yes'],
    ['with children in the background', 'sleep 1000 & sleep 1001 & echo begun; wait'],
  ])('a command %s', async (_, command) => {
    const { child, group } = await parent(`export MARK='${shop.workspace}'; ${command}`);
    child.kill('SIGKILL');
    await until(() => startTimeOf(group.pgid) === undefined);
    await until(() => leftRunning().length === 0);
    expect(await killGroup(group)).toBe('gone');
  });

  it('killGroup ends at once what the launcher would give time, and what escaped', async () => {
    const { child, group } = await parent(
      `export MARK='${shop.workspace}'; trap '' TERM; setsid sleep 1000 & echo begun; while :; do sleep 1; done`,
    );
    child.kill('SIGKILL');
    expect(await killGroup(group)).toBe('killed');
    await until(() => leftRunning().length === 0);
  });

  it('killGroup never touches a group with another start time', async () => {
    const { child, group } = await parent('echo begun; sleep 1000');
    expect(await killGroup({ ...group, startTime: '1' })).toBe('gone');
    expect(startTimeOf(group.pgid)).toBe(group.startTime);
    child.kill('SIGKILL');
    await until(() => startTimeOf(group.pgid) === undefined);
  });

  it('a sandboxed command, also one that made itself a daemon', async () => {
    if ((await sandboxState()).kind === 'none') return;
    const { child, group } = await parent(
      `export MARK='${shop.workspace}'; setsid sleep 1000 & echo begun; sleep 1001`,
      'sandbox',
    );
    child.kill('SIGKILL');
    await until(() => startTimeOf(group.pgid) === undefined);
    await until(() => leftRunning().length === 0);
  });
});
