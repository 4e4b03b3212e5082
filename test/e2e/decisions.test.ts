// Answers of an operator, one by one: what each makes of the call, and what it does not.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { argumentHashText } from '../../core/argument-hash.ts';
import type { QuestionRow } from '../../store/api.ts';
import { textRefOf } from '../../store/seals.ts';
import { decisionOn } from './support/decision.ts';
import { type Engine, expectSound, startEngine } from './support/engine.ts';
import { call, type Said, scriptOf } from './support/script.ts';

/** One call of `act`, then the result read back. */
const asked = (name: string): Said[] => [{ calls: [call('act', { name })] }, { say: 'The tool said: {{last_result}}' }];

const scenarios: Record<string, Said[]> = {
  ...Object.fromEntries(
    ['approve', 'deny', 'edit', 'bad-edit', 'replace', 'repeat', 'hash', 'race', 'other', 'garbage'].map((name) => [
      name,
      asked(name),
    ]),
  ),
  'edit-blocked': [
    { calls: [call('risky', { name: 'edit-blocked', level: 'medium' })] },
    { say: 'The tool said: {{last_result}}' },
  ],
  answer: [{ calls: [call('ask_user', { question: 'Which colour?' })] }, { say: 'You like {{last_result}}' }],
  again: [
    { calls: [call('act', { name: 'again' })] },
    { calls: [call('act', { name: 'again' })] },
    { say: 'The tool said: {{last_result}}' },
  ],
  insists: Array.from({ length: 5 }, () => ({ calls: [call('act', { name: 'insists' })] })),
  always: asked('always'),
  reader: asked('reader'),
};

let engine: Engine;
beforeAll(async () => {
  engine = await startEngine({
    script: scriptOf(scenarios),
    agent: `    policy: {}
  full:
    model: play/small
    workspace: ./workspace
    policy: { autonomy: full, always_ask: [act] }
  reader:
    model: play/small
    workspace: ./workspace
    policy: { autonomy: readonly }`,
  });
});
afterAll(() => engine.close());

async function ask(text: string, agent = 'main'): Promise<{ turnId: string; question: QuestionRow }> {
  const turnId = await engine.start(text, { agent });
  return { turnId, question: await engine.question(turnId) };
}

async function ended(turnId: string) {
  const row = await engine.ended(turnId);
  await expectSound(engine, turnId);
  return row;
}

const auditOf = async (approvalId: string) =>
  (await engine.store.audit.list(0, 1_000)).filter(({ body }) => body.approvalId === approvalId);

it('C5.3 approve runs the call that was shown, once', async () => {
  const { turnId, question } = await ask('approve');
  expect(question).toMatchObject({
    kind: 'tool',
    tool: 'act',
    state: 'open',
    summary: expect.stringContaining('approve'),
  });
  expect((await engine.turn(turnId)).status).toBe('waiting_approval');
  expect(await engine.runs('approve')).toBe(0);
  expect(await engine.decide(question, 'approve')).toBe('accepted');
  expect(await ended(turnId)).toMatchObject({ status: 'completed', answer: 'The tool said: ran approve' });
  expect(await engine.runs('approve')).toBe(1);
  expect((await auditOf(question.approvalId)).map(({ kind }) => kind)).toEqual(['question_opened', 'decision']);
});

it('C5.4 a denial is worded as a person’s, is final, and its note reaches the model', async () => {
  const { turnId, question } = await ask('deny');
  expect(await engine.decide(question, 'deny', { note: 'wrong account, use 7' })).toBe('accepted');
  const { answer } = await ended(turnId);
  expect(answer).toContain('operator denied');
  expect(answer).toContain('final for this turn');
  expect(answer).toContain('wrong account, use 7');
  expect(await engine.runs('deny')).toBe(0);
  expect(await engine.slots(turnId)).toMatchObject([{ status: 'denied' }]);
  expect((await engine.events(turnId)).find(({ type }) => type === 'approval_resolved')).toMatchObject({
    state: 'decided',
    choice: 'deny',
    by: 'tester',
    note: 'wrong account, use 7',
  });
});

it('C5.3 edit runs the new bytes and keeps both versions', async () => {
  const { turnId, question } = await ask('edit');
  expect(await engine.decide(question, 'edit', { arguments: { name: 'edited' } })).toBe('accepted');
  expect(await ended(turnId)).toMatchObject({ status: 'completed', answer: 'The tool said: ran edited' });
  expect([await engine.runs('edit'), await engine.runs('edited')]).toEqual([0, 1]);
  // What was asked and what was decided stand beside each other; the model's own words stay in the transcript.
  expect(JSON.parse((await engine.store.questions.get(question.approvalId))?.arguments ?? '')).toEqual({
    name: 'edit',
  });
  expect((await engine.store.transcript.call(turnId, 'c1-0'))?.arguments).toContain('edited');
  const said = (await engine.entries(turnId)).find((entry) => entry.kind === 'assistant');
  expect(JSON.stringify(said)).toContain('\\"edit\\"');
});

