import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { temporalAddress } from '../../support/engine.ts';
import { deployment, everturn, type Folder, folderWith, type Running, startEverturn } from '../everturn.ts';

const SCRIPT = 'otherwise: { say: Hello from afar. }\n';

let folder: Folder;
let worker: Running;
let gateway: Running;
let ready: { gateway: string };

beforeAll(async () => {
  const temporal = `temporal: { address: "${temporalAddress()}", task_queue: "cli-${randomUUID()}" }\n`;
  folder = await folderWith(deployment(SCRIPT, temporal));
  worker = startEverturn(['worker', '--json'], { cwd: folder.path });
  gateway = startEverturn(['gateway', '--json', '--port', '0'], { cwd: folder.path });
  await worker.lineThat((line) => line.includes('"ready"'));
  ready = JSON.parse(await gateway.lineThat((line) => line.includes('"ready"'))) as { gateway: string };
});

afterAll(async () => {
  for (const role of [worker, gateway]) role.child.kill('SIGINT');
  await Promise.all([worker.ended, gateway.ended]);
  await folder.remove();
});

describe('worker and gateway as roles of their own', () => {
  it('run a turn for a client that names the gateway', async () => {
    const { code, stdout } = await everturn(['run', 'hi', '--url', ready.gateway, '--quiet'], { cwd: folder.path });
    expect([stdout, code]).toEqual(['Hello from afar.\n', 0]);
  });

  it('C11.8 refuse a token that is not theirs, with 4', async () => {
    const words = ['turns', 'list', '--url', ready.gateway, '--token', 'evt_wrong', '--json'];
    const { code, stdout } = await everturn(words, { cwd: folder.path });
    expect(code).toBe(4);
    expect(JSON.parse(stdout).error.code).toBe('unauthorized');
  });

  it('C11.8 a token that may only read may not start', async () => {
    const made = await everturn(['tokens', 'create', '--name', 'viewer', '--json'], { cwd: folder.path });
    const { token } = JSON.parse(made.stdout) as { token: string };
    const as = (...words: string[]) =>
      everturn([...words, '--url', ready.gateway, '--token', token], { cwd: folder.path });
    expect((await as('turns', 'list')).code).toBe(0);
    expect((await as('run', 'hi')).code).toBe(4);
  });

  it('end with 0 after a signal', async () => {
    const another = startEverturn(['worker', '--json'], { cwd: folder.path });
    await another.nextLine();
    another.child.kill('SIGTERM');
    expect((await another.ended).code).toBe(0);
  });
});

describe('dev against a server that is there', () => {
  it('starts none of its own', async () => {
    const dev = startEverturn(['dev', '--json', '--port', '0'], { cwd: folder.path });
    const line = JSON.parse(await dev.nextLine());
    expect(line).toMatchObject({ temporal: temporalAddress(), temporalCli: null, pids: { temporal: null } });
    dev.child.kill('SIGINT');
    expect((await dev.ended).code).toBe(0);
  });
});
