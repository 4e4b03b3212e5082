import { rm } from 'node:fs/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../../support/until.ts';
import { type Dev, devFolder, eventsIn, fits, isAlive, openQuestion, startDev, untilGone } from './dev.ts';

let dev: Dev;
beforeAll(async () => {
  dev = await startDev(await devFolder());
});
afterEach(async () => {
  for (const file of ['go', 'attempts', 'out.txt']) await rm(dev.folder.file(`workspace/${file}`), { force: true });
});
afterAll(async () => {
  await dev.end();
  await dev.folder.remove();
});

describe('everturn dev', () => {
  it('prints the ready line of I3 first', () => {
    const { ready } = dev;
    expect(Object.keys(ready)).toEqual([
      'type',
      'gateway',
      'dashboard',
      'temporal',
      'temporalUi',
      'namespace',
      'taskQueue',
      'token',
      'temporalCli',
      'pids',
    ]);
    expect(ready).toMatchObject({
      type: 'ready',
      namespace: 'default',
      taskQueue: 'everturn',
      temporal: expect.stringMatching(/^127\.0\.0\.1:\d+$/),
    });
    expect(Object.values(ready.pids).map(isAlive)).toEqual([true, true, true]);
  });

  it('refuses a second one on the same folder, and names the first', async () => {
    const { code, stderr } = await dev.run(['dev', '--port', '0']);
    expect(code).toBe(1);
    expect(stderr).toContain(`process ${dev.running.child.pid}`);
    expect(stderr).toContain(dev.ready.gateway);
  });

  it('is checked by doctor while it runs', async () => {
    const { code, stdout } = await dev.run(['doctor', '--json']);
    const { findings } = JSON.parse(stdout) as { findings: { check: string; state: string }[] };
    expect(code).toBe(0);
    for (const check of ['dev', 'temporal', 'workers', 'search-attributes', 'store']) {
      expect(findings).toContainEqual(expect.objectContaining({ check, state: 'ok' }));
    }
  });
});

describe('everturn run, with dev', () => {
  it('shows the answer and ends with 0', async () => {
    const { code, stdout } = await dev.run(['run', 'hello']);
    expect(stdout).toMatch(/^turn \S+ · main\nHello you\.\ncompleted/);
    expect(code).toBe(0);
  });

  it('prints the events, the last one turn_ended, with --json', async () => {
    const { code, stdout } = await dev.run(['run', 'hello', '--json']);
    const events = eventsIn(stdout);
    expect(code).toBe(0);
    expect(events.map(({ number }) => number)).toEqual(events.map((_, index) => index + 1));
    expect(events.at(-1)).toMatchObject({ type: 'turn_ended', status: 'completed', answer: 'Hello you.' });
  });

  it('prints the answer alone with --quiet', async () => {
    expect((await dev.run(['run', 'hello', '--quiet'])).stdout).toBe('Hello you.\n');
  });

  it('starts and leaves with --detach; tail comes back', async () => {
    const started = JSON.parse((await dev.run(['run', 'hello', '--detach', '--json'])).stdout) as { turnId: string };
    const { code, stdout } = await dev.run(['turns', 'tail', started.turnId]);
    expect(stdout).toContain('Hello you.');
    expect(code).toBe(0);
    expect(JSON.parse((await dev.run(['turns', 'show', started.turnId, '--json'])).stdout)).toMatchObject({
      status: 'completed',
    });
    expect((await dev.run(['turns', 'transcript', started.turnId])).stdout).toContain('Hello you.');
    expect((await dev.run(['turns', 'list', '--status', 'completed'])).stdout).toContain(started.turnId);
  });

  it('says which agents there are for an unknown one', async () => {
    const { code, stderr } = await dev.run(['run', 'hello', '--agent', 'maim']);
    expect(code).toBe(1);
    expect(stderr).toContain('main');
  });

  it('C5.8 ends with 4 when nobody may be asked', async () => {
    const { code, stdout } = await dev.run(['run', 'write', '--on-approval', 'deny', '--json']);
    expect(eventsIn(stdout)).toContainEqual(expect.objectContaining({ type: 'tool_result', status: 'denied' }));
    expect(code).toBe(4);
  });
});

describe('approvals at the command line', () => {
  it('C5.3 deny with a note: the model reads it, the run ends with 4', async () => {
    const run = dev.start(['run', 'write']);
    const id = await openQuestion(dev);
    expect((await dev.run(['approvals', 'list'])).stdout).toContain(id);
    expect((await dev.run(['approvals', 'deny', id, '--note', 'not on Fridays'])).stdout).toBe('Accepted.\n');
    const { code, stdout } = await run.ended;
    expect(stdout).toMatch(/Then: .*not on Fridays/s);
    expect(code).toBe(4);
    const late = await dev.run(['approvals', 'approve', id]);
    expect(late.code).toBe(1);
    expect(late.stdout + late.stderr).toContain('lready decided');
  });

  it('C5.3 edit from stdin: the new arguments run', async () => {
    const run = dev.start(['run', 'write']);
    const id = await openQuestion(dev);
    const edited = JSON.stringify({ path: 'out.txt', content: 'second' });
    const { code, stderr } = await dev.run(['approvals', 'edit', id, '--args', '-'], edited);
    expect([code, stderr]).toEqual([0, '']);
    expect((await run.ended).code).toBe(0);
    expect(JSON.parse((await dev.run(['approvals', 'show', id, '--json'])).stdout)).toMatchObject({
      state: 'decided',
      decision: { choice: 'edit' },
    });
  });

  it('C5.3 refuses an edit that the schema does not take; the question stays open', async () => {
    const run = dev.start(['run', 'write']);
    const id = await openQuestion(dev);
    const bad = await dev.run(['approvals', 'edit', id, '--args', '-'], '{"path":5}');
    expect(bad.code).toBe(1);
    expect(bad.stderr).toContain('still open');
    await dev.run(['approvals', 'replace', id, '--text', '-'], 'as if written');
    expect((await run.ended).stdout).toContain('as if written');
  });
});

