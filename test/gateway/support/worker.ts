// A worker for the stub workflows, whose activities work on the test's own store as the engine's do.
import { createRequire } from 'node:module';
import {
  bundleWorkflowCode,
  DefaultLogger,
  makeTelemetryFilterString,
  NativeConnection,
  Runtime,
  Worker,
} from '@temporalio/worker';
import { outcomeOf } from '../../../core/outcome.ts';
import { NO_USAGE } from '../../../core/usage.ts';
import type { NewQuestion, Store } from '../../../store/api.ts';
import type { StubActivities } from './stub-workflows.ts';

Runtime.install({
  logger: new DefaultLogger('ERROR'),
  telemetryOptions: { logging: { filter: makeTelemetryFilterString({ core: 'ERROR', other: 'ERROR' }) } },
});

const require = createRequire(import.meta.url);
let bundle: Promise<{ code: string }> | undefined;

export type StubWorker = {
  stop(): Promise<void>;
  heard: { control: string[]; steering: string[]; decisions: string[] };
};

export async function startStubWorker(
  options: { address: string; taskQueue: string; store: Store },
  more: Partial<StubActivities> = {},
): Promise<StubWorker> {
  bundle ??= bundleWorkflowCode({ workflowsPath: require.resolve('./stub-workflows.ts'), logger: quiet });
  const heard: StubWorker['heard'] = { control: [], steering: [], decisions: [] };
  const connection = await NativeConnection.connect({ address: options.address });
  const worker = await Worker.create({
    connection,
    taskQueue: options.taskQueue,
    workflowBundle: await bundle,
    stickyQueueScheduleToStartTimeout: '2s',
    activities: { ...activitiesOn(options.store, heard), ...more },
  });
  const running = worker.run();
  return {
    heard,
    stop: async () => {
      worker.shutdown();
      await running;
      await connection.close();
    },
  };
}

const nothing = () => undefined;
const quiet = { log: nothing, trace: nothing, debug: nothing, info: nothing, warn: nothing, error: nothing };

function activitiesOn(store: Store, heard: StubWorker['heard']): StubActivities & Record<string, unknown> {
  return {
    begin: async ({ turnId }) => {
      await beginTurn(store, turnId);
      return {};
    },
    settle: async ({ message }) => {
      heard.decisions.push(message.decisionId);
      return settleBy(store, message);
    },
    takeSteering: async ({ message }) => {
      heard.steering.push(message.id);
      return {};
    },
    hearControl: async ({ message }) => void heard.control.push(message.state),
    end: async ({ turnId, how }) => endTurn(store, turnId, how),
    adoptSteering: async () => null,
  };
}

export async function beginTurn(store: Store, turnId: string): Promise<void> {
  await store.turns.begin({ turnId, executionHash: 'none', at: Date.now() });
}

export async function endTurn(store: Store, turnId: string, how: 'completed' | 'cancelled', answer?: string) {
  const outcome = outcomeOf(how === 'completed' ? 'answer' : 'cancelled', NO_USAGE);
  const ended = await store.turns.end({
    ...{ turnId, outcome, entries: [], events: [], results: [], at: Date.now() },
    ...(answer === undefined ? {} : { answer }),
  });
  return ended.outcome;
}

/** First valid one wins, as the engine's settling does; without signatures, edits and slots. */
async function settleBy(store: Store, message: { approvalId: string; decisionId: string }) {
  const question = await store.questions.get(message.approvalId);
  const decision = await store.questions.decision(message.decisionId);
  if (!question || !decision) return { state: 'invalid' as const, reason: 'unknown' };
  const { agent: _a, session: _s, state: _t, decision: _d, ...row } = question;
  const settled = await store.questions.settle({
    question: row satisfies NewQuestion,
    to: { state: 'decided', decision },
    events: [],
    audit: {},
    at: Date.now(),
    answer: { state: 'accepted' },
  });
  if (settled.kind !== 'late') return { state: 'accepted' as const };
  if (settled.state === 'expired' || settled.state === 'withdrawn') return { state: settled.state };
  return { state: 'already_decided' as const, by: settled.by, at: new Date(settled.at).toISOString() };
}

let asked = 0;

export async function askQuestion(store: Store, turnId: string, more: Partial<NewQuestion> = {}): Promise<NewQuestion> {
  asked += 1;
  const callId = `c1-${asked}`;
  const question: NewQuestion = {
    approvalId: `${turnId}.${callId}`,
    kind: 'tool',
    turnId,
    callId,
    tool: 'shell',
    summary: 'command: ls',
    arguments: '{"command":"ls"}',
    argumentHash: 'a'.repeat(64),
    policyHash: 'b'.repeat(64),
    risk: { level: 'medium', reasons: ['writes'] },
    path: ['main'],
    askedAt: Date.now() + asked,
    expiresAt: Date.now() + 300_000,
    ...more,
  };
  await store.questions.open(turnId, [question], [], []);
  return question;
}
