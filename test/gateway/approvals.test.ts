// The inbox and its answers (C5.3, C5.5, I4): first valid one wins, repeats get the first outcome, nothing else passes.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CHOICES } from '../../core/question.ts';
import type { NewQuestion } from '../../store/api.ts';
import { createSealer } from '../../store/seals.ts';
import { temporalAddress } from '../support/engine.ts';
import { HELD_SECRET, startTestGateway, type TestGateway } from './support/gateway.ts';
import { until } from './support/until.ts';
import { askQuestion, endTurn, type StubWorker, startStubWorker } from './support/worker.ts';

let test: TestGateway;
let worker: StubWorker;
beforeAll(async () => {
  test = await startTestGateway({
    address: temporalAddress(),
    checkEdit: async (_, args) =>
      typeof args.command === 'string'
        ? { ok: true, canonical: JSON.stringify(args), argumentHash: 'e'.repeat(64) }
        : { ok: false, errors: ['command: must be a text'] },
  });
  worker = await startStubWorker({ address: temporalAddress(), taskQueue: test.taskQueue, store: test.store });
});
afterAll(async () => {
  await worker.stop();
  await test.close();
});

async function running(): Promise<string> {
  const { turnId } = await test.client.startTurn({ text: 'go' });
  await until(async () => (await test.client.getTurn(turnId)).status === 'running');
  return turnId;
}

async function asked(more: Partial<NewQuestion> = {}): Promise<NewQuestion> {
  return askQuestion(test.store, await running(), more);
}

const decide = (question: NewQuestion, body: unknown) =>
  test.call('POST', `/approvals/${question.approvalId}/decision`, { body });
const answer = (question: NewQuestion, more: Record<string, unknown> = {}) =>
  decide(question, { argumentHash: question.argumentHash, choice: 'approve', ...more });
const stateOf = async (question: NewQuestion) => (await test.client.approvals.get(question.approvalId)).state;

describe('I4 the inbox', () => {
  it('lists what waits, oldest first, with what an answer may say; decided ones apart', async () => {
    const turnId = await running();
    const first = await askQuestion(test.store, turnId);
    const second = await askQuestion(test.store, turnId, { kind: 'question', tool: 'ask_user' });
    const open = await test.client.approvals.list({ state: 'open', turn: turnId });
    expect(open.items.map((item) => item.approvalId)).toEqual([first.approvalId, second.approvalId]);
    expect(open.items[0]).toMatchObject({
      kind: 'tool',
      tool: 'shell',
      arguments: { command: 'ls' },
      argumentHash: first.argumentHash,
      risk: { level: 'medium', reasons: ['writes'] },
      path: ['main'],
      state: 'open',
      choices: CHOICES.tool,
    });
    await answer(first);
    const decided = await test.client.approvals.list({ state: 'decided', turn: turnId });
    expect(decided.items.map((item) => item.approvalId)).toEqual([first.approvalId]);
    expect(decided.items[0]?.decision).toMatchObject({ choice: 'approve', by: 'tester-admin', surface: 'http' });
  });

  it('shows arguments scrubbed, with the hash of the real ones', async () => {
    const question = await asked({
      arguments: JSON.stringify({ command: `curl -H "Authorization: Bearer ${HELD_SECRET}"` }),
    });
    const shown = await test.client.approvals.get(question.approvalId);
    expect(JSON.stringify(shown)).not.toContain(HELD_SECRET);
    expect(shown.argumentHash).toBe(question.argumentHash);
  });

  it('pages by 100', async () => {
    const turnId = await running();
    for (let n = 0; n < 101; n += 1) await askQuestion(test.store, turnId);
    const page = await test.client.approvals.list({ state: 'open', turn: turnId });
    expect(page.items).toHaveLength(100);
    const rest = await test.client.approvals.list({ state: 'open', turn: turnId, cursor: page.next ?? '' });
    expect(rest.items).toHaveLength(1);
    expect(rest.next).toBeUndefined();
  });
});

