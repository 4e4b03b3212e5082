// `doctor` asks each provider for its list of models, with the key where that provider wants it.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { providers } from '../../cli/doctor/providers.ts';
import { load } from '../config/folder.ts';
import { startWireServer, type WireAnswer, type WireServer } from '../support/wire-server.ts';

let server: WireServer;
beforeAll(async () => {
  server = await startWireServer();
  process.env.DOCTOR_TEST_KEY = 'the-key-0001';
});
afterAll(async () => {
  delete process.env.DOCTOR_TEST_KEY;
  await server.close();
});

async function ask(kind: string, answer: WireAnswer) {
  server.answer(answer);
  const { config } = await load(`providers:
  p: { kind: ${kind}, base_url: "${server.url}", api_key: { env: DOCTOR_TEST_KEY }, models: { m: {} } }
agents:
  main: { model: p/m }
`);
  const [finding] = await providers(config);
  return finding;
}

describe('doctor on a provider', () => {
  it.for([
    ['openai', 'authorization', 'Bearer the-key-0001'],
    ['openai-compatible', 'authorization', 'Bearer the-key-0001'],
    ['anthropic', 'x-api-key', 'the-key-0001'],
    ['google', 'x-goog-api-key', 'the-key-0001'],
  ])('B91 %s has its key in the header %s', async ([kind, header, value]) => {
    expect(await ask(kind as string, { pieces: ['{}'] })).toMatchObject({ state: 'ok' });
    const [request] = server.requests;
    expect(request?.path).toBe('/v1/models');
    expect(request?.headers[header as string]).toBe(value);
  });

  it.for([
    ['anthropic', 401],
    ['google', 400],
    ['openai', 403],
  ] as const)('%s refuses the key by %i', async ([kind, status]) => {
    const finding = await ask(kind, { status, pieces: ['{}'] });
    expect(JSON.stringify(finding)).toMatch(/refuses the key.*providers\.p\.api_key/);
  });

  it('C11.7 the key goes to no other address', async () => {
    const elsewhere = await startWireServer();
    const finding = await ask('anthropic', { status: 302, headers: { location: `${elsewhere.url}/models` } });
    expect(elsewhere.requests).toHaveLength(0);
    expect(JSON.stringify(finding)).toContain('302');
    await elsewhere.close();
  });
});
