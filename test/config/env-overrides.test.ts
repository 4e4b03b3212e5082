// Scalars set from the environment (I2).
import { describe, expect, it } from 'vitest';
import { formatConfigError } from '../../config/errors.ts';
import { errorsOf, load, SMALL } from './folder.ts';

const TWO = SMALL.replace('main: {', '"two-words": { model: local/small }\n  main: {');

describe('I2 EVERTURN_<PATH>', () => {
  it('overrides numbers, words, texts, durations, booleans and null', async () => {
    const { config, folder } = await load(`gateway: { port: 1 }\n${TWO}`, {
      env: {
        EVERTURN_GATEWAY__PORT: '0',
        EVERTURN_DATA: 'elsewhere',
        EVERTURN_SESSION__ON_BUSY: 'queue',
        EVERTURN_APPROVALS__TIMEOUT: '7s',
        EVERTURN_AGENTS__MAIN__MODEL: 'local/large',
        EVERTURN_AGENTS__TWO_WORDS__PARALLEL_TOOLS: 'false',
        EVERTURN_AGENTS__MAIN__POLICY__AUTONOMY: 'full',
        EVERTURN_PROVIDERS__LOCAL__API_KEY__ENV: 'MY_KEY',
        EVERTURN_PROVIDERS__LOCAL__MODELS__LARGE__CONTEXT_TOKENS: 'null',
        EVERTURN_WORKER__MAX_CACHED_WORKFLOWS: '5',
      },
    });
    expect(config).toMatchObject({
      data: `${folder}/elsewhere`,
      gateway: { port: 0 },
      session: { onBusy: 'queue' },
      approvals: { timeoutMs: 7000 },
      worker: { maxCachedWorkflows: 5 },
    });
    expect(config.agents.main).toMatchObject({ models: ['local/large'], policy: { autonomy: 'full' } });
    expect(config.agents['two-words']?.parallelTools).toBe(false);
    expect(config.providers.local).toMatchObject({
      apiKey: { env: 'MY_KEY' },
      models: { large: { contextTokens: null } },
    });
  });

  it('is named as the origin of a value', async () => {
    const { origin, file } = await load(`gateway: { host: 0.0.0.0 }\n${SMALL}`, {
      env: { EVERTURN_GATEWAY__PORT: '1' },
    });
    expect(origin(['gateway', 'port'])).toEqual({ kind: 'env', name: 'EVERTURN_GATEWAY__PORT' });
    expect(origin(['gateway', 'host'])).toEqual({ kind: 'file', file, line: 1, column: 12 });
    expect(origin(['session', 'on_busy'])).toEqual({ kind: 'default' });
  });

  it('repairs a value that is wrong in the file', async () => {
    const { config } = await load(`gateway: { port: many }\n${SMALL}`, { env: { EVERTURN_GATEWAY__PORT: '9' } });
    expect(config.gateway.port).toBe(9);
  });

  it('leaves other EVERTURN names alone', async () => {
    const env = { EVERTURN_HOME: '/x', EVERTURN_TEMPORAL_CLI: '/y', EVERTURN_SOMETHING: '1', EVERTURN_VERSION: '9' };
    expect((await load(SMALL, { env })).raw).toEqual((await load(SMALL)).raw);
  });

  const WRONG: [name: string, value: string, error: Record<string, unknown>][] = [
    ['EVERTURN_GATEWAY__PROT', '1', { message: /no such key under gateway/, nearest: 'EVERTURN_GATEWAY__PORT' }],
    ['EVERTURN_GATWAY__PORT', '1', { message: /no such key/, nearest: 'EVERTURN_GATEWAY' }],
    ['EVERTURN_AGENTS__MIAN__MODEL', 'local/small', { message: /under agents/, nearest: 'EVERTURN_AGENTS__MAIN' }],
    ['EVERTURN_GATEWAY__PORT', 'many', { path: 'gateway.port', message: /not a number/, found: '"many"' }],
    ['EVERTURN_GATEWAY__PORT', '70000', { path: 'gateway.port', found: '70000' }],
    ['EVERTURN_AGENTS__MAIN__MODEL', 'local/smal', { path: 'agents.main.model', nearest: 'local/small' }],
    ['EVERTURN_AGENTS__MAIN__ALLOWED_TOOLS', 'shell', { message: /only scalars/ }],
    ['EVERTURN_AGENTS__MAIN__POLICY__SHELL', '{}', { message: /only scalars/ }],
    ['EVERTURN_STORE__URL', 'postgres://u:secretpw@h/d', { path: 'store.url', message: /not built yet/ }],
  ];

  it.each(WRONG)('%s=%s is an error that names the variable', async (name, value, wanted) => {
    const errors = await errorsOf(SMALL, { env: { [name]: value } });
    expect(errors).toHaveLength(1);
    const { message, ...rest } = wanted;
    expect(errors[0]).toMatchObject({ from: `environment variable ${name}`, ...rest });
    if (message) expect(errors[0]?.message).toMatch(message as RegExp);
    expect(formatConfigError(errors[0] as never)).not.toContain('secretpw');
  });

  it('does not guess between two names that it fits', async () => {
    const text = SMALL.replace('main: {', 'a-b: { model: local/small }\n  a_b: {');
    expect(await errorsOf(text, { env: { EVERTURN_AGENTS__A_B__MODEL: 'local/large' } })).toMatchObject([
      { message: expect.stringContaining('a-b, a_b') },
    ]);
  });

  it('never shows a secret that was put into a variable by mistake', async () => {
    const env = {
      EVERTURN_PROVIDERS__LOCAL__API_KEY: 'sk-abcdefgh12345678',
      EVERTURN_GATEWAY__PORT: 'ghp_abcdefgh12345678',
    };
    const errors = await errorsOf(SMALL, { env });
    expect(errors).toHaveLength(2);
    expect(JSON.stringify(errors)).not.toContain('12345678');
  });
});
