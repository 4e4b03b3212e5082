// Nothing without a token but health; a token does what its scopes say (C11.8).
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { temporalAddress } from '../support/engine.ts';
import { startTestGateway, type TestGateway } from './support/gateway.ts';

let test: TestGateway;
beforeAll(async () => {
  test = await startTestGateway({ address: temporalAddress() });
});
afterAll(() => test.close());

const PATHS = [
  ['GET', '/turns'],
  ['POST', '/turns'],
  ['GET', '/turns/x/events'],
  ['GET', '/approvals'],
  ['POST', '/approvals/x/decision'],
  ['POST', '/estop'],
  ['GET', '/status'],
  ['GET', '/openapi.json'],
  ['GET', '/no-such-thing'],
] as const;

describe('C11.8 a token always', () => {
  it.each(PATHS)('%s %s is 401 without one', async (method, path) => {
    const { status, body, headers } = await test.call(method, path, { token: null });
    expect(status).toBe(401);
    expect(body.error.code).toBe('unauthorized');
    expect(body.error.hint).toContain('Authorization: Bearer');
    expect(headers.get('www-authenticate')).toBe('Bearer');
  });

  it.each(['wrong', '', 'a'.repeat(5_000), 'Basic dXNlcjpwYXNz'])('a wrong token is 401: %.10s', async (token) => {
    const { status } = await test.call('GET', '/status', {
      token: null,
      headers: { authorization: `Bearer ${token}` },
    });
    expect(status).toBe(401);
  });

  it('a revoked token is 401', async () => {
    const { id, token } = await test.store.tokens.create({ name: 'gone', scopes: ['read'], at: Date.now() });
    expect((await test.call('GET', '/status', { token })).status).toBe(200);
    await test.store.tokens.revoke(id, Date.now());
    expect((await test.call('GET', '/status', { token })).status).toBe(401);
  });

  it('health needs none and tells nothing', async () => {
    const { status, body } = await test.call('GET', '/health', { token: null });
    expect(status).toBe(200);
    expect(body).toEqual({ status: 'ok', service: 'everturn' });
  });
});

describe('C11.8 scopes', () => {
  it.each([
    ['read', 'GET', '/status', 200],
    ['read', 'POST', '/turns', 403],
    ['read', 'POST', '/pause', 403],
    ['operate', 'GET', '/turns', 200],
    ['operate', 'POST', '/approvals/x/decision', 403],
    ['operate', 'POST', '/resume', 403],
    ['approve', 'GET', '/approvals', 200],
    ['approve', 'POST', '/turns', 403],
    ['admin', 'POST', '/resume', 200],
  ] as const)('%s: %s %s is %i', async (scope, method, path, expected) => {
    const token = await test.tokenWith(scope);
    const { status, body } = await test.call(method, path, { token, ...(method === 'POST' ? { body: {} } : {}) });
    expect(status).toBe(expected);
    if (expected === 403) expect(body.error.message).toMatch(/needs the scope/);
  });
});

describe('C11.8 rate limits', () => {
  it('guessing is answered 429, and a good token still works from the same address', async () => {
    const other = await startTestGateway({ address: temporalAddress() });
    const statuses = new Set<number>();
    for (let n = 0; n < 40; n += 1) statuses.add((await other.call('GET', '/status', { token: `guess-${n}` })).status);
    expect(statuses).toEqual(new Set([401, 429]));
    expect((await other.call('GET', '/status')).status).toBe(200);
    await other.close();
  });
});