describe('cancelling at the terminal', () => {
  it('C8.4 the first Ctrl-C cancels the turn, the run ends with 130', async () => {
    const run = dev.start(['run', 'hold', '--json']);
    await run.lineThat(fits('tool_progress'));
    run.child.kill('SIGINT');
    const { code, stdout } = await run.ended;
    expect(eventsIn(stdout).at(-1)).toMatchObject({ type: 'turn_ended', status: 'cancelled' });
    expect(code).toBe(130);
  });

  it('turns cancel says why, and the turn ends', async () => {
    const run = dev.start(['run', 'hold', '--json']);
    const line = await run.lineThat(fits('tool_progress'));
    const { turnId } = JSON.parse(line) as { turnId: string };
    expect((await dev.run(['turns', 'cancel', turnId, '--reason', 'enough'])).code).toBe(0);
    expect((await run.ended).code).toBe(1);
  });

  it('leaves the turn running when it was watched by tail', async () => {
    const { turnId } = await dev.client.startTurn({ text: 'hold' });
    const tail = dev.start(['turns', 'tail', turnId, '--json']);
    await tail.lineThat(fits('tool_progress'));
    tail.child.kill('SIGINT');
    expect((await tail.ended).code).toBe(0);
    expect((await dev.client.getTurn(turnId)).status).toBe('running');
    await dev.letGo();
    await until(
      () => dev.client.getTurn(turnId),
      ({ status }) => status === 'completed',
      'the turn to end',
    );
  });
});

describe('holding everything', () => {
  it('C8.10 pause holds the next step until resume', async () => {
    await dev.run(['pause', '--reason', 'lunch']);
    const run = dev.start(['run', 'hello', '--json']);
    await until(
      () => dev.client.listTurns({ status: 'open' }),
      ({ items }) => items.some(({ status }) => status === 'paused'),
      'a paused turn',
    );
    await dev.run(['resume']);
    expect((await run.ended).code).toBe(0);
  });
});

describe('processes that die under dev', () => {
  it('C6.6 a killed worker: the call runs again elsewhere and the turn completes', async () => {
    const run = dev.start(['run', 'hold', '--json']);
    await run.lineThat(fits('tool_progress'));
    const { worker } = (await dev.record()).children;
    process.kill(worker?.pid ?? 0, 'SIGKILL');
    await until(dev.attempts, (attempts) => attempts.length === 2, 'a second attempt');
    await dev.letGo();
    const { code, stdout } = await run.ended;
    expect(code).toBe(0);
    expect(eventsIn(stdout).filter(({ type }) => type === 'tool_result')).toHaveLength(1);
    expect(new Set(await dev.attempts()).size).toBe(2);
    expect((await dev.record()).children.worker?.pid).not.toBe(worker?.pid);
  });

  it('C6.6 a worker that is stopped and does not end: it is killed, and the turn completes', async () => {
    const run = dev.start(['run', 'hold', '--json']);
    await run.lineThat(fits('tool_progress'));
    const { worker } = (await dev.record()).children;
    process.kill(worker?.pid ?? 0, 'SIGSTOP');
    await until(dev.attempts, (attempts) => attempts.length === 2, 'a second attempt');
    expect(isAlive(worker?.pid ?? 0)).toBe(false);
    await dev.letGo();
    expect((await run.ended).code).toBe(0);
  });

  it('C9.2 a killed gateway: it comes back at the same address, the reader misses nothing', async () => {
    const run = dev.start(['run', 'hold', '--json']);
    await run.lineThat(fits('tool_progress'));
    const { gateway } = (await dev.record()).children;
    process.kill(gateway?.pid ?? 0, 'SIGKILL');
    await until(
      () => dev.client.status().catch(() => undefined),
      (status) => status !== undefined,
      'the gateway to answer',
    );
    await dev.letGo();
    const { code, stdout } = await run.ended;
    const numbers = eventsIn(stdout).map(({ number }) => number);
    expect(numbers).toEqual(numbers.map((_, index) => index + 1));
    expect(code).toBe(0);
  });

  it('C5.5 a killed Temporal server: an open question is still there, and its answer counts', async () => {
    const run = dev.start(['run', 'write', '--json']);
    const id = await openQuestion(dev);
    const { temporal } = (await dev.record()).children;
    process.kill(temporal?.pid ?? 0, 'SIGKILL');
    await untilGone(temporal?.pid ?? 0);
    await dev.run(['approvals', 'approve', id]);
    expect((await run.ended).code).toBe(0);
  });
});
