// A worker killed at each place of a turn (C6.2, C6.6, C13.5): the turn completes, nothing is lost, nothing is done twice.
import { readdirSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { assembleText } from '../../core/events.ts';
import { outgoingMessages } from '../../core/outgoing.ts';
import { assertSendable } from '../../core/sendable.ts';
import { approve, recover, startWorkerProcess, type WorkerProcess } from '../support/crash-stage.ts';
import type { CrashPlan } from '../support/crash-worker.ts';
import { type Stack, startStack } from '../support/stack.ts';
import { until } from '../support/until.ts';

let stack: Stack;
let workers: WorkerProcess[] = [];
afterEach(async () => {
  for (const worker of workers) worker.process.kill('SIGKILL');
  await Promise.all(workers.map(({ exited }) => exited));
  workers = [];
  await stack.close();
});

/** `mark` notes outside that it ran, then waits as long as it is told unless a file lets it go. */
const TOOLS = `
import { appendFileSync, existsSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
const tool = (name, effect) => ({
  name, effect, description: 'Leaves a mark outside.', provenance: 'extension', executor: 'activity', timeoutMs: 60000,
  parameters: { type: 'object', properties: { name: { type: 'string' }, hold: { type: 'boolean' } }, required: ['name'] },
  assess: () => ({ effect, risk: { level: 'low', reasons: [] }, assessed: true }),
  execute: async ({ name: mark, hold }, { workspace, signal }) => {
    appendFileSync(workspace + '/marks.txt', mark + '\\n');
    while (hold && !signal.aborted && !existsSync(workspace + '/go')) await pause(20);
    return { success: true, output: 'marked ' + mark };
  },
});
export default [tool('mark_once', 'once'), tool('mark_again', 'idempotent'), tool('look', 'none')];
`;

const ONE_CALL = (tool: string, hold = false): string => `
responses:
  - say: ["Let me ", "mark it."]
    delay_ms: 60
    calls: [{ name: ${tool}, arguments: { name: a, hold: ${hold} } }]
  - say: ["It said: ", "{{last_result}}"]
`;

async function stage(script: string, agent = ''): Promise<void> {
  stack = await startStack({ script, agent, tools: TOOLS, idle: true });
}

async function worker(crash?: CrashPlan): Promise<WorkerProcess> {
  const started = await startWorkerProcess(stack, crash);
  workers.push(started);
  return started;
}

/** Plays a turn whose worker dies at the given place, and goes on with another one. */
async function playWithCrash(crash: CrashPlan): Promise<string> {
  const first = await worker(crash);
  const turnId = await stack.start('Go');
  await first.exited;
  await worker();
  await recover(stack, first);
  return turnId;
}

const marks = async (): Promise<string[]> =>
  (await stack.file('marks.txt').catch(() => '')).split('\n').filter(Boolean);

/** What holds after every crash, whatever happened. */
async function expectSound(turnId: string): Promise<void> {
  const events = await stack.events(turnId);
  expect(events.map(({ number }) => number)).toEqual(events.map((_, index) => index + 1));
  const { entries } = await stack.store.transcript.ofTurn(turnId);
  expect(assertSendable(outgoingMessages(entries))).toEqual([]);
  const spoken = entries.flatMap((entry) =>
    entry.kind === 'assistant' && entry.text !== '' ? [[entry.step, entry.text] as const] : [],
  );
  expect([...assembleText(events)]).toEqual(spoken);
  const steps = entries.flatMap((entry) => (entry.kind === 'assistant' ? [entry.step] : []));
  expect(new Set(steps).size).toBe(steps.length);
  for (const type of ['tool_call', 'tool_result'] as const) {
    const ids = events.flatMap((event) => (event.type === type ? [event.callId] : []));
    expect(new Set(ids).size).toBe(ids.length);
  }
  expect(await stack.store.ledger.openAttempts({ turnId })).toEqual([]);
}

describe('C6.6 the worker is killed, the turn goes on', () => {
  it.each<[string, CrashPlan, string]>([
    ['during the provider stream', { at: 'events.append', when: 'after', holding: 'text_delta' }, 'mark_once'],
    ['before the reply is stored', { at: 'transcript.closeStep', when: 'before' }, 'mark_once'],
    ['after the reply was stored, before Temporal heard', { at: 'transcript.closeStep', when: 'after' }, 'mark_once'],
    ['before a tool starts', { at: 'ledger.begin', when: 'before' }, 'mark_once'],
    ['between iterations, before the next request', { at: 'transcript.openStep', when: 'before', nth: 2 }, 'mark_once'],
    [
      'between iterations, after the round was appended',
      { at: 'transcript.openStep', when: 'after', nth: 2 },
      'mark_once',
    ],
    ['after the outcome, before Temporal heard', { at: 'ledger.outcome', when: 'after' }, 'mark_once'],
    ['before the final save', { at: 'turns.end', when: 'before' }, 'mark_once'],
    ['after the final save, before Temporal heard', { at: 'turns.end', when: 'after' }, 'mark_once'],
    ['while a repeatable tool runs', { at: 'ledger.outcome', when: 'before' }, 'mark_again'],
    ['while it begins the turn', { at: 'turns.begin', when: 'after' }, 'mark_once'],
  ])('%s', async (_, crash, tool) => {
    await stage(ONE_CALL(tool));
    const turnId = await playWithCrash(crash);
    expect(await stack.ended(turnId)).toMatchObject({ status: 'completed', answer: 'It said: marked a' });
    expect(await marks()).toEqual(tool === 'mark_once' ? ['a'] : ['a', 'a']);
    await expectSound(turnId);
  });
});

describe('C6.2 outcome unknown is told apart from failed and done', () => {
  it.each<[string, CrashPlan, string[]]>([
    ['after the effect, before its outcome', { at: 'ledger.outcome', when: 'before' }, ['a']],
    ['after the intent, before the effect', { at: 'ledger.begin', when: 'after' }, []],
  ])('%s: never run again, and said so', async (_, crash, ran) => {
    await stage(ONE_CALL('mark_once'));
    const turnId = await playWithCrash(crash);
    const row = await stack.ended(turnId);
    expect(row.status).toBe('completed');
    expect(row.answer).toContain('outcome of this call is unknown');
    expect(await marks()).toEqual(ran);
    expect((await stack.store.turns.slots(turnId)).map(({ status }) => status)).toEqual(['unknown']);
    await expectSound(turnId);
  });

  it('one reply a step: a stored reply is used, the model is not asked again', async () => {
    await stage('responses: [{ calls: [{ name: look, arguments: { name: a } }] }, { say: first }, { say: second }]');
    const turnId = await playWithCrash({ at: 'transcript.closeStep', when: 'after', nth: 2 });
    expect(await stack.ended(turnId)).toMatchObject({ answer: 'first' });
    await expectSound(turnId);
  });
});

it('C6.6 killed while a command runs: its whole group is dead before the call is resolved', async () => {
  const marker = `600.${process.pid}${Date.now() % 100_000}`;
  await stage(
    `responses: [{ calls: [{ name: shell, arguments: { command: "sleep ${marker} && echo x > out.txt" } }] }, { say: "{{last_result}}" }]`,
    '    policy: { auto_approve: [shell] }',
  );
  const first = await worker();
  const turnId = await stack.start('Go');
  await until(
    () => running(marker),
    (pids) => pids.length > 0,
    'the command to run',
  );
  first.process.kill('SIGKILL');
  await first.exited;
  await worker();
  await recover(stack, first);
  const row = await stack.ended(turnId);
  expect(row.answer).toContain('unknown');
  expect(running(marker)).toEqual([]);
});

it('C6.5 killed among parallel tools: finished ones keep their result, the others are told apart', async () => {
  await stage(`
responses:
  - calls:
      - { name: look, arguments: { name: quick } }
      - { name: mark_once, arguments: { name: slow, hold: true } }
      - { name: look, arguments: { name: idle, hold: true } }
  - say: done
`);
  const first = await worker();
  const turnId = await stack.start('Go');
  await until(
    () => stack.store.turns.slots(turnId),
    (slots) => slots[0]?.status === 'done' && slots.length === 3,
    'the quick one',
  );
  await until(marks, (seen) => seen.length === 3, 'all three to run');
  first.process.kill('SIGKILL');
  await first.exited;
  await writeFile(`${stack.workspace}/go`, '');
  await worker();
  await recover(stack, first);
  await stack.ended(turnId);
  expect((await stack.store.turns.slots(turnId)).map(({ status }) => status)).toEqual(['done', 'unknown', 'done']);
  expect((await marks()).sort()).toEqual(['idle', 'idle', 'quick', 'slow']);
  await expectSound(turnId);
});

it('C6.2 a stalled worker that comes back after its attempt was given up is fenced out', async () => {
  await stage(ONE_CALL('mark_once', true));
  const first = await worker();
  const turnId = await stack.start('Go');
  await until(marks, (seen) => seen.length === 1, 'the tool to run');
  first.process.kill('SIGSTOP');
  await worker();
  await recover(stack, first);
  await until(
    () => stack.store.turns.slots(turnId),
    (slots) => slots[0]?.status === 'unknown',
    'the call to be given up',
  );
  first.process.kill('SIGCONT');
  await writeFile(`${stack.workspace}/go`, '');
  const row = await stack.ended(turnId);
  expect(row.answer).toContain('unknown');
  expect(await marks()).toEqual(['a']);
  expect((await stack.store.turns.slots(turnId)).map(({ status }) => status)).toEqual(['unknown']);
  await expectSound(turnId);
});

it('C5.5 killed while a call waits for approval: the question outlives it, the approval runs it once', async () => {
  await stage(ONE_CALL('mark_once'), '    policy: { always_ask: [mark_once] }');
  const first = await worker();
  const turnId = await stack.start('Go');
  const { items } = await until(
    () => stack.store.questions.list({ turnId }),
    (page) => page.items.length === 1,
    'the question',
  );
  first.process.kill('SIGKILL');
  await first.exited;
  expect(await approve(stack, items[0]?.approvalId as string)).toMatchObject({ kind: 'queued' });
  await worker();
  await recover(stack, first);
  expect(await stack.ended(turnId)).toMatchObject({ status: 'completed', answer: 'It said: marked a' });
  expect(await marks()).toEqual(['a']);
  await expectSound(turnId);
});

/** Processes whose command line holds the marker; our own are not among them. */
function running(marker: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(marker) ? [Number(pid)] : [];
      } catch {
        return [];
      }
    });
}
