// Secrets are named, never written (C11.7), and what they hold is never shown (C9.1).
import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { sealKey } from '../../config/deployment-key.ts';
import { heldValues, loadSecrets } from '../../config/secrets.ts';
import { errorsOf, load, makeFolder, SMALL } from './folder.ts';

const withKey = (key: string) => SMALL.replace('base_url', `api_key: ${key}\n    base_url`);

describe('C11.7 a secret written into the file', () => {
  const SECRETS: [where: string, text: (secret: string) => string, path: string][] = [
    ['as the key', withKey, 'providers.local.api_key'],
    ['as the name of a variable', (secret) => withKey(`{ env: ${secret} }`), 'providers.local.api_key.env'],
    ['as a key of the reference', (secret) => withKey(`{ ${secret} }`), 'providers.local.api_key."(hidden)"'],
    [
      'under a mistyped key',
      (secret) => SMALL.replace('base_url', `apikey: ${secret}\n    base_url`),
      'providers.local.apikey',
    ],
    ['in the address', (secret) => SMALL.replace('http://', `http://me:${secret}@`), 'providers.local.base_url'],
    ['in the query', (secret) => SMALL.replace('/v1', `/v1?key=${secret}`), 'providers.local.base_url'],
    [
      'as the deployment key',
      (secret) => `security: { deployment_key: ${secret} }\n${SMALL}`,
      'security.deployment_key',
    ],
    ['as a number', (secret) => `gateway: { port: ${secret} }\n${SMALL}`, 'gateway.port'],
    ['as the model', (secret) => SMALL.replace('model: local/small', `model: ${secret}`), 'agents.main.model'],
  ];

  it.each(SECRETS)('%s is an error that does not repeat it', async (_, text, path) => {
    const secret = 'sk-proj-9aB8cD7eF6gH5iJ4kL3m';
    const errors = await errorsOf(text(secret));
    expect(errors.map((error) => error.path)).toContain(path);
    expect(JSON.stringify(errors)).not.toContain(secret);
    expect(JSON.stringify(errors)).not.toContain('9aB8cD7e');
  });

  it('says what to write instead', async () => {
    const [error] = await errorsOf(withKey('$LOCAL_API_KEY'));
    expect(error).toMatchObject({ message: expect.stringContaining('not written out') });
    expect(error?.allowed).toContain('{ env: NAME } or { file: PATH }');
  });
});

describe('C11.7 a reference', () => {
  it('to a variable or a file is read, without white space around it', async () => {
    const folder = makeFolder({ 'key.txt': 'file-secret-1234\n' });
    chmodSync(join(folder, 'key.txt'), 0o600);
    const byFile = await loadSecrets((await load(withKey('{ file: key.txt }'), { folder })).config, {});
    expect(byFile.apiKey('local')).toEqual({ kind: 'value', value: 'file-secret-1234' });
    expect(byFile.problems).toEqual([]);
    const byEnv = await loadSecrets((await load(withKey('{ env: K }'))).config, { K: ' env-secret-1234 ' });
    expect(byEnv.apiKey('local')).toEqual({ kind: 'value', value: 'env-secret-1234' });
    expect((await loadSecrets((await load(SMALL)).config, {})).apiKey('local')).toBeUndefined();
  });

  it('that leads nowhere is named, and does not stop the rest', async () => {
    const secrets = await loadSecrets((await load(withKey('{ env: NOT_SET }'))).config, {});
    expect(secrets.apiKey('local')).toMatchObject({ kind: 'none', why: 'missing' });
    expect(secrets.problems).toEqual([
      { path: 'providers.local.api_key', kind: 'missing', message: 'environment variable NOT_SET is not set' },
    ]);
    const empty = await loadSecrets((await load(withKey('{ env: EMPTY }'))).config, { EMPTY: '  ' });
    expect(empty.problems).toMatchObject([{ kind: 'empty' }]);
    const gone = await loadSecrets((await load(withKey('{ file: none }'))).config, {});
    expect(gone.problems).toMatchObject([{ kind: 'missing', message: expect.stringContaining('none') }]);
  });

  it('to a file that others can read is used with a warning', async () => {
    const folder = makeFolder({ 'key.txt': 'file-secret-1234' });
    chmodSync(join(folder, 'key.txt'), 0o644);
    const secrets = await loadSecrets((await load(withKey('{ file: key.txt }'), { folder })).config, {});
    expect(secrets.problems).toMatchObject([{ kind: 'open_mode', message: expect.stringContaining('chmod 600') }]);
    expect(JSON.stringify(secrets.problems)).not.toContain('file-secret');
  });
});

describe('C9.1 the values that are held', () => {
  it('are the secrets of 8 characters or more, the deployment keys, and how they look elsewhere', async () => {
    const secrets = await loadSecrets((await load(withKey('{ env: K }'))).config, {
      K: 'a"b/c+d=1234',
      TEMPORAL_API_KEY: 'cloud-key-1',
    });
    const key = sealKey(Buffer.alloc(32, 7));
    const held = heldValues(secrets, { current: key, retired: [] });
    expect(held).toEqual(
      expect.arrayContaining([
        'a"b/c+d=1234',
        'a\\"b/c+d=1234',
        'a%22b%2Fc%2Bd%3D1234',
        'cloud-key-1',
        key.key.toString('base64'),
        key.key.toString('hex'),
      ]),
    );
    expect(held.map(({ length }) => length)).toEqual(held.map(({ length }) => length).sort((a, b) => b - a));
  });

  it('leave out shorter ones, which are named instead', async () => {
    const secrets = await loadSecrets((await load(withKey('{ env: K }'))).config, { K: 'ollama' });
    expect(heldValues(secrets)).toEqual([]);
    expect(secrets.problems).toMatchObject([{ path: 'providers.local.api_key', kind: 'short' }]);
    expect(JSON.stringify(secrets.problems)).not.toContain('ollama');
  });

  it('hold the lines of a secret of several lines', async () => {
    const text = '-----BEGIN KEY-----\nabcdefghijklmnopqrst\nuvwxyzabcdefghijklmn\n-----END KEY-----';
    const secrets = await loadSecrets((await load(withKey('{ env: K }'))).config, { K: text });
    expect(heldValues(secrets)).toEqual(expect.arrayContaining([text, 'abcdefghijklmnopqrst', 'uvwxyzabcdefghijklmn']));
  });
});
