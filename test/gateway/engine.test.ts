// The interface on the real engine: a turn from the first message to the answer, as a program sees it.
import { afterEach, expect, it } from 'vitest';
import { startGatewayRole } from '../../cli/roles/gateway-role.ts';
import { createClient, type EverturnClient } from '../../client/client.ts';
import { loadSecrets } from '../../config/secrets.ts';
import { assembleText, type TurnEvent } from '../../core/events.ts';
import type { Gateway } from '../../gateway/main.ts';
import { type Stack, type StackOptions, startStack } from '../support/stack.ts';
import { until } from './support/until.ts';

let stack: Stack;
let gateway: Gateway;
let client: EverturnClient;
afterEach(async () => {
  await gateway.close();
  await stack.close();
});

async function stage(options: StackOptions): Promise<void> {
  stack = await startStack({ ...options, config: `session: { on_busy: queue }\n${options.config ?? ''}` });
  const { config, loaded, store, keys, temporal } = stack;
  const secrets = await loadSecrets(config);
  const ground = { store, keys, secrets, held: [], warnings: [] };
  const listen = { host: '127.0.0.1', port: 0 };
  gateway = await startGatewayRole({ loaded, ground, temporal, listen, log: () => undefined });
  const { token } = await store.tokens.create({ name: 'ann', scopes: ['operate', 'approve', 'admin'], at: Date.now() });
  client = createClient({ url: gateway.url, token });
}

async function watch(turnId: string): Promise<TurnEvent[]> {
  const seen: TurnEvent[] = [];
  for await (const event of client.events(turnId)) seen.push(event);
  return seen;
}

const question = (turnId: string) =>
  until(async () => (await client.approvals.list({ turn: turnId, state: 'open' })).items[0]);

const WRITE = `
responses:
  - say: ["I will ", "write it."]
    calls: [{ name: file_write, arguments: { path: a.txt, content: first } }]
  - say: ["Done: ", "{{last_result}}"]
`;

it('C5.3 start, watch, approve: what a reader assembled is the transcript', async () => {
  await stage({ script: WRITE });
  const { turnId } = await client.startTurn({ text: 'write' }, { idempotencyKey: 'one' });
  const watching = watch(turnId);
  const asked = await question(turnId);
  expect(asked).toMatchObject({ tool: 'file_write', arguments: { path: 'a.txt', content: 'first' }, state: 'open' });
  expect(await client.getTurn(turnId)).toMatchObject({
    status: 'waiting_approval',
    slots: [{ status: 'waiting_approval' }],
  });
  const decision = { argumentHash: asked.argumentHash, choice: 'approve', decisionId: 'd1' };
  expect(await client.approvals.decide(asked.approvalId, decision)).toEqual({ state: 'accepted', decisionId: 'd1' });
  const events = await watching;
  expect(events.map((event) => event.number)).toEqual(events.map((_, i) => i + 1));
  const turn = await client.getTurn(turnId);
  expect(turn).toMatchObject({ status: 'completed', stopReason: 'answer', slots: [{ status: 'done', success: true }] });
  const { messages } = await client.transcript(turnId);
  expect(messages.map((message) => message.role)).toEqual(['user', 'assistant', 'tool', 'assistant']);
  const spoken = messages.filter((message) => message.role === 'assistant').map((message) => message.text);
  expect([...assembleText(events).values()]).toEqual(spoken);
  expect(turn.answer).toBe(spoken.at(-1));
  expect((await client.result(turnId, asked.callId)).success).toBe(true);
  expect(await client.approvals.decide(asked.approvalId, decision)).toMatchObject({ state: 'accepted' });
  expect(await stack.file('a.txt')).toBe('first');
});

