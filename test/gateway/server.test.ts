// Where the gateway listens, and what it says when it cannot.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { CannotListen } from '../../gateway/server.ts';
import { temporalAddress } from '../support/engine.ts';
import { startTestGateway, type TestGateway } from './support/gateway.ts';

const open: { close(): Promise<unknown> }[] = [];
afterEach(async () => {
  for (const each of open.splice(0)) await each.close();
});

async function started(listen: { host: string; port: number }): Promise<TestGateway> {
  const test = await startTestGateway({ address: temporalAddress(), listen });
  open.push(test);
  return test;
}

describe('I2 gateway.port', () => {
  it('0 is any free one, and the address says which', async () => {
    const { url, gateway } = await started({ host: '127.0.0.1', port: 0 });
    expect(url).toBe(`http://127.0.0.1:${gateway.port}`);
    expect(gateway.port).toBeGreaterThan(0);
  });

  it('in use by another Everturn: says so, and what to do', async () => {
    const { gateway } = await started({ host: '127.0.0.1', port: 0 });
    const second = started({ host: '127.0.0.1', port: gateway.port });
    await expect(second).rejects.toBeInstanceOf(CannotListen);
    await expect(second).rejects.toThrow(/in use by another Everturn\. Stop that one, or take another port/);
  });

  it('in use by another program: says so', async () => {
    const other = createServer((_, response) => response.end('hello'));
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    open.push({ close: () => new Promise((resolve) => other.close(resolve)) });
    const { port } = other.address() as AddressInfo;
    await expect(started({ host: '127.0.0.1', port })).rejects.toThrow(/in use by another program/);
  });
});

describe('C11.8 off loopback', () => {
  it.each(['0.0.0.0', '192.0.2.1', '::'])('%s is refused before it listens', async (host) => {
    await expect(started({ host, port: 0 })).rejects.toThrow(/needs TLS/);
  });
});

describe('closing', () => {
  it('ends open streams in order, and the port is free again', async () => {
    const test = await startTestGateway({ address: temporalAddress() });
    const { turnId } = await test.client.startTurn({ text: 'x' });
    const stream = await fetch(`${test.url}/api/v1/turns/${turnId}/events`, {
      headers: { authorization: `Bearer ${test.token}`, accept: 'text/event-stream' },
    });
    const reading = stream.text();
    await test.restart();
    expect(await reading).toContain('retry: 500');
    expect((await test.call('GET', '/health', { token: null })).status).toBe(200);
    await test.close();
  });
});
