import { rm, writeFile } from 'node:fs/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { until } from '../../support/until.ts';
import { everturn, type Folder, startEverturn } from '../everturn.ts';
import { type Dev, devFolder, eventsIn, fits, isAlive, openQuestion, startDev, untilGone } from './dev.ts';

const folders: Folder[] = [];
async function newFolder(): Promise<Folder> {
  const folder = await devFolder();
  folders.push(folder);
  return folder;
}
const running: Dev[] = [];
async function dev(folder: Folder): Promise<Dev> {
  const started = await startDev(folder);
  running.push(started);
  return started;
}
afterEach(async () => {
  for (const each of running.splice(0)) await each.end();
  for (const folder of folders.splice(0)) await folder.remove();
});

const ended = (each: Dev, turnId: string) =>
  until(
    () => each.client.getTurn(turnId),
    ({ endedAt }) => endedAt !== undefined,
    `turn ${turnId} to end`,
  );

describe('an end of everturn dev', () => {
  it('Ctrl-C leaves no process and no record behind', async () => {
    const first = await dev(await newFolder());
    const { code } = await first.end();
    expect(code).toBe(0);
    expect(Object.values(first.ready.pids).map(isAlive)).toEqual([false, false, false]);
    await expect(first.record()).rejects.toThrow();
  });

  it('two that start at once: one gets the folder, the other says so', async () => {
    const folder = await newFolder();
    const both = [1, 2].map(() => startEverturn(['dev', '--json', '--port', '0'], { cwd: folder.path }));
    const lines = await Promise.all(both.map(async ({ nextLine }) => JSON.parse(await nextLine())));
    expect(lines.filter(({ type }) => type === 'ready')).toHaveLength(1);
    expect(lines).toContainEqual({ error: expect.objectContaining({ code: 'folder_in_use' }) });
    for (const { child } of both) child.kill('SIGINT');
    expect((await Promise.all(both.map(({ ended }) => ended))).map(({ code }) => code).sort()).toEqual([0, 1]);
  });

  it('kill -9 takes its processes with it', async () => {
    const first = await dev(await newFolder());
    first.running.child.kill('SIGKILL');
    for (const pid of Object.values(first.ready.pids)) await untilGone(pid);
  });

  it('a second Ctrl-C ends at once, a running tool or not', async () => {
    const first = await dev(await newFolder());
    await first.client.startTurn({ text: 'hold' });
    await until(first.attempts, (attempts) => attempts.length === 1, 'the tool to run');
    first.running.child.kill('SIGINT');
    await first.running.said('Ending what runs');
    first.running.child.kill('SIGINT');
    await first.running.ended;
    expect(Object.values(first.ready.pids).map(isAlive)).toEqual([false, false, false]);
  });
});

describe('a restart of everything', () => {
  it('C5.5 an open question outlives kill -9 of dev, and its answer counts after', async () => {
    const first = await dev(await newFolder());
    const { turnId } = await first.client.startTurn({ text: 'write', approvals: 'park' });
    const id = await openQuestion(first);
    first.running.child.kill('SIGKILL');
    const second = await dev(first.folder);
    expect((await second.run(['approvals', 'approve', id])).code).toBe(0);
    expect(await ended(second, turnId)).toMatchObject({ status: 'completed' });
  });

  it('C6.6 a call that was running at kill -9 of dev runs again after', async () => {
    const first = await dev(await newFolder());
    const { turnId } = await first.client.startTurn({ text: 'hold' });
    await until(first.attempts, (attempts) => attempts.length === 1, 'the tool to run');
    first.running.child.kill('SIGKILL');
    const second = await dev(first.folder);
    await until(second.attempts, (attempts) => attempts.length === 2, 'a second attempt');
    await second.letGo();
    expect(await ended(second, turnId)).toMatchObject({ status: 'completed', answer: 'Held: let go' });
  });
});

describe('everturn run without dev', () => {
  it('brings everything up for the turn, and leaves nothing behind', async () => {
    const folder = await newFolder();
    const { code, stdout } = await everturn(['run', 'hello'], { cwd: folder.path });
    expect(stdout).toContain('Hello you.');
    expect(code).toBe(0);
    await expect(rm(folder.file('.everturn/dev.json'))).rejects.toThrow();
  });

  it('left by SIGTERM, the turn goes on at the next run', async () => {
    const folder = await newFolder();
    const first = startEverturn(['run', 'hold', '--json'], { cwd: folder.path });
    const { turnId } = JSON.parse(await first.lineThat(fits('turn_started'))) as { turnId: string };
    await first.lineThat(fits('tool_progress'));
    first.child.kill('SIGTERM');
    const left = await first.ended;
    expect(left.code).toBe(130);
    expect(left.stderr).toContain(`everturn turns tail ${turnId}`);
    const second = await dev(folder);
    await until(second.attempts, (attempts) => attempts.length === 2, 'a second attempt');
    await second.letGo();
    expect(await ended(second, turnId)).toMatchObject({ status: 'completed' });
    expect(eventsIn(left.stdout).at(-1)?.type).not.toBe('turn_ended');
  });

  it('goes on by itself when the run whose stack it used has ended', async () => {
    const folder = await newFolder();
    const first = startEverturn(['run', 'write', '--json'], { cwd: folder.path });
    const asked = JSON.parse(await first.lineThat(fits('approval_requested'))) as { approvalId: string };
    const second = startEverturn(['run', 'hold', '--json'], { cwd: folder.path });
    await second.lineThat(fits('tool_progress'));
    expect((await everturn(['approvals', 'approve', asked.approvalId], { cwd: folder.path })).code).toBe(0);
    expect((await first.ended).code).toBe(0);
    await writeFile(folder.file('workspace/go'), '');
    const { code, stdout } = await second.ended;
    const numbers = eventsIn(stdout).map(({ number }) => number);
    expect(numbers).toEqual(numbers.map((_, index) => index + 1));
    expect(code).toBe(0);
  });

  it('refuses to leave a turn where nothing would go on with it', async () => {
    const folder = await newFolder();
    const { code, stderr } = await everturn(['run', 'hello', '--detach'], { cwd: folder.path });
    expect(code).toBe(1);
    expect(stderr).toContain('everturn dev');
  });
});
