// An engine with an operator's desk beside it: the gateway's own code, without HTTP, on the same store and Temporal.
import { randomUUID } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client, Connection, type WorkflowHandle } from '@temporalio/client';
import { createRegistry } from '../../../activities/tools/registry.ts';
import { checkEdit } from '../../../cli/roles/check-edit.ts';
import type { DecisionRequest } from '../../../client/types.ts';
import { assembleText } from '../../../core/events.ts';
import { outgoingMessages } from '../../../core/outgoing.ts';
import { createScrubber } from '../../../core/redact.ts';
import { assertSendable } from '../../../core/sendable.ts';
import type { Entry, StoredResult } from '../../../core/transcript.ts';
import { type Cancelled, cancelTurn } from '../../../gateway/cancel.ts';
import { decideApproval } from '../../../gateway/decide.ts';
import type { GatewayDeps } from '../../../gateway/deps.ts';
import { ApiFailure } from '../../../gateway/failure.ts';
import { createMessenger } from '../../../gateway/messenger.ts';
import type { Reconciler } from '../../../gateway/reconcile/types.ts';
import { createReconciler } from '../../../gateway/reconciler.ts';
import { type Steered, steerTurn } from '../../../gateway/steering.ts';
import type { QuestionRow, SlotRow } from '../../../store/api.ts';
import { createSealer } from '../../../store/seals.ts';
import { type Stack, type StackOptions, startStack } from '../../support/stack.ts';
import { until } from '../../support/until.ts';
import { Gates } from './gates.ts';
import { RUNS } from './tools.ts';

export type Engine = Stack & {
  gates: Gates;
  client: Client;
  gateway: GatewayDeps;
  reconciler: Reconciler;
  handle: (turnId: string) => WorkflowHandle;
  /** The open questions of a turn, once there are so many, in the order of their calls. */
  questions: (turnId: string, count?: number) => Promise<QuestionRow[]>;
  question: (turnId: string) => Promise<QuestionRow>;
  /** As an operator at the gateway: `accepted`, `queued`, or the code of the refusal. */
  decide: (question: QuestionRow, choice: string, more?: Partial<DecisionRequest>) => Promise<string>;
  steer: (turnId: string, text: string, id?: string) => Promise<Steered>;
  cancel: (turnId: string) => Promise<Cancelled>;
  /** How often the tools ran under this name. */
  runs: (name: string) => Promise<number>;
  running: (name: string) => Promise<unknown>;
  /** Lets a held tool end. */
  release: (name: string) => Promise<void>;
  entries: (turnId: string) => Promise<Entry[]>;
  /** Results of all rounds as the model reads them, in order. */
  results: (turnId: string) => Promise<StoredResult[]>;
  slots: (turnId: string) => Promise<SlotRow[]>;
  /** How the workflow closed, as Temporal calls it. */
  closed: (turnId: string) => Promise<string>;
  /** Until the reader has seen this text of the model. */
  shown: (turnId: string, text: string) => Promise<unknown>;
};

const TOOLS = `export * from ${JSON.stringify(new URL('./tools.ts', import.meta.url).href)};`;

export async function startEngine(options: StackOptions): Promise<Engine> {
  const gates = new Gates();
  const stack = await startStack({ tools: TOOLS, workerStore: (store) => gates.around(store), ...options });
  const connection = await Connection.connect({ address: stack.desk.target.address });
  const client = new Client({ connection });
  const reconciler = reconcilerOf(stack);
  const gateway = await gatewayOf(stack, reconciler);
  const questions = async (turnId: string, count = 1) => {
    const open = () => stack.store.questions.list({ turnId, state: 'open' });
    const { items } = await until(open, (seen) => seen.items.length === count, `${count} open questions of ${turnId}`);
    return items.sort((a, b) => (a.callId < b.callId ? -1 : 1));
  };
  const entries = async (turnId: string) => (await stack.store.transcript.ofTurn(turnId)).entries;
  const runs = (name: string) => runsOf(stack, name);
  return {
    ...stack,
    gates,
    client,
    gateway,
    reconciler,
    questions,
    entries,
    runs,
    handle: (turnId) => client.workflow.getHandle(`turn-${turnId}`),
    question: async (turnId) => (await questions(turnId))[0] as QuestionRow,
    decide: (question, choice, more) => decide(gateway, question, { choice, ...more }),
    steer: (turnId, text, id = randomUUID()) => steerTurn(gateway, { turnId, id, text, by: 'tester' }),
    cancel: (turnId) => cancelTurn(gateway, turnId, { by: 'tester', reason: 'enough', at: Date.now() }),
    running: (name) =>
      until(
        () => runs(name),
        (count) => count > 0,
        `${name} to run`,
      ),
    release: (name) => writeFile(join(stack.workspace, `release-${name}`), ''),
    results: async (turnId) => (await entries(turnId)).flatMap((each) => (each.kind === 'results' ? each.results : [])),
    slots: (turnId) => stack.store.turns.slots(turnId),
    closed: async (turnId) => {
      const status = async () => (await client.workflow.getHandle(`turn-${turnId}`).describe()).status.name;
      return until(status, (name) => name !== 'RUNNING', `the workflow of ${turnId} to close`);
    },
    shown: (turnId, text) =>
      until(
        async () => [...assembleText(await stack.events(turnId)).values()],
        (texts) => texts.some((each) => each.includes(text)),
        `readers to see ${text}`,
      ),
    close: async () => {
      await stack.close();
      await connection.close();
    },
  };
}

