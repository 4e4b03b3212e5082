// A first configuration, and what `config show` says of one.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { initConfig } from '../../config/init.ts';
import { loadConfig } from '../../config/load.ts';
import { showConfig, showConfigText } from '../../config/show.ts';
import { load, makeFolder, SMALL } from './folder.ts';

describe('I3 init', () => {
  it('writes a commented file that is valid, and the workspace folder', async () => {
    const dir = makeFolder();
    const result = await initConfig({ dir, yes: true });
    expect(result).toMatchObject({
      kind: 'written',
      file: join(dir, 'everturn.yaml'),
      folders: [join(dir, 'workspace')],
    });
    expect(readFileSync(result.file, 'utf8')).toBe(result.text);
    expect(result.text).toMatch(/^# /);
    const loaded = await loadConfig({ cwd: dir, env: {} });
    expect(loaded).toMatchObject({
      kind: 'ok',
      config: { providers: { local: { apiKey: { env: 'LOCAL_API_KEY' } } } },
    });
    expect(existsSync(join(dir, 'workspace'))).toBe(true);
  });

  it('takes provider, address, model and variable, also odd ones', async () => {
    const dir = makeFolder();
    const starter = {
      provider: 'lab',
      baseUrl: 'https://models.example/v1?v=2',
      model: 'org/m-3:8b',
      apiKeyEnv: undefined,
    };
    await initConfig({ dir, yes: true, starter });
    const loaded = await loadConfig({ cwd: dir, env: {} });
    expect(loaded).toMatchObject({
      kind: 'ok',
      config: {
        providers: { lab: { baseUrl: 'https://models.example/v1?v=2', apiKey: undefined } },
        agents: { main: { models: ['lab/org/m-3:8b'] } },
      },
    });
  });

  it('shows what it would write and writes nothing without a yes', async () => {
    const dir = makeFolder();
    expect(await initConfig({ dir, yes: false })).toMatchObject({
      kind: 'would_write',
      text: expect.stringContaining('agents:'),
    });
    expect(existsSync(join(dir, 'everturn.yaml'))).toBe(false);
    expect(existsSync(join(dir, 'workspace'))).toBe(false);
  });

  it('never replaces a file unless told to', async () => {
    const dir = makeFolder({ 'everturn.yaml': '# mine\n' });
    expect(await initConfig({ dir, yes: true })).toMatchObject({ kind: 'exists', text: '# mine\n' });
    expect(readFileSync(join(dir, 'everturn.yaml'), 'utf8')).toBe('# mine\n');
    expect(await initConfig({ dir, yes: true, force: true })).toMatchObject({ kind: 'written' });
    expect(readFileSync(join(dir, 'everturn.yaml'), 'utf8')).toContain('agents:');
  });

  it('refuses answers that make no valid file, and writes nothing', async () => {
    const dir = makeFolder();
    const result = await initConfig({ dir, yes: true, starter: { baseUrl: 'https://me:secretpw@models.example' } });
    expect(result).toMatchObject({ kind: 'errors', errors: [{ path: 'providers.local.base_url' }] });
    expect(JSON.stringify(result.errors)).not.toContain('secretpw');
    expect(existsSync(join(dir, 'everturn.yaml'))).toBe(false);
  });
});

describe('I3 config show --origin', () => {
  it('lists every value in force and where it came from', async () => {
    const loaded = await load(`gateway: { host: 127.0.0.2 }\n${SMALL}`, { env: { EVERTURN_GATEWAY__PORT: '7' } });
    const shown = new Map(showConfig(loaded).map(({ path, value, origin }) => [path, { value, origin }]));
    expect(shown.get('gateway.host')).toEqual({ value: '127.0.0.2', origin: `${loaded.file}:1:12` });
    expect(shown.get('gateway.port')).toEqual({ value: 7, origin: 'env EVERTURN_GATEWAY__PORT' });
    expect(shown.get('agents.main.max_tool_iterations')).toEqual({ value: 10, origin: 'default' });
    expect(shown.get('agents.main.model')?.origin).toBe(`${loaded.file}:8:11`);
    const text = showConfigText(loaded, { origins: true });
    expect(text).toMatch(/^gateway\.port = 7 +# env EVERTURN_GATEWAY__PORT$/m);
    expect(showConfigText(loaded, { origins: false })).not.toContain('#');
  });

  it('C11.7 shows references, and never what they hold', async () => {
    const folder = makeFolder();
    writeFileSync(join(folder, 'k'), 'the-secret-itself');
    const loaded = await load(SMALL.replace('base_url', 'api_key: { file: k }\n    base_url'), { folder });
    const text = showConfigText(loaded, { origins: true });
    expect(text).toContain('providers.local.api_key.file = "k"');
    expect(text).not.toContain('the-secret-itself');
  });
});
