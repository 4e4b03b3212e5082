// The deployment key: made once, private, the same for all who start at once; retired ones stay for verification.
import { execFile } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { loadSealKeys, sealKey } from '../../config/deployment-key.ts';
import { load, makeFolder, SMALL } from './folder.ts';

const starter = fileURLToPath(new URL('./print-key-id.ts', import.meta.url));
const run = promisify(execFile);

describe('the deployment key', () => {
  it('is made on first start: 32 random bytes in base64, mode 0600, in a folder for the owner alone', async () => {
    const { config, folder } = await load(SMALL);
    const first = await loadSealKeys(config, {});
    const file = join(folder, '.everturn/deployment.key');
    expect(first).toMatchObject({ kind: 'ok', created: true, warnings: [] });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync(join(folder, '.everturn')).mode & 0o777).toBe(0o700);
    const key = Buffer.from(readFileSync(file, 'utf8').trim(), 'base64');
    expect(key).toHaveLength(32);
    expect(await loadSealKeys(config, {})).toEqual({
      kind: 'ok',
      keys: { current: sealKey(key), retired: [] },
      created: false,
      warnings: [],
    });
  });

  it('is one key when many processes start at once', async () => {
    const folder = makeFolder({ 'everturn.yaml': SMALL });
    const outputs = await Promise.all(
      Array.from({ length: 6 }, () => run(process.execPath, [starter, join(folder, 'everturn.yaml')])),
    );
    const ids = new Set(outputs.map(({ stdout }) => stdout.trim().split(' ')[0]));
    const makers = outputs.filter(({ stdout }) => stdout.includes('created'));
    expect(ids.size).toBe(1);
    expect([...ids][0]).toMatch(/^[0-9a-f]{8}$/);
    expect(makers).toHaveLength(1);
    expect(readdirSync(join(folder, '.everturn'))).toEqual(['deployment.key']);
  });

  it('may come from a variable, which is never made', async () => {
    const { config } = await load(`security: { deployment_key: { env: DK } }\n${SMALL}`);
    const key = Buffer.alloc(32, 3);
    expect(await loadSealKeys(config, { DK: key.toString('base64') })).toMatchObject({
      kind: 'ok',
      keys: { current: { id: sealKey(key).id } },
      created: false,
    });
    expect(await loadSealKeys(config, {})).toEqual({
      kind: 'error',
      message: 'the deployment key cannot be used: environment variable DK is not set',
    });
  });

  it('that is too short or no base64 is refused without being shown', async () => {
    const { config } = await load(`security: { deployment_key: { env: DK } }\n${SMALL}`);
    for (const bad of ['c2hvcnQ=', 'not base64 at all, and long enough to be a key of thirty two bytes']) {
      const result = await loadSealKeys(config, { DK: bad });
      expect(result).toMatchObject({ kind: 'error', message: expect.stringContaining('32 bytes') });
      expect(JSON.stringify(result)).not.toContain(bad);
    }
  });

  it('keeps retired ones for verification, and says when one is gone', async () => {
    const old = Buffer.alloc(32, 9);
    const folder = makeFolder({ 'old.key': old.toString('base64') });
    chmodSync(join(folder, 'old.key'), 0o600);
    const text = `security: { deployment_key: { retired: [{ file: old.key }] } }\n${SMALL}`;
    const { config } = await load(text, { folder });
    expect(await loadSealKeys(config, {})).toMatchObject({ kind: 'ok', keys: { retired: [sealKey(old)] } });
    const gone = await load(text.replace('old.key', 'gone.key'), { folder });
    expect(await loadSealKeys(gone.config, {})).toMatchObject({
      kind: 'error',
      message: expect.stringContaining('gone.key'),
    });
  });

  it('that others can read is used with a warning', async () => {
    const { config, folder } = await load(SMALL);
    await loadSealKeys(config, {});
    chmodSync(join(folder, '.everturn/deployment.key'), 0o640);
    expect(await loadSealKeys(config, {})).toMatchObject({ warnings: [expect.stringContaining('chmod 600')] });
  });

  it('says what to do when it cannot be written', async () => {
    const { config, folder } = await load(SMALL);
    writeFileSync(join(folder, '.everturn'), 'a file where the folder should be');
    expect(await loadSealKeys(config, {})).toMatchObject({
      kind: 'error',
      message: expect.stringMatching(/deployment\.key.*security\.deployment_key/s),
    });
    mkdirSync(join(folder, 'other/deployment.key'), { recursive: true });
    const other = await load(`data: other\n${SMALL}`, { folder });
    expect(await loadSealKeys(other.config, {})).toMatchObject({ kind: 'error' });
  });
});
