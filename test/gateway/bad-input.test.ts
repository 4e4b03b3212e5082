// Every bad input has its own clear refusal with a next step, in one shape (I4).
import net from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { temporalAddress } from '../support/engine.ts';
import { startTestGateway, type TestGateway } from './support/gateway.ts';

let test: TestGateway;
beforeAll(async () => {
  test = await startTestGateway({ address: temporalAddress() });
});
afterAll(() => test.close());

const post = (body: unknown, path = '/turns') => test.call('POST', path, { body });
const json = { 'content-type': 'application/json' };

describe('I4 starting a turn', () => {
  it('an unknown agent: 422 that names the known ones and the nearest', async () => {
    const { status, body } = await post({ agent: 'mian', text: 'hi' });
    expect(status).toBe(422);
    expect(body.error.code).toBe('unknown_agent');
    expect(body.error.hint).toBe('Did you mean "main"? Agents: main, scout.');
  });

  it.each(['', '   \n\t'])('an empty text is refused: %j', async (text) => {
    const { status, body } = await post({ text });
    expect(status).toBe(400);
    expect(body.error.message).toContain('text: must not be empty');
  });

  it.each([{}, { text: 7 }, { text: null }, { text: ['a'] }, [], 'text', 7, null])(
    'a body of another shape is refused: %j',
    async (body) => {
      const answer = await post(body);
      expect(answer.status).toBe(400);
      expect(answer.body.error.code).toBe('invalid_request');
    },
  );

  it('an unknown field is refused and the nearest named', async () => {
    const { status, body } = await post({ text: 'hi', sesion: 'a' });
    expect(status).toBe(400);
    expect(body.error.message).toContain('unknown field "sesion" (did you mean "session"?)');
  });

  it.each(['a b', '', 'x'.repeat(129), '../../etc', 'ä'])(
    'a session id that is none is refused: %j',
    async (session) => {
      expect((await post({ text: 'hi', session })).status).toBe(400);
    },
  );

  it('what is not built yet says so', async () => {
    const { status, body } = await post({ text: 'hi', attachments: [{ name: 'a.png' }] });
    expect(status).toBe(422);
    expect(body.error.code).toBe('not_built');
  });

  it('a bad Idempotency-Key is refused', async () => {
    const { status } = await test.call('POST', '/turns', {
      body: { text: 'hi' },
      headers: { 'idempotency-key': 'x'.repeat(300) },
    });
    expect(status).toBe(400);
  });

  it('nothing of all this made a turn', async () => {
    expect((await test.call('GET', '/turns')).body.items).toEqual([]);
  });
});

