// Providers of a vendor's own kind, and what is known of their models without being written down.
import { describe, expect, it } from 'vitest';
import type { ModelConfig, VendorConfig } from '../../config/config.ts';
import { FACTS_DATE, modelFacts } from '../../config/model-facts.ts';
import { loadSecrets } from '../../config/secrets.ts';
import { showConfig } from '../../config/show.ts';
import { errorsOf, load } from './folder.ts';

const vendor = (kind: string, models: string, more = 'api_key: { env: KEY }') => `providers:
  big: { kind: ${kind}, ${more}, models: { ${models} } }
agents:
  main: { model: big/${models.split(':')[0]} }
`;
const model = async (kind: string, models: string): Promise<ModelConfig | undefined> => {
  const { config } = await load(vendor(kind, models));
  return Object.values(config.providers.big?.models ?? {})[0];
};

describe('I2 a vendor’s own kind', () => {
  it.for([
    ['openai', 300_000],
    ['anthropic', 90_000],
    ['google', 120_000],
  ] as const)('C10.3 %s waits %i ms for a byte, and needs no address', async ([kind, idleTimeoutMs]) => {
    const { config } = await load(vendor(kind, 'm: {}'));
    expect(config.providers.big).toEqual({
      kind,
      name: 'big',
      baseUrl: undefined,
      apiKey: { env: 'KEY' },
      idleTimeoutMs,
      connectTimeoutMs: 10_000,
      requestTimeoutMs: 120_000,
      retries: 2,
      models: expect.anything(),
    });
  });

  it('may be reached elsewhere, and wait longer', async () => {
    const more = 'api_key: { env: KEY }, base_url: "https://proxy.test/v1/", idle_timeout: 10m';
    const { config } = await load(vendor('anthropic', 'm: {}', more));
    expect(config.providers.big).toMatchObject({ baseUrl: 'https://proxy.test/v1', idleTimeoutMs: 600_000 });
  });

  it('C11.7 wants a reference to a key, and its value is held', async () => {
    const errors = await errorsOf(vendor('google', 'm: {}', 'retries: 1'));
    expect(errors).toMatchObject([{ path: 'providers.big.api_key', message: expect.stringMatching(/missing/) }]);
    const { config } = await load(vendor('google', 'm: {}'));
    const secrets = await loadSecrets(config, { KEY: 'the-value-0001' });
    expect([secrets.apiKey('big')?.kind, secrets.values]).toEqual(['value', ['the-value-0001']]);
  });

  it('C11.3 a key file is a place of our own', async () => {
    const { config, folder } = await load(vendor('openai', 'm: {}', 'api_key: { file: key.txt }'));
    expect((config.providers.big as VendorConfig).apiKey).toEqual({ file: `${folder}/key.txt` });
    expect(config.ownPlaces).toContain(`${folder}/key.txt`);
  });
});

describe('model facts', () => {
  it('fill in what is left out', async () => {
    expect(await model('anthropic', 'claude-haiku-4-5: {}')).toEqual({
      nativeTools: true,
      vision: true,
      contextTokens: 200_000,
      price: { input: 1, output: 5, cachedInput: 0.1, cacheWrite: 1.25 },
    });
  });

  it('are replaced key by key', async () => {
    const said = await model('openai', 'gpt-4.1: { context_tokens: 5000, price: { input: 9, cached_input: 1 } }');
    expect(said).toMatchObject({ contextTokens: 5_000, price: { input: 9, output: 8, cachedInput: 1 }, vision: true });
    expect(await model('openai', 'gpt-4.1: { context_tokens: null }')).toMatchObject({ contextTokens: null });
  });

  it('a model that nobody knows has the general defaults', async () => {
    expect(await model('google', 'brand-new: {}')).toEqual({
      nativeTools: true,
      vision: false,
      contextTokens: null,
      price: { input: 0, output: 0 },
    });
  });

  it('are not for another kind, even under the same name', async () => {
    const text = vendor('openai-compatible', 'gpt-4.1: {}', 'base_url: http://127.0.0.1/v1');
    const { config } = await load(text);
    expect(config.providers.big?.models['gpt-4.1']).toMatchObject({
      contextTokens: null,
      price: { input: 0, output: 0 },
    });
  });

  it.for([
    ['openai', 'gpt-5-2025-08-07', 'gpt-5'],
    ['anthropic', 'claude-sonnet-4-5-20250929', 'claude-sonnet-4-5'],
    ['anthropic', 'claude-opus-4-5@20251101', 'claude-opus-4-5'],
    ['google', 'gemini-2.5-flash-preview-09-2025', 'gemini-2.5-flash'],
  ])('%s: %s is %s', ([kind, dated, name]) => {
    expect(modelFacts(kind as string, dated as string)).toEqual(modelFacts(kind as string, name as string));
    expect(modelFacts(kind as string, dated as string)).toBeDefined();
  });

  it.for([
    ['openai', 'gpt-5-pro'],
    ['openai', 'gpt-50'],
    ['google', 'gemini-2.5-flash-image'],
    ['google', 'claude-haiku-4-5'],
    ['openai', 'constructor'],
    ['constructor', 'gpt-5'],
  ])('%s knows nothing of %s', ([kind, name]) => {
    expect(modelFacts(kind as string, name as string)).toBeUndefined();
  });

  it('have a date, and stand in what is shown', async () => {
    expect(Date.parse(FACTS_DATE)).not.toBeNaN();
    const shown = showConfig(await load(vendor('anthropic', 'claude-haiku-4-5: {}')));
    const at = (end: string) => shown.find(({ path }) => path.endsWith(end));
    expect(at('context_tokens')).toMatchObject({ value: 200_000, origin: 'default' });
    expect(at('price.input')).toMatchObject({ value: 1 });
  });
});