/** Everything that may be asked of any turn that has ended, however it ended. */
export async function expectSound(engine: Engine, turnId: string): Promise<void> {
  const { head } = await engine.store.transcript.ofTurn(turnId);
  const whole = (await engine.store.transcript.load(turnId, head)) ?? [];
  const faults = [...assertSendable(outgoingMessages(whole)), ...unpaired(whole)];
  const events = await engine.events(turnId);
  events.forEach(({ number }, index) => {
    if (number !== index + 1) faults.push(`event ${index + 1} has the number ${number}`);
  });
  for (const slot of await engine.slots(turnId)) {
    const of = (type: string) =>
      events.filter((event) => event.type === type && 'callId' in event && event.callId === slot.callId).length;
    if (of('tool_call') !== 1 || of('tool_result') !== 1)
      faults.push(`${slot.callId}: ${of('tool_call')} tool_call, ${of('tool_result')} tool_result`);
    if (!slot.result) faults.push(`${slot.callId} has no result`);
  }
  if (events.at(-1)?.type !== 'turn_ended') faults.push('the last event is not turn_ended');
  if ((await engine.store.questions.list({ turnId, state: 'open' })).items.length > 0)
    faults.push('a question is open');
  if (faults.length > 0) throw new Error(`Turn ${turnId} is not sound: ${faults.join('; ')}`);
}

/** What is stored needs no repair: each call of a message has its result right behind it. */
function unpaired(entries: readonly Entry[]): string[] {
  return entries.flatMap((entry, index) => {
    if (entry.kind !== 'assistant' || entry.calls.length === 0) return [];
    const next = entries[index + 1];
    const answered = next?.kind === 'results' ? next.results.map(({ callId }) => callId) : [];
    const asked = entry.calls.map(({ callId }) => callId);
    return asked.join() === answered.join() ? [] : [`step ${entry.step}: calls ${asked}, results ${answered}`];
  });
}

async function decide(
  gateway: GatewayDeps,
  question: QuestionRow,
  answer: Omit<DecisionRequest, 'argumentHash'> & { argumentHash?: string },
): Promise<string> {
  const request = { argumentHash: question.argumentHash, ...answer };
  try {
    const who = { by: 'tester', surface: 'test' };
    return (await decideApproval(gateway, question.approvalId, request, who)).outcome.state;
  } catch (error) {
    if (error instanceof ApiFailure) return error.code;
    throw error;
  }
}

async function runsOf(stack: Stack, name: string): Promise<number> {
  const text = await readFile(join(stack.workspace, RUNS), 'utf8').catch(() => '');
  return text.split('\n').filter((line) => line === name).length;
}

function reconcilerOf({ store, desk }: Stack): Reconciler {
  const messenger = createMessenger(desk, Date.now);
  return createReconciler({ ...{ store, desk, messenger, render }, ...life, holder: `test-${randomUUID()}` });
}

async function gatewayOf({ store, desk, keys, config }: Stack, reconciler: Reconciler): Promise<GatewayDeps> {
  const sealer = createSealer(keys);
  const { registry } = await createRegistry({ modules: config.toolModules, ownState: [config.data, config.file] });
  const scrubber = createScrubber([]);
  return {
    ...{ store, desk, reconciler, render },
    ...life,
    messenger: createMessenger(desk, Date.now),
    agents: { names: Object.keys(config.agents), default: 'main' },
    onBusy: 'queue',
    sign: (body, texts) => sealer.signDecision(body, texts),
    checkEdit: (question, args) => checkEdit({ store, scrubber, tools: registry }, question, args),
    version: 'test',
    heartbeatMs: 15_000,
  };
}

const render: GatewayDeps['render'] = { text: (value) => value, json: (value) => value };
const life = { now: Date.now, newId: () => randomUUID(), log: () => {} };
