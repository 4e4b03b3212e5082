// Starting and reading turns: committed first, started then; what is shown is scrubbed.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createClient } from '../../client/client.ts';
import { NO_USAGE } from '../../core/usage.ts';
import { temporalAddress } from '../support/engine.ts';
import { HELD_SECRET, startTestGateway, type TestGateway } from './support/gateway.ts';
import { beginTurn, endTurn } from './support/worker.ts';

let test: TestGateway;
beforeAll(async () => {
  test = await startTestGateway({ address: temporalAddress() });
});
afterAll(() => test.close());

describe('I4 POST /turns', () => {
  it('makes a queued row and answers 201 with both ids', async () => {
    const { status, body } = await test.call('POST', '/turns', { body: { text: 'hello' } });
    expect(status).toBe(201);
    expect(body).toEqual({ turnId: expect.any(String), workflowId: `turn-${body.turnId}` });
    const turn = await test.client.getTurn(body.turnId);
    expect(turn).toMatchObject({
      agent: 'main',
      text: 'hello',
      status: 'queued',
      iteration: 0,
      slots: [],
      usage: NO_USAGE,
    });
    expect(turn.createdAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(turn).not.toHaveProperty('answer');
  });

  it('takes an explicitly empty list of tools as it is (C2.4), and what else a start may say', async () => {
    const { turnId } = await test.client.startTurn({ agent: 'scout', text: 'x', allowedTools: [], approvals: 'deny' });
    expect(await test.store.turns.get(turnId)).toMatchObject({ agent: 'scout', allowedTools: [], approvals: 'deny' });
  });

  it('remembers who asked and from which surface', async () => {
    const cli = createClient({ url: test.url, token: test.token, surface: 'cli' });
    const { turnId } = await cli.startTurn({ text: 'x' });
    expect((await test.store.turns.get(turnId))?.origin).toEqual({ surface: 'cli', by: 'tester-admin' });
  });

  it('the same Idempotency-Key gives the same turn, for other content 409', async () => {
    const first = await test.client.startTurn({ text: 'once' }, { idempotencyKey: 'k1' });
    expect(await test.client.startTurn({ text: 'once' }, { idempotencyKey: 'k1' })).toEqual(first);
    await expect(test.client.startTurn({ text: 'other' }, { idempotencyKey: 'k1' })).rejects.toMatchObject({
      status: 409,
      code: 'idempotency_conflict',
    });
  });

  it('the same key sent 20 times at once makes one turn', async () => {
    const all = await Promise.all(
      Array.from({ length: 20 }, () => test.client.startTurn({ text: 'burst' }, { idempotencyKey: 'k2' })),
    );
    expect(new Set(all.map(({ turnId }) => turnId)).size).toBe(1);
  });

  it('a session belongs to its agent: the agent may be left out, another one is refused', async () => {
    const { turnId } = await test.client.startTurn({ agent: 'scout', text: 'one', session: 's-agent' });
    await beginTurn(test.store, turnId);
    const next = await test.client.startTurn({ text: 'two', session: 's-agent' });
    expect((await test.client.getTurn(next.turnId)).agent).toBe('scout');
    await expect(test.client.startTurn({ agent: 'main', text: 'x', session: 's-agent' })).rejects.toMatchObject({
      code: 'session_of_another_agent',
    });
  });

  it('C12.3 a session queues 32 messages, the next is told to wait', async () => {
    const send = (n: number) =>
      test.store.turns.enqueue({
        turnId: `full-${n}`,
        agent: 'main',
        text: 'x',
        session: 's-full',
        origin: { surface: 'http', by: 'me' },
      });
    for (let n = 0; n < 32; n += 1) await send(n);
    await expect(test.client.startTurn({ text: 'one more', session: 's-full' })).rejects.toMatchObject({
      status: 429,
      code: 'queue_full',
    });
  });
});

describe('I4 POST /turns while Temporal is away', () => {
  it('is 201 all the same, and the turn is queued', async () => {
    const alone = await startTestGateway({ address: '127.0.0.1:1' });
    const { status, body } = await alone.call('POST', '/turns', { body: { text: 'later' } });
    expect(status).toBe(201);
    expect((await alone.client.getTurn(body.turnId)).status).toBe('queued');
    const state = await alone.client.status();
    expect(state.temporal.reachable).toBe(false);
    expect(state.temporal.why).not.toBe('');
    await alone.close();
  });
});

describe('I4 GET /turns', () => {
  it('filters by status, agent, session and text, and pages', async () => {
    const { turnId } = await test.client.startTurn({ text: 'a needle in hay', session: 's-list' });
    await beginTurn(test.store, turnId);
    await endTurn(test.store, turnId, 'completed', 'found');
    for (const query of [{ q: 'needle' }, { session: 's-list' }, { status: 'completed' as const, q: 'found' }]) {
      const { items } = await test.client.listTurns(query);
      expect(items.map((item) => item.turnId)).toEqual([turnId]);
    }
    expect((await test.client.listTurns({ status: 'open', session: 's-list' })).items).toEqual([]);
    const seen = new Set<string>();
    let cursor: string | undefined;
    let pages = 0;
    do {
      const page = await test.client.listTurns(cursor === undefined ? {} : { cursor });
      for (const item of page.items) seen.add(item.turnId);
      pages += 1;
      cursor = page.next;
    } while (cursor !== undefined && pages < 10);
    expect(seen.size).toBe((await test.client.status()).openTurns + 1);
  });

  it('shows how a turn ended', async () => {
    const { turnId } = await test.client.startTurn({ text: 'x' });
    await beginTurn(test.store, turnId);
    await endTurn(test.store, turnId, 'completed', 'the answer');
    const turn = await test.client.getTurn(turnId);
    expect(turn).toMatchObject({ status: 'completed', stopReason: 'answer', answer: 'the answer' });
    expect(Date.parse(turn.endedAt ?? '')).toBeGreaterThanOrEqual(Date.parse(turn.startedAt ?? ''));
  });
});

describe('C9.6 what the interface shows is scrubbed', () => {
  it('held values and patterns, in the turn, the transcript, a result and the events', async () => {
    const secrets = `${HELD_SECRET} and api_key=sk-abcdefghijklmnop`;
    const { turnId } = await test.client.startTurn({ text: `use ${secrets}` });
    await beginTurn(test.store, turnId);
    const result = { status: 'done', success: true, ref: '', size: 10, preview: '', durationMs: 3 } as const;
    const text = `out: ${secrets}`;
    const ref = await test.store.blobs.put(text);
    await test.store.results.record(turnId, [
      { callId: 'c1-0', step: 1, slot: 0, text, result: { ...result, ref }, events: [] },
    ]);
    await test.store.events.append(turnId, [
      { key: 'p', body: { type: 'tool_progress', callId: 'c1-0', slot: 0, text: secrets } },
    ]);
    await endTurn(test.store, turnId, 'completed', `it is ${secrets}`);
    const paths = ['', '/transcript', '/results/c1-0', '/events'];
    const answers = await Promise.all(paths.map((path) => test.call('GET', `/turns/${turnId}${path}`)));
    for (const { status, body } of answers) {
      expect(status).toBe(200);
      const shown = JSON.stringify(body);
      expect(shown).not.toContain(HELD_SECRET);
      expect(shown).not.toContain('abcdefghijklmnop');
      expect(shown).toContain('[REDACTED:k');
    }
  });
});