it('C5.3 an edit runs the new arguments, one that does not fit is refused at once', async () => {
  await stage({ script: WRITE });
  const { turnId } = await client.startTurn({ text: 'write' });
  const asked = await question(turnId);
  const edit = { argumentHash: asked.argumentHash, choice: 'edit' };
  const wrong = client.approvals.decide(asked.approvalId, { ...edit, arguments: { path: 7 } });
  await expect(wrong).rejects.toMatchObject({ status: 422, code: 'invalid_edit' });
  const outside = client.approvals.decide(asked.approvalId, {
    ...edit,
    arguments: { path: '/etc/passwd', content: 'x' },
  });
  await expect(outside).rejects.toMatchObject({ status: 422, code: 'invalid_edit' });
  await client.approvals.decide(asked.approvalId, { ...edit, arguments: { path: 'b.txt', content: 'second' } });
  await watch(turnId);
  expect(await stack.file('b.txt')).toBe('second');
  await expect(stack.file('a.txt')).rejects.toThrow();
});

it('C5.3 a note of a refusal reaches the model, in the words of a person', async () => {
  await stage({ script: WRITE });
  const { turnId } = await client.startTurn({ text: 'write' });
  const asked = await question(turnId);
  await client.approvals.decide(asked.approvalId, {
    argumentHash: asked.argumentHash,
    choice: 'deny',
    note: 'not here',
  });
  const events = await watch(turnId);
  expect(events.find((event) => event.type === 'approval_resolved')).toMatchObject({ choice: 'deny', by: 'ann' });
  expect((await client.getTurn(turnId)).answer).toContain('not here');
});

it('C12.3 messages of a session run one at a time, in order, and share the transcript', async () => {
  const say = (n: number) => `  - { when: { last_user: "m${n}" }, say: "heard m${n} after {{assistants}}" }\n`;
  await stage({ script: `responses:\n${say(1)}${say(2)}${say(3)}` });
  const started = [];
  for (const n of [1, 2, 3]) started.push(await client.startTurn({ text: `m${n}`, session: 'talk' }));
  await Promise.all(started.map(({ turnId }) => watch(turnId)));
  const turns = await Promise.all(started.map(({ turnId }) => client.getTurn(turnId)));
  expect(turns.map((turn) => turn.answer)).toEqual(['heard m1 after 0', 'heard m2 after 1', 'heard m3 after 2']);
  expect((await client.listTurns({ session: 'talk' })).items).toHaveLength(3);
});

it('C8.3 steering is read before the next step; C8.4 cancel while waiting withdraws the question', async () => {
  await stage({
    script: `
responses:
  - { when: { last_user: "left" }, say: "going left", calls: [{ name: file_write, arguments: { path: c.txt, content: x } }] }
  - { calls: [{ name: file_write, arguments: { path: a.txt, content: x } }] }
`,
  });
  const { turnId } = await client.startTurn({ text: 'go' });
  const first = await question(turnId);
  expect(await client.steer(turnId, { text: 'left', id: 's1' })).toEqual({ id: 's1', state: 'accepted' });
  await client.approvals.decide(first.approvalId, { argumentHash: first.argumentHash, choice: 'deny' });
  const second = await question(turnId);
  expect(second.arguments).toMatchObject({ path: 'c.txt' });
  expect(await client.cancel(turnId, 'enough')).toEqual({ state: 'cancelling' });
  const events = await watch(turnId);
  expect(events.at(-1)).toMatchObject({ type: 'turn_ended', status: 'cancelled' });
  expect(events.filter((event) => event.type === 'steering')).toMatchObject([
    { id: 's1', state: 'taken', text: 'left' },
  ]);
  const late = client.approvals.decide(second.approvalId, { argumentHash: second.argumentHash, choice: 'approve' });
  await expect(late).rejects.toMatchObject({ status: 410, code: 'withdrawn' });
});

it('C8.10 a pause holds the next step until resume', async () => {
  await stage({ script: WRITE });
  await client.pause('lunch');
  const { turnId } = await client.startTurn({ text: 'write' });
  await until(async () => (await client.getTurn(turnId)).status === 'paused');
  expect((await client.approvals.list({ turn: turnId })).items).toEqual([]);
  await client.resume();
  const asked = await question(turnId);
  await client.approvals.decide(asked.approvalId, {
    argumentHash: asked.argumentHash,
    choice: 'replace',
    text: 'as if',
  });
  await watch(turnId);
  expect((await client.getTurn(turnId)).answer).toBe('Done: as if');
});
