// Events by number: live, resumed, complete, whatever happens to the connection or the gateway (C9.2, C10.5).
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TurnEvent } from '../../core/events.ts';
import { temporalAddress } from '../support/engine.ts';
import { startTestGateway, type TestGateway } from './support/gateway.ts';
import { until } from './support/until.ts';
import { beginTurn, endTurn } from './support/worker.ts';

let test: TestGateway;
beforeAll(async () => {
  test = await startTestGateway({ address: temporalAddress(), heartbeatMs: 200 });
});
afterAll(() => test.close());

async function runningTurn(): Promise<string> {
  const { turnId } = await test.client.startTurn({ text: 'go' });
  await beginTurn(test.store, turnId);
  return turnId;
}

const say = (turnId: string, n: number) =>
  test.store.events.append(turnId, [{ key: `d${n}`, body: { type: 'text_delta', text: `${n} `, step: 1, epoch: 1 } }]);

async function collect(turnId: string, into: TurnEvent[], after = 0): Promise<TurnEvent[]> {
  for await (const event of test.client.events(turnId, { after })) into.push(event);
  return into;
}

/** A raw stream: what came until `enough` says so. */
async function raw(path: string, headers: Record<string, string>, enough: (text: string) => boolean): Promise<string> {
  const stop = new AbortController();
  const response = await fetch(`${test.url}/api/v1${path}`, {
    headers: { authorization: `Bearer ${test.token}`, accept: 'text/event-stream', ...headers },
    signal: stop.signal,
  });
  expect(response.headers.get('content-type')).toContain('text/event-stream');
  let text = '';
  for await (const piece of response.body as unknown as AsyncIterable<Uint8Array>) {
    text += Buffer.from(piece).toString();
    if (enough(text)) break;
  }
  stop.abort();
  return text;
}

const numbers = (events: TurnEvent[]) => events.map((event) => event.number);
const upTo = (n: number) => Array.from({ length: n }, (_, i) => i + 1);

describe('I4 events live', () => {
  it('arrive as they are written, numbered from 1 without gaps, and the stream closes after turn_ended', async () => {
    const turnId = await runningTurn();
    const seen: TurnEvent[] = [];
    const reading = collect(turnId, seen);
    await until(async () => seen.length >= 1);
    for (let n = 0; n < 50; n += 1) await say(turnId, n);
    await until(async () => seen.length >= 51);
    await endTurn(test.store, turnId, 'completed', 'done');
    await reading;
    expect(numbers(seen)).toEqual(upTo(52));
    expect(seen[0]).toMatchObject({ type: 'turn_started', turnId, agent: 'main' });
    expect(seen.at(-1)).toMatchObject({ type: 'turn_ended', status: 'completed', answer: 'done' });
  });

  it('a late reader of an ended turn gets the same record, and the stream closes', async () => {
    const turnId = await runningTurn();
    for (let n = 0; n < 600; n += 1) await say(turnId, n);
    await endTurn(test.store, turnId, 'completed');
    expect(numbers(await collect(turnId, []))).toEqual(upTo(602));
    expect(numbers(await collect(turnId, [], 600))).toEqual([601, 602]);
  });

  it('a reader that has seen the end gets an empty stream that closes', async () => {
    const turnId = await runningTurn();
    await endTurn(test.store, turnId, 'completed');
    const response = await test.call('GET', `/turns/${turnId}/events?after=2`, { headers: {} });
    expect(response.body).toEqual({ items: [], next: 2 });
    const stream = await fetch(`${test.url}/api/v1/turns/${turnId}/events?after=2`, {
      headers: { authorization: `Bearer ${test.token}`, accept: 'text/event-stream' },
    });
    expect(await stream.text()).toBe('retry: 500\n\n');
  });

  it('Last-Event-ID is honoured, and counts more than `after`', async () => {
    const turnId = await runningTurn();
    for (let n = 0; n < 5; n += 1) await say(turnId, n);
    const text = await raw(`/turns/${turnId}/events?after=1`, { 'last-event-id': '4' }, (got) =>
      got.includes('id: 6\n'),
    );
    expect([...text.matchAll(/^id: (\d+)$/gm)].map(([, id]) => id)).toEqual(['5', '6']);
  });

  it('a quiet stream sends a comment now and then', async () => {
    const turnId = await runningTurn();
    const text = await raw(`/turns/${turnId}/events`, {}, (got) => (got.match(/^: /gm) ?? []).length >= 2);
    expect(text).toMatch(/^: still here$/m);
  });

  it('a reader that goes away leaves nothing behind, and HEAD opens nothing', async () => {
    const turnId = await runningTurn();
    await raw(`/turns/${turnId}/events`, {}, (got) => got.includes('id: 1'));
    const head = await fetch(`${test.url}/api/v1/turns/${turnId}/events`, {
      method: 'HEAD',
      headers: { authorization: `Bearer ${test.token}`, accept: 'text/event-stream' },
    });
    expect(head.status).toBe(200);
    expect(head.headers.get('content-type')).toContain('application/json');
  });

  it('twenty readers of twenty turns each get exactly their own', async () => {
    const turns = await Promise.all(Array.from({ length: 20 }, runningTurn));
    const seen = turns.map((): TurnEvent[] => []);
    const reading = turns.map((turnId, i) => collect(turnId, seen[i] ?? []));
    for (let n = 0; n < 20; n += 1) await Promise.all(turns.map((turnId) => say(turnId, n)));
    await Promise.all(turns.map((turnId) => endTurn(test.store, turnId, 'completed')));
    await Promise.all(reading);
    for (const [i, turnId] of turns.entries()) {
      expect(numbers(seen[i] ?? [])).toEqual(upTo(22));
      expect(seen[i]?.every((event) => event.turnId === turnId)).toBe(true);
    }
  });
});

describe('I4 events in pages', () => {
  it('without that Accept header: items and the number to go on from', async () => {
    const turnId = await runningTurn();
    for (let n = 0; n < 3; n += 1) await say(turnId, n);
    const first = await test.call('GET', `/turns/${turnId}/events`);
    expect(numbers(first.body.items)).toEqual([1, 2, 3, 4]);
    expect(first.body.next).toBe(4);
    expect((await test.call('GET', `/turns/${turnId}/events?after=4`)).body).toEqual({ items: [], next: 4 });
  });
});

describe('C9.2 a reader resumes by number and misses nothing', () => {
  it('over restarts of the gateway while it is connected: nothing missed, nothing doubled', async () => {
    const turnId = await runningTurn();
    const seen: TurnEvent[] = [];
    const reading = collect(turnId, seen);
    let n = 0;
    for (let round = 0; round < 3; round += 1) {
      for (let i = 0; i < 20; i += 1) await say(turnId, n++);
      const restarted = test.restart();
      for (let i = 0; i < 20; i += 1) await say(turnId, n++);
      await restarted;
    }
    await endTurn(test.store, turnId, 'completed');
    await reading;
    expect(numbers(seen)).toEqual(upTo(122));
  });

  it('a reader can leave without an error', async () => {
    const turnId = await runningTurn();
    const stop = new AbortController();
    const seen: number[] = [];
    for await (const event of test.client.events(turnId, { signal: stop.signal })) {
      seen.push(event.number);
      stop.abort();
    }
    expect(seen).toEqual([1]);
  });

  it('an unknown turn and a bad token are errors, not endless tries', async () => {
    const next = (events: AsyncGenerator<TurnEvent>) => events.next();
    await expect(next(test.client.events('none'))).rejects.toMatchObject({ status: 404, code: 'turn_not_found' });
  });
});