it('C5.3 an edit that the schema refuses leaves the question open', async () => {
  const { turnId, question } = await ask('bad-edit');
  expect(await engine.decide(question, 'edit', { arguments: { name: '' } })).toBe('invalid_edit');
  // The engine judges it again: here it comes signed, past the gateway's look.
  const decisionId = randomUUID();
  const body = decisionOn(question, { decisionId, choice: 'edit', newArgumentHash: question.argumentHash });
  await engine.store.questions.putDecision(engine.gateway.sign(body, { newArguments: '{"name":""}' }));
  const fate = await engine.desk.sendDecision(turnId, { approvalId: question.approvalId, decisionId });
  expect(fate).toMatchObject({ kind: 'answered', answer: { state: 'invalid' } });
  expect((await engine.question(turnId)).state).toBe('open');
  expect((await auditOf(question.approvalId)).map(({ kind }) => kind)).toContain('decision_discarded');
  expect(await engine.decide(question, 'approve')).toBe('accepted');
  await ended(turnId);
  expect(await engine.runs('bad-edit')).toBe(1);
});

it('C5.3 an edit that policy blocks does not run', async () => {
  const { turnId, question } = await ask('edit-blocked');
  const args = { name: 'edit-blocked', level: 'high' };
  expect(await engine.decide(question, 'edit', { arguments: args })).toBe('invalid_edit');
  const newArgumentHash = textRefOf(argumentHashText('risky', args));
  const decisionId = randomUUID();
  const body = decisionOn(question, { decisionId, choice: 'edit', newArgumentHash });
  await engine.store.questions.putDecision(engine.gateway.sign(body, { newArguments: JSON.stringify(args) }));
  await engine.desk.sendDecision(turnId, { approvalId: question.approvalId, decisionId });
  const { answer } = await ended(turnId);
  expect(answer).toContain('Blocked by policy');
  expect(await engine.runs('edit-blocked')).toBe(0);
});

it('C5.3 replace gives the text as the result and runs nothing', async () => {
  const { turnId, question } = await ask('replace');
  expect(await engine.decide(question, 'replace', { text: 'done by hand\u0007' })).toBe('accepted');
  expect(await ended(turnId)).toMatchObject({ answer: 'The tool said: done by hand' });
  expect(await engine.runs('replace')).toBe(0);
  expect(await engine.slots(turnId)).toMatchObject([{ status: 'replaced', result: { success: true } }]);
});

it('C5.11 ask_user is answered with text, which is the result', async () => {
  const { turnId, question } = await ask('answer');
  expect(question.kind).toBe('question');
  expect((await engine.turn(turnId)).status).toBe('waiting_user');
  expect(await engine.decide(question, 'approve')).toBe('choice_not_offered');
  expect(await engine.decide(question, 'answer', { text: 'green' })).toBe('accepted');
  expect(await ended(turnId)).toMatchObject({ status: 'completed', answer: 'You like green' });
});

it('C5.5 B19 a repeat with the same id gets the first outcome, also after the end; another answer is too late', async () => {
  const { turnId, question } = await ask('repeat');
  const decisionId = randomUUID();
  expect(await engine.decide(question, 'approve', { decisionId })).toBe('accepted');
  expect(await engine.decide(question, 'approve', { decisionId })).toBe('accepted');
  await ended(turnId);
  expect(await engine.decide(question, 'approve', { decisionId })).toBe('accepted');
  expect(await engine.decide(question, 'deny', { decisionId })).toBe('decision_id_used');
  expect(await engine.decide(question, 'deny')).toBe('already_decided');
  expect(await engine.runs('repeat')).toBe(1);
});

it('C5.5 a decision for other arguments is refused, and the question stays open', async () => {
  const { turnId, question } = await ask('hash');
  const argumentHash = 'f'.repeat(64);
  expect(await engine.decide(question, 'approve', { argumentHash })).toBe('argument_hash_mismatch');
  // Signed by the deployment, but over other bytes.
  const decisionId = randomUUID();
  const signed = engine.gateway.sign({ ...decisionOn(question, { decisionId, choice: 'approve' }), argumentHash }, {});
  await engine.store.questions.putDecision(signed);
  const fate = await engine.desk.sendDecision(turnId, { approvalId: question.approvalId, decisionId });
  expect(fate).toMatchObject({ kind: 'answered', answer: { state: 'invalid' } });
  expect(await engine.runs('hash')).toBe(0);
  expect((await engine.question(turnId)).state).toBe('open');
  expect(await engine.decide(question, 'deny')).toBe('accepted');
  await ended(turnId);
});

