import { writeFile } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { configured } from '../../cli/configuration.ts';
import { temporalFile, temporalPorts } from '../../cli/dev/plan.ts';
import { type Ground, openGround } from '../../cli/ground.ts';
import { temporalTarget } from '../../cli/temporal-target.ts';
import type { Config } from '../../config/config.ts';
import { deployment, type Folder, folderWith } from './everturn.ts';

let folder: Folder;
let config: Config;
let ground: Ground;

beforeEach(async () => {
  folder = await folderWith(deployment('responses: []'));
  ({ config } = await configured({ path: folder.file('everturn.yaml') }));
  ground = await openGround(config);
});
afterEach(async () => {
  await ground.store.close();
  await folder.remove();
});

const cli = (version: string) => ({ path: '/opt/temporal', version, foundBy: 'PATH' as const });

async function openTurn(turnId: string): Promise<void> {
  const { turns } = ground.store;
  await turns.enqueue({ turnId, agent: 'main', text: 'x', origin: { surface: 'cli', by: 'test' } });
  await turns.begin({ turnId, executionHash: '', at: Date.now() });
}

describe("the embedded server's file", () => {
  it('is named by the version of the CLI', async () => {
    expect(await temporalFile(config, ground.store, cli('1.9.1'))).toBe(folder.file('.everturn/temporal-1.9.1.db'));
  });

  it('of another version is refused while turns are open in the old one, with what to do', async () => {
    await writeFile(await temporalFile(config, ground.store, cli('1.9.1')), '');
    await openTurn('t1');
    await expect(temporalFile(config, ground.store, cli('1.10.0'))).rejects.toMatchObject({
      code: 'temporal_cli_changed',
      message: expect.stringContaining('1 turn is open in temporal-1.9.1.db'),
      hint: expect.stringContaining('EVERTURN_TEMPORAL_CLI'),
    });
    expect(await temporalFile(config, ground.store, cli('1.9.1'))).toContain('temporal-1.9.1.db');
  });

  it('of another version is begun when nothing is open', async () => {
    await writeFile(await temporalFile(config, ground.store, cli('1.9.1')), '');
    expect(await temporalFile(config, ground.store, cli('1.10.0'))).toContain('temporal-1.10.0.db');
  });
});

describe('ports', () => {
  it('are all free ones when the gateway may be anywhere', async () => {
    const { port, uiPort } = await temporalPorts({ gateway: 0 });
    expect([port === 7233, uiPort === 8233, port === uiPort]).toEqual([false, false, false]);
  });
});

describe('which Temporal', () => {
  const at = (temporal: Partial<Config['temporal']>, env: Record<string, string>) =>
    temporalTarget(
      { ...config, temporal: { address: undefined, namespace: undefined, taskQueue: 'q', ...temporal } },
      { TEMPORAL_CONFIG_FILE: '/nonexistent', ...env },
    );

  it('is what TEMPORAL_* says where the configuration is silent', () => {
    const env = { TEMPORAL_ADDRESS: 'far:7233', TEMPORAL_NAMESPACE: 'ours', TEMPORAL_API_KEY: 'secret' };
    expect(at({}, env)).toMatchObject({
      address: 'far:7233',
      namespace: 'ours',
      taskQueue: 'q',
      connection: { apiKey: 'secret' },
    });
  });

  it('is the usual place when nothing says anything', () => {
    expect(at({}, {})).toMatchObject({ address: '127.0.0.1:7233', namespace: 'default' });
  });

  it('keeps the credentials of a profile from any other server', () => {
    const env = { TEMPORAL_ADDRESS: 'far:7233', TEMPORAL_API_KEY: 'secret' };
    expect(JSON.stringify(at({ address: 'near:7233' }, env))).not.toContain('secret');
  });
});
