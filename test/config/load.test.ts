// Where the configuration is found, what it is without further keys, and that the example is valid.
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { agentOf, defaultAgent, modelOf } from '../../config/config.ts';
import { loadConfig } from '../../config/load.ts';
import { errorsOf, load, makeFolder, SMALL } from './folder.ts';

describe('I2 the file', () => {
  it('is looked for at --config, EVERTURN_CONFIG, the working folder, the user folder, in this order', async () => {
    const cwd = makeFolder({
      'a.yaml': SMALL,
      'b.yaml': SMALL,
      'everturn.yaml': SMALL,
      'xdg/everturn/config.yaml': SMALL,
    });
    const env = { EVERTURN_CONFIG: 'b.yaml', XDG_CONFIG_HOME: join(cwd, 'xdg') };
    const fileOf = async (options: Parameters<typeof loadConfig>[0]) => {
      const result = await loadConfig(options);
      return result.kind === 'ok' ? result.file : result.kind;
    };
    expect(await fileOf({ path: 'a.yaml', cwd, env })).toBe(join(cwd, 'a.yaml'));
    expect(await fileOf({ cwd, env })).toBe(join(cwd, 'b.yaml'));
    expect(await fileOf({ cwd, env: { XDG_CONFIG_HOME: join(cwd, 'xdg') } })).toBe(join(cwd, 'everturn.yaml'));
    expect(await fileOf({ cwd: makeFolder(), env: { XDG_CONFIG_HOME: join(cwd, 'xdg') } })).toBe(
      join(cwd, 'xdg/everturn/config.yaml'),
    );
  });

  it('when there is none, says where it was looked for and what writes one', async () => {
    const cwd = makeFolder();
    const result = await loadConfig({ cwd, env: { HOME: '/nowhere' } });
    expect(result).toMatchObject({
      kind: 'missing',
      searched: [join(cwd, 'everturn.yaml'), '/nowhere/.config/everturn/config.yaml'],
      message: expect.stringContaining('everturn init'),
    });
  });

  it('that was named is the only one looked for', async () => {
    const cwd = makeFolder({ 'everturn.yaml': SMALL });
    expect(await loadConfig({ path: 'other.yaml', cwd, env: {} })).toMatchObject({
      kind: 'missing',
      searched: [join(cwd, 'other.yaml')],
    });
  });

  it('that cannot be read is a clear error, not a missing one', async () => {
    const cwd = makeFolder({ 'binary.yaml': 'x', 'large.yaml': `# ${'x'.repeat(1 << 20)}` });
    writeFileSync(join(cwd, 'binary.yaml'), Buffer.from([0xff, 0xfe, 0x00, 0xd8]));
    mkdirSync(join(cwd, 'folder.yaml'));
    const messageOf = async (path: string) => {
      const result = await loadConfig({ path, cwd, env: {} });
      return result.kind === 'errors' ? result.errors[0]?.message : result.kind;
    };
    expect(await messageOf('folder.yaml')).toContain('folder');
    expect(await messageOf('binary.yaml')).toContain('UTF-8');
    expect(await messageOf('large.yaml')).toContain('1 MiB');
    if (process.getuid?.() === 0) return;
    chmodSync(join(cwd, 'large.yaml'), 0);
    expect(await messageOf('large.yaml')).toContain('may not be read');
  });
});