describe('C5.5 an answer', () => {
  it('is accepted, signed over all of it, and told to the turn', async () => {
    const question = await asked();
    const { status, body } = await answer(question, { decisionId: 'd-signed', note: 'fine\u0007 by me' });
    expect({ status, body }).toEqual({ status: 200, body: { state: 'accepted', decisionId: 'd-signed' } });
    expect(worker.heard.decisions).toContain('d-signed');
    const stored = await test.store.questions.decision('d-signed');
    expect(stored?.body).toMatchObject({
      approvalId: question.approvalId,
      turnId: question.turnId,
      callId: question.callId,
      argumentHash: question.argumentHash,
      policyHash: question.policyHash,
      choice: 'approve',
      by: 'tester-admin',
      surface: 'http',
    });
    expect(stored?.note).toBe('fine by me');
    expect(stored && createSealer(test.keys).verifyDecision(stored)).toBe(true);
  });

  it('B19 repeated with the same id gets the first outcome, also after the turn has ended; a contrary one is told who decided', async () => {
    const question = await asked();
    const first = await answer(question, { decisionId: 'd-repeat' });
    expect(await answer(question, { decisionId: 'd-repeat' })).toMatchObject({ status: 200, body: first.body });
    const contrary = await answer(question, { decisionId: 'd-contrary', choice: 'deny' });
    expect(contrary.status).toBe(409);
    expect(contrary.body).toMatchObject({ state: 'already_decided', by: 'tester-admin' });
    expect(contrary.body.error.code).toBe('already_decided');
    await endTurn(test.store, question.turnId, 'completed');
    expect(await answer(question, { decisionId: 'd-repeat' })).toMatchObject({ status: 200, body: first.body });
    expect(
      await test.client.approvals.decide(question.approvalId, { argumentHash: question.argumentHash, choice: 'deny' }),
    ).toMatchObject({
      state: 'already_decided',
      by: 'tester-admin',
    });
  });

  it('the same decisionId for something else is 409', async () => {
    const question = await asked();
    await answer(question, { decisionId: 'd-used' });
    const other = await answer(question, { decisionId: 'd-used', choice: 'deny' });
    expect(other).toMatchObject({ status: 409, body: { error: { code: 'decision_id_used' } } });
    const elsewhere = await answer(await asked(), { decisionId: 'd-used' });
    expect(elsewhere).toMatchObject({ status: 409, body: { error: { code: 'decision_id_used' } } });
    await expect(
      test.client.approvals.decide(question.approvalId, {
        argumentHash: question.argumentHash,
        choice: 'deny',
        decisionId: 'd-used',
      }),
    ).rejects.toMatchObject({ status: 409, code: 'decision_id_used' });
  });

  it('of twelve surfaces at once exactly one decides, the others learn who it was', async () => {
    const question = await asked();
    const all = await Promise.all(
      Array.from({ length: 12 }, (_, n) => answer(question, { choice: n % 2 === 0 ? 'approve' : 'deny' })),
    );
    expect(all.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(all.filter(({ status, body }) => status === 409 && body.by === 'tester-admin')).toHaveLength(11);
  });

  it('thirty questions of one turn answered at once are all taken', async () => {
    const turnId = await running();
    const questions = [];
    for (let n = 0; n < 30; n += 1) questions.push(await askQuestion(test.store, turnId));
    const all = await Promise.all(questions.map((question) => answer(question)));
    expect(new Set(all.map(({ status }) => status))).toEqual(new Set([200]));
  });

  it('after the time has run out, or once withdrawn: 410', async () => {
    const question = await asked();
    const {
      agent: _a,
      session: _s,
      state: _t,
      decision: _d,
      ...row
    } = (await test.store.questions.get(question.approvalId))!;
    await test.store.questions.settle({
      ...{
        question: row,
        to: { state: 'expired', by: 'timeout' },
        events: [],
        audit: {},
        at: Date.now(),
        answer: null,
      },
    });
    expect(await answer(question)).toMatchObject({
      status: 410,
      body: { state: 'expired', error: { code: 'expired' } },
    });
    const other = await asked();
    await endTurn(test.store, other.turnId, 'completed');
    expect(await answer(other)).toMatchObject({ status: 410, body: { state: 'withdrawn' } });
  });
});

describe('B14 only an explicit, well-typed answer counts', () => {
  it.each([null, '', 'yes', 1, {}, 'maybe', true, ['approve'], 'APPROVE', undefined])(
    'choice %j is refused and the question stays open',
    async (choice) => {
      const question = await asked();
      const { status, body } = await decide(question, { argumentHash: question.argumentHash, choice });
      expect(status).toBe(400);
      expect(body.error.message).toContain('choice');
      expect(await stateOf(question)).toBe('open');
    },
  );

  it.each([
    ['no argumentHash', { argumentHash: undefined }, 400],
    ['another argumentHash', { argumentHash: 'c'.repeat(64) }, 422],
    ['a choice of another kind', { choice: 'answer', text: 'x' }, 422],
    ['a misspelt field', { nota: 'x' }, 400],
    ['remember', { remember: { scope: 'turn' } }, 422],
    ['arguments without edit', { arguments: { command: 'x' } }, 422],
    ['text without replace', { text: 'x' }, 422],
    ['replace without text', { choice: 'replace' }, 422],
    ['replace with a text of control characters alone', { choice: 'replace', text: '\u0000\u0007' }, 422],
    ['edit without arguments', { choice: 'edit' }, 422],
    ['edit with arguments that are no object', { choice: 'edit', arguments: ['ls'] }, 400],
    ['edit with arguments that do not fit', { choice: 'edit', arguments: { command: 7 } }, 422],
    ['a note over 4 KiB', { note: 'x'.repeat(4_097) }, 422],
    ['a decisionId that is none', { decisionId: 'a b' }, 400],
  ])('%s is refused and the question stays open', async (_, more, expected) => {
    const question = await asked();
    const { status, body } = await answer(question, more);
    expect(status).toBe(expected);
    expect(body.error.hint).not.toBe('');
    expect(await stateOf(question)).toBe('open');
  });

  it('each fault of an edit is named', async () => {
    const { body } = await answer(await asked(), { choice: 'edit', arguments: { command: 7 } });
    expect(body.error).toMatchObject({
      code: 'invalid_edit',
      message: expect.stringContaining('command: must be a text'),
    });
  });
});

describe('C5.3 edit and replace', () => {
  it('an edit is signed with the hash of the new arguments, the old hash beside it', async () => {
    const question = await asked();
    const { status } = await answer(question, {
      choice: 'edit',
      arguments: { command: 'ls -l' },
      decisionId: 'd-edit',
    });
    expect(status).toBe(200);
    const stored = await test.store.questions.decision('d-edit');
    expect(stored?.newArguments).toBe('{"command":"ls -l"}');
    expect(stored?.body).toMatchObject({ argumentHash: question.argumentHash, newArgumentHash: 'e'.repeat(64) });
  });

  it('a placeholder left at its place means the original value, any other is refused', async () => {
    const original = { command: 'run', env: `api_key=sk-abcdefghijklmnop\nmode=slow` };
    const question = await asked({ arguments: JSON.stringify(original) });
    const { arguments: shown } = await test.client.approvals.get(question.approvalId);
    const env = (shown as { env: string }).env;
    expect(env).toContain('[REDACTED:k');
    const moved = await answer(question, { choice: 'edit', arguments: { command: env, env: 'x' } });
    expect(moved).toMatchObject({ status: 422, body: { error: { code: 'invalid_edit' } } });
    const invented = await answer(question, {
      choice: 'edit',
      arguments: { command: 'run', env: 'api_key=[REDACTED:k99]' },
    });
    expect(invented.status).toBe(422);
    const kept = { command: 'run -v', env: env.replace('slow', 'fast') };
    expect((await answer(question, { choice: 'edit', arguments: kept, decisionId: 'd-placeholder' })).status).toBe(200);
    const stored = await test.store.questions.decision('d-placeholder');
    expect(JSON.parse(stored?.newArguments ?? '')).toEqual({
      command: 'run -v',
      env: original.env.replace('slow', 'fast'),
    });
  });

  it('a replacement loses control characters and is cut at 65,536 bytes on a character boundary', async () => {
    const question = await asked();
    const text = `a\u0000\u001b[31m\r\n\tb${'ü'.repeat(40_000)}`;
    await answer(question, { choice: 'replace', text, decisionId: 'd-replace' });
    const stored = (await test.store.questions.decision('d-replace'))?.text ?? '';
    expect(stored.startsWith('a[31m\r\n\tbü')).toBe(true);
    expect(Buffer.byteLength(stored)).toBeLessThanOrEqual(65_536);
    expect(Buffer.byteLength(stored)).toBeGreaterThan(65_533);
    expect(stored).not.toContain('\ufffd');
  });

  it('C5.11 a question is answered with text', async () => {
    const question = await asked({ kind: 'question', tool: 'ask_user' });
    expect((await answer(question, { choice: 'approve' })).status).toBe(422);
    expect((await answer(question, { choice: 'answer', text: 'blue' })).status).toBe(200);
  });
});

describe('I4 with no worker up', () => {
  it('the answer is 202 queued, and taken when a worker comes', async () => {
    const alone = await startTestGateway({ address: temporalAddress() });
    const options = { address: temporalAddress(), taskQueue: alone.taskQueue, store: alone.store };
    const first = await startStubWorker(options);
    const { turnId } = await alone.client.startTurn({ text: 'go' });
    await until(async () => (await alone.client.getTurn(turnId)).status === 'running');
    const question = await askQuestion(alone.store, turnId);
    await first.stop();
    const path = `/approvals/${question.approvalId}/decision`;
    const body = { argumentHash: question.argumentHash, choice: 'deny', decisionId: 'd-later' };
    expect(await alone.call('POST', path, { body })).toMatchObject({ status: 202, body: { state: 'queued' } });
    const second = await startStubWorker(options);
    await until(async () => (await alone.client.approvals.get(question.approvalId)).state === 'decided');
    expect(await alone.call('POST', path, { body })).toMatchObject({ status: 200, body: { state: 'accepted' } });
    await second.stop();
    await alone.close();
  });
});
