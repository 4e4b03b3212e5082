// The published description says what is served: every call of I4, from the schemas that check it.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { temporalAddress } from '../support/engine.ts';
import { startTestGateway, type TestGateway } from './support/gateway.ts';

let test: TestGateway;
// biome-ignore lint/suspicious/noExplicitAny: a document of any shape is looked into
let document: any;
beforeAll(async () => {
  test = await startTestGateway({ address: temporalAddress() });
  document = (await test.call('GET', '/openapi.json')).body;
});
afterAll(() => test.close());

const CALLS = [
  'get /turns',
  'post /turns',
  'get /turns/{turnId}',
  'get /turns/{turnId}/events',
  'get /turns/{turnId}/transcript',
  'get /turns/{turnId}/results/{callId}',
  'post /turns/{turnId}/steer',
  'post /turns/{turnId}/cancel',
  'get /approvals',
  'get /approvals/{approvalId}',
  'post /approvals/{approvalId}/decision',
  'post /pause',
  'post /resume',
  'post /estop',
  'get /status',
  'get /health',
  'get /openapi.json',
];

describe('I4 OpenAPI', () => {
  it('is 3.1 and names every call, no more', () => {
    expect(document.openapi).toBe('3.1.0');
    const found = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods as object).map((method) => `${method} ${path}`),
    );
    expect(found.sort()).toEqual([...CALLS].sort());
  });

  it('describes bodies, parameters, answers and refusals', () => {
    const start = document.paths['/turns'].post;
    expect(start.requestBody.content['application/json'].schema).toMatchObject({
      type: 'object',
      required: ['text'],
      additionalProperties: false,
    });
    expect(start.responses['201'].content['application/json'].schema.required).toEqual(['turnId', 'workflowId']);
    expect(start.responses['422'].content['application/json'].schema.$ref).toBe('#/components/schemas/Failure');
    expect(start.parameters).toContainEqual(expect.objectContaining({ name: 'Idempotency-Key', in: 'header' }));
    const events = document.paths['/turns/{turnId}/events'].get;
    expect(events.parameters.map((each: { name: string }) => each.name)).toEqual(['turnId', 'after', 'Last-Event-ID']);
    expect(Object.keys(events.responses['200'].content)).toEqual(['application/json', 'text/event-stream']);
    const decision = document.paths['/approvals/{approvalId}/decision'].post;
    expect(decision.requestBody.content['application/json'].schema.properties.choice.enum).toContain('not_done');
    expect(Object.keys(decision.responses)).toEqual(expect.arrayContaining(['200', '202', '409', '410', '422']));
  });

  it('every call has a summary, an id of its own and, but for health, a scope', () => {
    const ids = new Set<string>();
    for (const [path, methods] of Object.entries<
      Record<string, { summary: string; operationId: string; security?: [] }>
    >(document.paths)) {
      for (const operation of Object.values(methods)) {
        expect(operation.summary).not.toBe('');
        ids.add(operation.operationId);
        expect(operation.security !== undefined).toBe(path === '/health');
      }
    }
    expect(ids.size).toBe(CALLS.length);
  });

  it('what is served fits what is described', async () => {
    const { turnId } = await test.client.startTurn({ text: 'x' });
    const turn = (await test.call('GET', `/turns/${turnId}`)).body;
    const { required, properties } =
      document.paths['/turns/{turnId}'].get.responses['200'].content['application/json'].schema;
    expect(Object.keys(turn)).toEqual(expect.arrayContaining(required));
    expect(Object.keys(properties)).toEqual(expect.arrayContaining(Object.keys(turn)));
    const status = (await test.call('GET', '/status')).body;
    const described = document.paths['/status'].get.responses['200'].content['application/json'].schema;
    expect(Object.keys(status).sort()).toEqual([...described.required].sort());
  });
});