describe('I2 defaults', () => {
  it('fill in what is left out, with durations in milliseconds and absolute paths', async () => {
    const { config, folder } = await load(SMALL);
    expect(config).toMatchObject({
      data: join(folder, '.everturn'),
      temporal: { address: undefined, namespace: undefined, taskQueue: 'everturn' },
      store: { kind: 'sqlite', path: join(folder, '.everturn/everturn.db') },
      security: {
        deploymentKey: { file: join(folder, '.everturn/deployment.key') },
        retiredKeys: [],
        encryption: true,
      },
      providers: {
        local: {
          idleTimeoutMs: 300_000,
          connectTimeoutMs: 10_000,
          requestTimeoutMs: 120_000,
          retries: 2,
          apiKey: undefined,
        },
      },
      approvals: { timeoutMs: 300_000, unattended: 'park', unattendedTimeoutMs: 86_400_000, onUnknown: 'report' },
      worker: { shutdownGraceMs: 30_000, maxConcurrentActivities: 100, maxCachedWorkflows: null },
      session: { onBusy: 'steer' },
      gateway: { host: '127.0.0.1', port: 7410 },
      toolModules: [],
    });
    expect(config.agents.main).toMatchObject({
      models: ['local/small'],
      workspace: join(folder, 'workspace'),
      policy: { autonomy: 'supervised', blockHighRisk: true, askMediumRisk: true, hosts: null },
      parallelTools: true,
      maxParallelTools: 8,
      maxToolIterations: 10,
      maxToolResultChars: 50_000,
      cancelGraceMs: 5000,
    });
    expect(config.providers.local?.models.small).toEqual({
      nativeTools: true,
      vision: false,
      contextTokens: null,
      price: { input: 0, output: 0 },
    });
  });

  it('merge with partial maps, and lists replace', async () => {
    const text = `${SMALL.replace('{ model: local/small }', '')}
    model: local/small
    policy: { shell: { timeout: 5s }, always_ask: [shell] }
gateway: { port: 0 }
approvals:
`;
    const { config } = await load(text);
    expect(config.agents.main?.policy.shell).toEqual({ allowedCommands: null, envPassthrough: [], timeoutMs: 5000 });
    expect(config.agents.main?.policy).toMatchObject({ alwaysAsk: ['shell'], autonomy: 'supervised' });
    expect(config.gateway).toEqual({ host: '127.0.0.1', port: 0 });
    expect(config.approvals.timeoutMs).toBe(300_000);
  });

  it('C8.2, C7.3 read 0 as the default cap and the engine cap', async () => {
    const { config } = await load(
      SMALL.replace(
        '{ model: local/small }',
        '{ model: local/small, max_tool_iterations: 0, max_tool_result_chars: 0 }',
      ),
    );
    expect(config.agents.main).toMatchObject({ maxToolIterations: 10, maxToolResultChars: 1_048_576 });
  });

  it('C11.3 keep configuration, state and keys out of reach of tools', async () => {
    const { config, folder } = await load(
      SMALL.replace('base_url', 'api_key: { file: keys/local }\n    base_url').replace(
        '{ model: local/small }',
        '{ model: local/small, workspace: ., policy: { paths: { forbidden: [private, ~/x] } } }',
      ),
    );
    expect(config.agents.main?.policy.paths.forbidden).toEqual(
      expect.arrayContaining([
        join(folder, 'private'),
        join(homedir(), 'x'),
        join(folder, 'everturn.yaml'),
        join(folder, '.everturn'),
        join(folder, 'keys/local'),
      ]),
    );
  });

  it('move with `data`, which a flag may set relative to the working folder', async () => {
    const { config, folder } = await load(`data: state\n${SMALL}`);
    expect(config.store.path).toBe(join(folder, 'state/everturn.db'));
    const flagged = await load(`data: state\n${SMALL}`, { flags: { data: 'other', 'gateway.port': 0 } });
    expect(flagged.config.data).toBe(join(flagged.folder, 'other'));
    expect(flagged.config.security.deploymentKey).toEqual({ file: join(flagged.folder, 'other/deployment.key') });
    expect(flagged.config.gateway.port).toBe(0);
    expect(flagged.origin(['data'])).toEqual({ kind: 'flag', name: '--data' });
  });
});

describe('I2 the example file', () => {
  const example = fileURLToPath(new URL('../../examples/everturn.yaml', import.meta.url));

  it('is valid as it stands, and says what has no effect yet', async () => {
    const result = await loadConfig({ path: example, env: {} });
    expect(result).toMatchObject({ kind: 'ok', notes: [expect.stringContaining('not encrypted yet')] });
  });

  it('is at its defaults, as it claims', async () => {
    const full = await load(readFileSync(example, 'utf8'));
    const small = await load(
      SMALL.replace('small: {}, large: { context_tokens: 1000 }', 'small: { context_tokens: 32000 }').replace(
        'base_url',
        'api_key: { env: LOCAL_API_KEY }\n    base_url',
      ),
    );
    expect(full.raw).toEqual(small.raw);
  });
});

describe('the configuration', () => {
  it('I4 names the agent of a turn that names none: main, else the only one', async () => {
    expect(defaultAgent((await load(SMALL)).config)).toBe('main');
    expect(defaultAgent((await load(SMALL.replace('main:', 'other:'))).config)).toBe('other');
    expect(
      defaultAgent((await load(`${SMALL}  b: { model: local/large }\n`.replace('main:', 'a:'))).config),
    ).toBeUndefined();
  });

  it('has no agents and models but those that were configured', async () => {
    const { config } = await load(SMALL);
    expect(agentOf(config, 'constructor')).toBeUndefined();
    expect(modelOf(config, 'local/toString')).toBeUndefined();
    expect(modelOf(config, '__proto__/x')).toBeUndefined();
    expect(modelOf(config, 'local/large')?.facts.contextTokens).toBe(1000);
  });

  it('takes model names with slashes and colons, as servers have them', async () => {
    const text = SMALL.replace('small: {}', '"org/model-3:8b": {}').replace('local/small', 'local/org/model-3:8b');
    expect(modelOf((await load(text)).config, 'local/org/model-3:8b')?.model).toBe('org/model-3:8b');
  });

  it('is refused whole when it is empty or no map', async () => {
    expect(await errorsOf('')).toMatchObject([{ path: 'providers' }, { path: 'agents' }]);
    expect(await errorsOf('- a\n')).toMatchObject([{ line: 1, message: expect.stringContaining('map') }]);
  });
});
