// The client for programs: typed errors, no matter what answers (I6).
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createClient } from '../../client/client.ts';
import { ApiError } from '../../client/errors.ts';

let server: Server;
let url: string;
let requests: { url: string; token: string | undefined }[] = [];
beforeAll(async () => {
  server = createServer((request, response) => {
    requests.push({ url: request.url ?? '', token: request.headers.authorization });
    if (request.url?.includes('/html')) {
      response.writeHead(502, { 'content-type': 'text/html' });
      response.end('<h1>Bad gateway</h1>');
    } else if (request.url?.includes('/silent')) {
      // No answer at all.
    } else if (request.url?.includes('/broken')) response.destroy();
    else {
      response.writeHead(404, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ error: { code: 'turn_not_found', message: 'No such turn.', hint: 'List them.' } }));
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

describe('I6 typed errors', () => {
  it('carry status, code, message and hint', async () => {
    requests = [];
    const client = createClient({ url, token: 'secret-token' });
    const error = await client.getTurn('a/b?c').catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({ status: 404, code: 'turn_not_found', message: 'No such turn.', hint: 'List them.' });
    expect(requests).toEqual([{ url: '/api/v1/turns/a%2Fb%3Fc', token: 'Bearer secret-token' }]);
  });

  it('an answer of another program', async () => {
    await expect(createClient({ url, token: 't' }).getTurn('html')).rejects.toMatchObject({
      status: 502,
      code: 'unexpected_answer',
    });
  });

  it('nobody there, a cut connection, no answer in time', async () => {
    const nobody = createClient({ url: 'http://127.0.0.1:1', token: 't' });
    await expect(nobody.status()).rejects.toMatchObject({
      status: 0,
      code: 'unreachable',
      message: 'Cannot reach Everturn at http://127.0.0.1:1.',
    });
    await expect(createClient({ url, token: 't' }).getTurn('broken')).rejects.toMatchObject({ code: 'unreachable' });
    const hasty = createClient({ url, token: 't', timeoutMs: 50 });
    await expect(hasty.getTurn('silent')).rejects.toMatchObject({ status: 0, code: 'timeout' });
  });

  it('an address that is none is told at once', () => {
    expect(() => createClient({ url: 'localhost:7410:1', token: 't' })).toThrow(TypeError);
  });

  it('no message shows the token', async () => {
    const error = await createClient({ url: 'http://127.0.0.1:1', token: 'secret-token' }).status().catch(String);
    expect(error).not.toContain('secret-token');
  });
});
