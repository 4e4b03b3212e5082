/**
 * `callProvider`: appends the last round and steering, asks the model, streams, reads and assesses its calls, stores the reply.
 * The reply of a step is stored once: a later attempt finds it and asks no model again (design "Order of truth").
 */
import { ApplicationFailure, Context } from '@temporalio/activity';
import type { Execution } from '../core/execution.ts';
import { outcomeOf } from '../core/outcome.ts';
import { outgoingMessages } from '../core/outgoing.ts';
import type { ProviderInput, Reply } from '../core/ports.ts';
import { systemPrompt } from '../core/system-prompt.ts';
import type { Entry } from '../core/transcript.ts';
import { NO_USAGE } from '../core/usage.ts';
import type { KeyedEvent } from '../store/api.ts';
import type { EngineDeps } from './deps.ts';
import type { ExecutionCache } from './executions.ts';
import { withHeartbeat } from './heartbeat.ts';
import { type ChainAnswer, type ChainPosition, callChain } from './provider/chain.ts';
import { storeReply } from './provider/store-reply.ts';
import { StreamSink } from './provider/stream-sink.ts';
import { lackingOf } from './rounds.ts';

/** An attempt of Temporal's and a try inside it make the epoch together with the workflow's own count. */
const epochOf = (input: ProviderInput, attempt: number): number => input.scheduling * 1_000 + Math.min(attempt, 999);

export async function callProvider(deps: EngineDeps, executions: ExecutionCache, input: ProviderInput): Promise<Reply> {
  const execution = await executions(input.executionHash).catch(missing);
  if (!execution) return unavailable(input);
  const { attempt, heartbeatDetails } = Context.current().info;
  const epoch = epochOf(input, attempt);
  const known = await deps.store.transcript.load(input.turnId, input.parentHead);
  const lacking = known && (await lackingOf(deps, input.turnId, input.append, known));
  if (!known || !lacking) return unavailable(input);
  const opened = await deps.store.transcript.openStep({
    turnId: input.turnId,
    step: input.step,
    epoch,
    parentHead: input.parentHead,
    entries: lacking.entries,
    results: lacking.records,
    events: [...lacking.events, ...openingEvents(input, execution, epoch, attempt)],
    steeringTaken: lacking.steeringTaken,
    iteration: input.iteration,
  });
  switch (opened.kind) {
    case 'recorded':
      return { ...(opened.reply as unknown as Extract<Reply, { kind: 'reply' }>), head: opened.head };
    case 'fenced':
      throw fenced(input);
    case 'closed':
      return closed(deps, input);
    case 'behind':
    case 'diverged':
      return unavailable(input);
    case 'open':
      break;
  }
  const flag = opened.cancel ?? opened.control.estop ?? opened.control.paused;
  if (flag) {
    const why = opened.cancel ? 'cancelled' : opened.control.estop ? 'estop' : 'paused';
    return { kind: 'held', why, at: flag.at, head: opened.head };
  }
  const entries = [...known, ...lacking.entries];
  return ask(deps, {
    input,
    execution,
    epoch,
    head: opened.head,
    entries,
    startAt: heartbeatDetails as ChainPosition | undefined,
  });
}

type Asking = {
  input: ProviderInput;
  execution: Execution;
  epoch: number;
  head: string;
  entries: Entry[];
  startAt: ChainPosition | undefined;
};

async function ask(deps: EngineDeps, asking: Asking): Promise<Reply> {
  const { input, epoch } = asking;
  const stop = new AbortController();
  const at = { turnId: input.turnId, step: input.step, epoch };
  const sink = new StreamSink({ events: deps.store.events, scrubber: deps.scrubber, at, onLost: () => stop.abort() });
  let position: ChainPosition | undefined = asking.startAt;
  return withHeartbeat(
    () => position,
    async (cancelled) => {
      const signal = AbortSignal.any([cancelled, stop.signal]);
      try {
        const answer = await callChain({
          ...chainInput(deps, asking),
          signal,
          onPart: (part) => sink.push(part),
          onReset: () => sink.reset(),
          onPosition: (next) => {
            position = next;
          },
        });
        if ('failure' in answer) return await failed(asking, answer.failure.message, sink);
        return await stored(deps, asking, answer, sink);
      } catch (error) {
        await sink.flushAll().catch(() => {});
        if (stop.signal.aborted) throw fenced(input);
        throw error;
      }
    },
  );
}

