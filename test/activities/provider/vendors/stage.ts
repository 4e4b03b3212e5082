// One wire server, and a model of a vendor on it, for the tests of what is peculiar to that vendor.
import { afterAll, beforeAll } from 'vitest';
import type { ProviderAdapter, ProviderReply, ProviderRequest } from '../../../../activities/provider/types.ts';
import type { VendorSettings } from '../../../../activities/provider/vendors/vendor-adapter.ts';
import type { ToolSpec } from '../../../../core/execution.ts';
import type { JsonObject } from '../../../../core/json.ts';
import type { Message } from '../../../../core/transcript.ts';
import { wireArguments } from '../../../../core/wire-call.ts';
import { startWireServer, type WireAnswer, type WireServer } from '../../../support/wire-server.ts';
import { REQUEST } from '../contract.ts';

export const PRICE = { input: 3, output: 15, cachedInput: 0.3, cacheWrite: 3.75 };

export type Stage = {
  ask: (answer: WireAnswer, request?: Partial<ProviderRequest>) => Promise<ProviderReply>;
  /** Sends a reply back as the history of a next request, as it is after storing, and gives what was sent. */
  again: (reply: ProviderReply, change?: Partial<Assistant>, model?: string) => Promise<Sent>;
  sent: () => Sent;
  logged: string[];
  server: () => WireServer;
};

type Assistant = Extract<Message, { role: 'assistant' }>;
// biome-ignore lint/suspicious/noExplicitAny: the body of a vendor's API, looked at by path
export type Sent = { body: any; bytes: string; headers: Record<string, string | string[] | undefined>; path: string };

export function stageOf(make: (settings: VendorSettings) => ProviderAdapter, plainAnswer: () => WireAnswer): Stage {
  let server: WireServer;
  let adapter: ProviderAdapter;
  const logged: string[] = [];
  beforeAll(async () => {
    server = await startWireServer();
    adapter = make({
      name: 'vendor',
      baseUrl: server.url,
      apiKey: 'the-key-0001',
      prices: { small: PRICE },
      limits: { idleTimeoutMs: 500 },
      scrub: (text) => text,
      log: (message) => void logged.push(message),
    });
  });
  afterAll(() => server.close());
  const ask: Stage['ask'] = (answer, request = {}) => {
    server.answer(answer);
    logged.length = 0;
    return adapter.call({ ...REQUEST, ...request }, { signal: new AbortController().signal, onPart: () => {} });
  };
  const sent = (): Sent => {
    const [request] = server.requests;
    if (!request) throw new Error('nothing was sent');
    return request;
  };
  return {
    ask,
    sent,
    logged,
    server: () => server,
    async again(reply, change = {}, model = 'small') {
      const stored = JSON.parse(JSON.stringify(reply)) as ProviderReply;
      const calls = stored.calls.map((call, place) => ({
        ...call,
        id: call.id || `ours${place}`,
        arguments: wireArguments(call.arguments),
      }));
      const extras = stored.extras === undefined ? {} : { extras: stored.extras };
      const assistant: Assistant = { role: 'assistant', text: stored.text, calls, ...extras, ...change };
      const messages: Message[] = [{ role: 'user', text: 'go' }, assistant];
      if (assistant.calls.length > 0) {
        const results = assistant.calls.map(({ id, name }) => ({ id, name, text: `result of ${id}`, success: true }));
        messages.push({ role: 'tool', results });
      }
      messages.push({ role: 'user', text: 'and now?' });
      await ask(plainAnswer(), { messages, model });
      return sent();
    },
  };
}

export function tool(name: string, parameters: JsonObject = { type: 'object', properties: {} }): ToolSpec {
  return {
    name,
    description: `Does ${name}.`,
    parameters,
    effect: 'none',
    executor: 'activity',
    timeoutMs: 1,
    provenance: 'native',
  };
}
