// A gateway on a real store and a real Temporal, in this process, on a free port.
import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ulid } from 'ulid';
import { createClient, type EverturnClient } from '../../../client/client.ts';
import { createScrubber } from '../../../core/redact.ts';
import { redactPatterns, redactPatternsJson } from '../../../core/redact-patterns.ts';
import type { GatewayDeps } from '../../../gateway/deps.ts';
import { type Gateway, type GatewayOptions, startGateway } from '../../../gateway/main.ts';
import type { Renderer } from '../../../gateway/ports.ts';
import type { Scope, Store } from '../../../store/api.ts';
import { openStore } from '../../../store/open.ts';
import { createSealer, keyIdOf, type SealKeys } from '../../../store/seals.ts';

export const HELD_SECRET = 'held-secret-4711';

const scrubber = createScrubber([HELD_SECRET]);
export const render: Renderer = {
  text: (text) => redactPatterns(scrubber.scrub(text)),
  json: (value) => redactPatternsJson(scrubber.scrubJson(value)),
};

export type TestGateway = {
  gateway: Gateway;
  url: string;
  token: string;
  client: EverturnClient;
  store: Store;
  keys: SealKeys;
  taskQueue: string;
  /** What it logged. */
  said: string[];
  tokenWith(...scopes: Scope[]): Promise<string>;
  /** A call by hand: status, headers, parsed body. */
  call(method: string, path: string, options?: CallOptions): Promise<{ status: number; headers: Headers; body: Body }>;
  /** Closes the gateway and opens another on the same store, port and queue. */
  restart(): Promise<void>;
  close(): Promise<void>;
};

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape are looked into by the tests
type Body = any;
type CallOptions = {
  body?: unknown;
  raw?: string | Uint8Array | ReadableStream<Uint8Array>;
  headers?: Record<string, string>;
  token?: string | null;
};

export type TestOptions = Partial<Omit<GatewayOptions, 'temporal' | 'store'>> & { address: string; namespace?: string };

export async function startTestGateway({ address, namespace = 'default', ...more }: TestOptions): Promise<TestGateway> {
  const folder = await mkdtemp(join(tmpdir(), 'everturn-gateway-'));
  const key = randomBytes(32);
  const keys: SealKeys = { current: { id: keyIdOf(key), key }, retired: [] };
  const store = await openStore({ url: `sqlite:${join(folder, 'everturn.db')}`, keys, render: render.text });
  const taskQueue = `gateway-test-${randomUUID()}`;
  const sealer = createSealer(keys);
  const said: string[] = [];
  const options = (port: number): GatewayOptions => ({
    ...{ store, render, said },
    temporal: { address, namespace, taskQueue },
    listen: { host: '127.0.0.1', port },
    agents: { names: ['main', 'scout'], default: 'main' },
    holder: `test-${process.pid}`,
    version: '0.0.0-test',
    newId: () => ulid(),
    sign: (body, texts) => sealer.signDecision(body, texts),
    checkEdit: refuseEdits,
    log: (_, message, facts) => void said.push(`${message} ${JSON.stringify(facts ?? {})}`),
    ...more,
  });
  const tokenWith = async (...scopes: Scope[]) =>
    (await store.tokens.create({ name: `tester-${scopes.join('-')}`, scopes, at: Date.now() })).token;
  const token = await tokenWith('admin');
  const forget = async () => {
    await store.close();
    await rm(folder, { recursive: true, force: true });
  };
  let gateway = await startGateway(options(0)).catch(async (error) => {
    await forget();
    throw error;
  });
  const { url, port } = gateway;
  return {
    get gateway() {
      return gateway;
    },
    ...{ url, token, store, keys, taskQueue, said, tokenWith },
    client: createClient({ url, token }),
    call: (method, path, given = {}) => call(url, method, path, { token, ...given }),
    restart: async () => {
      await gateway.close();
      gateway = await startGateway(options(port));
    },
    close: async () => {
      await gateway.close();
      await forget();
    },
  };
}

const refuseEdits: GatewayDeps['checkEdit'] = async () => ({ ok: false, errors: ['edits are not for this test'] });

async function call(base: string, method: string, path: string, options: CallOptions) {
  const { body, raw, headers = {}, token } = options;
  const response = await fetch(`${base}/api/v1${path}`, {
    method,
    headers: {
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(raw === undefined ? {} : { body: raw as never, duplex: 'half' }),
  } as RequestInit);
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: text === '' ? undefined : JSON.parse(text) };
}