function chainInput(deps: EngineDeps, { execution, entries, input, startAt }: Asking) {
  const messages = outgoingMessages(entries);
  const parts = (nativeTools: boolean) => {
    const tools = nativeTools ? execution.tools : [];
    const hasCalls = entries.some((entry) => entry.kind === 'assistant' && entry.calls.length > 0);
    const summary = input.mode === 'summary';
    return {
      system: systemPrompt({ instructions: execution.instructions, hasTools: tools.length > 0 }),
      messages: summary ? [...messages, { role: 'user' as const, text: capNote(execution) }] : messages,
      tools: summary && !hasCalls ? [] : tools,
      toolChoice: summary ? ('none' as const) : ('auto' as const),
    };
  };
  return {
    chain: execution.chain,
    adapters: deps.adapters,
    cooldowns: deps.cooldowns,
    request: (entry: { nativeTools: boolean }) => parts(entry.nativeTools),
    ...(startAt ? { startAt } : {}),
  };
}

/** The one call at the cap (C8.2). */
const capNote = (execution: Execution): string =>
  `The limit of ${execution.knobs.maxToolIterations} tool iterations is reached. Tools cannot be used any more. Answer now as well as you can with what you have, and say what remains to be done.`;

async function stored(deps: EngineDeps, asking: Asking, answer: ChainAnswer, sink: StreamSink): Promise<Reply> {
  const result = await storeReply(deps, asking, answer, await sink.rest());
  switch (result.kind) {
    case 'stored':
      return { ...result.reply, head: result.head };
    case 'fenced':
      throw fenced(asking.input);
    case 'closed':
      return closed(deps, asking.input);
    case 'unavailable':
      return unavailable(asking.input);
  }
}

async function failed({ head }: Asking, message: string, sink: StreamSink): Promise<Reply> {
  await sink.flushAll();
  return { kind: 'failed', head, error: { type: 'ProviderFailed', message: message.slice(0, 1_500) } };
}

async function closed(deps: EngineDeps, input: ProviderInput): Promise<Reply> {
  const row = await deps.store.turns.get(input.turnId);
  const outcome = outcomeOf(row?.stopReason ?? 'cancelled', row?.usage ?? NO_USAGE, row?.error);
  return { kind: 'closed', outcome };
}

const unavailable = (input: ProviderInput): Reply => ({
  kind: 'unavailable',
  why: `The store does not hold this turn at ${input.parentHead.slice(0, 12)}: it is an older or another one. Restore the right one; the turn goes on by itself.`,
});

/** An execution that is not there is the store's fault, not the turn's: it waits for the right store. */
function missing(error: unknown): undefined {
  if (error instanceof ApplicationFailure && error.type === 'StoreBehind') return undefined;
  throw error;
}

const fenced = (input: ProviderInput) =>
  ApplicationFailure.nonRetryable(
    `Step ${input.step} of turn ${input.turnId} was taken over by a newer attempt.`,
    'Fenced',
  );

/** A new iteration for readers, and a reset when an earlier attempt may have shown text of this step. */
function openingEvents(input: ProviderInput, execution: Execution, epoch: number, attempt: number): KeyedEvent[] {
  const { step, iteration } = input;
  const model = execution.chain[0]?.name ?? '';
  const started: KeyedEvent = { key: `i:${step}`, body: { type: 'iteration_started', iteration, step, model } };
  return attempt === 1
    ? [started]
    : [started, { key: `r:${step}:${epoch}`, body: { type: 'stream_reset', step, epoch } }];
}