it('C5.5 a decision for another question decides nothing here', async () => {
  const other = await ask('other');
  const { turnId, question } = await ask('other');
  const decisionId = randomUUID();
  const signed = engine.gateway.sign(decisionOn(other.question, { decisionId, choice: 'approve' }), {});
  await engine.store.questions.putDecision(signed);
  const fate = await engine.desk.sendDecision(turnId, { approvalId: question.approvalId, decisionId });
  expect(fate).toMatchObject({ kind: 'answered', answer: { state: 'invalid' } });
  expect(await engine.runs('other')).toBe(0);
  for (const each of [other, { turnId, question }]) {
    expect(await engine.decide(each.question, 'deny')).toBe('accepted');
    await ended(each.turnId);
  }
});

it('C5.7 of two surfaces that answer at once exactly one decides, and the other is told who', async () => {
  const { turnId, question } = await ask('race');
  const answers = await Promise.all([
    engine.decide(question, 'approve'),
    engine.decide(question, 'deny'),
    engine.decide(question, 'replace', { text: 'by hand' }),
  ]);
  expect(answers.sort()).toEqual(['accepted', 'already_decided', 'already_decided']);
  await ended(turnId);
  const kept = await engine.store.questions.get(question.approvalId);
  expect(await engine.runs('race')).toBe(kept?.decision?.choice === 'approve' ? 1 : 0);
  const audit = (await auditOf(question.approvalId)).map(({ kind }) => kind);
  expect(audit.filter((kind) => kind === 'decision')).toHaveLength(1);
  expect((await engine.events(turnId)).filter(({ type }) => type === 'approval_resolved')).toHaveLength(1);
});

it('C5.5 B14 a signal of any other shape approves nothing and harms nothing', async () => {
  const { turnId, question } = await ask('garbage');
  const handle = engine.handle(turnId);
  const { approvalId } = question;
  const shapes = [null, '', 'yes', 1, {}, 'maybe', [], true, { approvalId }, { approvalId, decisionId: null }];
  const more = [
    { approvalId, decisionId: '' },
    { approvalId, decisionId: 'x'.repeat(500) },
    { approvalId, choice: 'approve' },
  ];
  for (const shape of [...shapes, ...more]) await handle.signal('decide', shape);
  for (const name of ['decide', 'steer', 'cancel', 'control']) if (name !== 'cancel') await handle.signal(name);
  await expect(handle.executeUpdate('decideApproval', { args: [null] })).rejects.toThrow();
  expect(await handle.query('turnState')).toMatchObject({ status: 'waiting_approval', questions: [approvalId] });
  expect(await engine.runs('garbage')).toBe(0);
  expect(await engine.decide(question, 'approve')).toBe('accepted');
  expect(await ended(turnId)).toMatchObject({ status: 'completed' });
  expect(await engine.runs('garbage')).toBe(1);
});

it('C4.5 B22 a denied call is not put to a person twice; insisting ends the turn', async () => {
  const again = await ask('again');
  await engine.decide(again.question, 'deny', { note: 'not now' });
  expect(await ended(again.turnId)).toMatchObject({ status: 'completed' });
  expect(await engine.slots(again.turnId)).toMatchObject([{ status: 'denied' }, { status: 'denied' }]);
  const insists = await ask('insists');
  await engine.decide(insists.question, 'deny');
  expect(await ended(insists.turnId)).toMatchObject({ status: 'failed', stopReason: 'repeated_prompt' });
  for (const { turnId } of [again, insists]) {
    const events = await engine.events(turnId);
    expect(events.filter(({ type }) => type === 'approval_requested')).toHaveLength(1);
  }
  expect([await engine.runs('again'), await engine.runs('insists')]).toEqual([0, 0]);
});

it('C5.2 always_ask asks at full autonomy too', async () => {
  const { turnId, question } = await ask('always', 'full');
  expect(await engine.runs('always')).toBe(0);
  expect(await engine.decide(question, 'approve')).toBe('accepted');
  expect(await ended(turnId)).toMatchObject({ status: 'completed', answer: 'The tool said: ran always' });
});

it('C5.1 a readonly agent is not asked about effects: they are blocked', async () => {
  const turnId = await engine.start('reader', { agent: 'reader' });
  const { answer } = await ended(turnId);
  expect(answer).toContain('Blocked by policy');
  expect(await engine.slots(turnId)).toMatchObject([{ status: 'blocked' }]);
  expect((await engine.events(turnId)).some(({ type }) => type === 'approval_requested')).toBe(false);
  expect(await engine.runs('reader')).toBe(0);
});