describe('I4 bodies', () => {
  it.each(['{', 'text=hi', '{"text": }', '\u0000'])('malformed JSON is 400: %j', async (raw) => {
    const { status, body } = await test.call('POST', '/turns', { raw, headers: json });
    expect(status).toBe(400);
    expect(body.error.code).toBe('malformed_json');
  });

  it('bytes that are no UTF-8 are 400', async () => {
    const raw = Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d]);
    expect((await test.call('POST', '/turns', { raw, headers: json })).body.error.code).toBe('malformed_json');
  });

  it.each([undefined, 'text/plain', 'application/x-www-form-urlencoded', 'application/jsonp'])(
    'content type %s is 415',
    async (type) => {
      const headers: Record<string, string> = type === undefined ? {} : { 'content-type': type };
      const raw = Buffer.from('{"text":"hi"}');
      const { status, body } = await test.call('POST', '/turns', { raw, headers });
      expect(status).toBe(415);
      expect(body.error.hint).toContain('application/json');
    },
  );

  it('more than 1 MiB is 413', async () => {
    const { status, body } = await post({ text: 'x'.repeat(1_048_576) });
    expect(status).toBe(413);
    expect(body.error.code).toBe('body_too_large');
  });

  it('1 MiB without a length is refused before all of it was sent', async () => {
    const { hostname, port } = new URL(test.url);
    const chunk = `10000\r\n${'a'.repeat(65_536)}\r\n`;
    let sent = 0;
    const answer = await new Promise<string>((resolve, reject) => {
      const socket = net.connect(Number(port), hostname, () => {
        socket.write(
          `POST /api/v1/turns HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${test.token}\r\n` +
            'Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n',
        );
        send();
      });
      const send = () => {
        if (socket.destroyed || sent > 50_000_000) return;
        sent += 65_536;
        socket.write(chunk, () => setImmediate(send));
      };
      socket.once('data', (data) => {
        resolve(data.toString());
        socket.destroy();
      });
      socket.once('error', reject);
    });
    expect(answer).toMatch(/^HTTP\/1\.1 413 /);
    expect(sent).toBeLessThan(50_000_000);
  });

  it('a declared length over 1 MiB is refused before anything was read', async () => {
    const { hostname, port } = new URL(test.url);
    const answer = await new Promise<string>((resolve, reject) => {
      const socket = net.connect(Number(port), hostname, () => {
        socket.write(
          `POST /api/v1/turns HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${test.token}\r\n` +
            'Content-Type: application/json\r\nContent-Length: 104857600\r\n\r\n',
        );
      });
      socket.once('data', (data) => {
        resolve(data.toString());
        socket.destroy();
      });
      socket.once('error', reject);
    });
    expect(answer).toMatch(/^HTTP\/1\.1 413 /);
  });
});

describe('I4 unknown things', () => {
  it.each([
    ['GET', '/turns/none', 'turn_not_found'],
    ['GET', '/turns/none/events', 'turn_not_found'],
    ['GET', '/turns/none/transcript', 'turn_not_found'],
    ['GET', '/turns/none/results/c1-0', 'turn_not_found'],
    ['POST', '/turns/none/cancel', 'turn_not_found'],
    ['POST', '/turns/none/steer', 'turn_not_found'],
    ['GET', '/approvals/none', 'approval_not_found'],
    ['POST', '/approvals/none/decision', 'approval_not_found'],
    ['GET', '/turns/%00%1b%5b31m/events', 'turn_not_found'],
    ['DELETE', '/turns', 'no_such_call'],
    ['GET', '/turnz', 'no_such_call'],
  ] as const)('%s %s is 404 %s', async (method, path, code) => {
    const body = path.endsWith('/steer')
      ? { text: 'hi' }
      : path.endsWith('/decision')
        ? { argumentHash: 'x', choice: 'approve' }
        : {};
    const { status, body: answer } = await test.call(method, path, method === 'POST' ? { body } : {});
    expect(status).toBe(404);
    expect(answer.error.code).toBe(code);
    expect(answer.error.hint).not.toBe('');
  });

  it('a path with another method says which it takes', async () => {
    expect((await test.call('DELETE', '/turns')).body.error.message).toBe('This path takes POST, GET only.');
  });
});

describe('I4 query parameters', () => {
  it.each(['?status=done', '?after=1', '?stauts=open', '?cursor=', '?status=open&status=failed', '?cursor=nonsense'])(
    '%s is 400',
    async (query) => {
      const { status, body } = await test.call('GET', `/turns${query}`);
      expect(status).toBe(400);
      expect(body.error.code).toBe('invalid_request');
    },
  );

  it('a misspelt one names the nearest', async () => {
    expect((await test.call('GET', '/turns?stauts=open')).body.error.message).toContain('did you mean "status"');
  });

  it.each(['-1', 'x', '1.5', '1e3'])('after=%s is 400', async (after) => {
    const { turnId } = await test.client.startTurn({ text: 'hi' });
    expect((await test.call('GET', `/turns/${turnId}/events?after=${after}`)).status).toBe(400);
    expect((await test.call('GET', `/turns/${turnId}/events`, { headers: { 'last-event-id': after } })).status).toBe(
      400,
    );
  });
});
