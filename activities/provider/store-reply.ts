/** Stores the reply of a step: assistant entry, sealed calls, results known already, events, all in one transaction (C6, C3.9, C10.7). */

import type { Execution } from '../../core/execution.ts';
import type { Json } from '../../core/json.ts';
import type { ProviderInput, Reply } from '../../core/ports.ts';
import type { Entry, StoredCall } from '../../core/transcript.ts';
import type { KeyedEvent, StepReply } from '../../store/api.ts';
import type { EngineDeps } from '../deps.ts';
import type { ChainAnswer } from './chain.ts';
import { MAX_CALLS, type ReadCall, readCalls } from './read-calls.ts';
import type { RawCall } from './types.ts';

type At = { input: ProviderInput; execution: Execution; epoch: number; head: string };
type Made = { raw: readonly RawCall[]; calls: readonly ReadCall[] };
type ReplyBody = Omit<Extract<Reply, { kind: 'reply' }>, 'head'>;

export type StoredReply =
  | { kind: 'stored'; reply: ReplyBody; head: string }
  | { kind: 'fenced' }
  | { kind: 'closed' }
  | { kind: 'unavailable' };

export async function storeReply(
  deps: EngineDeps,
  at: At,
  answer: ChainAnswer,
  deltas: KeyedEvent[],
): Promise<StoredReply> {
  const { input, execution, epoch, head } = at;
  const raw = input.mode === 'summary' ? [] : answer.reply.calls;
  const calls = await readCalls(deps, { execution, step: input.step, finish: answer.reply.finish }, raw);
  const reply: ReplyBody = {
    kind: 'reply',
    calls: calls.map(({ notice }) => notice),
    usage: answer.reply.usage,
    model: answer.answeredBy.name,
    ...noteOf(answer),
    ...tellOf(raw.length),
  };
  const stored = await deps.store.transcript.closeStep({
    turnId: input.turnId,
    step: input.step,
    epoch,
    parentHead: head,
    entry: assistantEntry(deps, at, answer, { raw, calls }),
    calls: calls.map(({ row }) => row),
    results: calls.flatMap(({ record }) => (record ? [record] : [])),
    events: [...deltas, ...eventsOf(deps, at, answer)],
    reply: reply as unknown as StepReply,
    usage: answer.reply.usage,
  });
  switch (stored.kind) {
    case 'stored':
      return { kind: 'stored', reply, head: stored.head };
    case 'recorded':
      return { kind: 'stored', reply: stored.reply as unknown as ReplyBody, head: stored.head };
    case 'fenced':
    case 'closed':
      return { kind: stored.kind };
    default:
      return { kind: 'unavailable' };
  }
}

/** The message is kept as the model wrote it, but for values that the deployment holds (C9.1). */
function assistantEntry(deps: EngineDeps, at: At, answer: ChainAnswer, made: Made): Entry {
  const { reply } = answer;
  const { raw, calls } = made;
  const kept = raw.slice(0, MAX_CALLS).map(
    (call, slot): StoredCall => ({
      callId: calls[slot]?.notice.callId ?? `c${at.input.step}-${slot}`,
      providerId: call.id,
      name: call.name,
      arguments: deps.scrubber.scrub(call.arguments),
      ...(call.extras === undefined ? {} : { extras: deps.scrubber.scrubJson(call.extras) }),
    }),
  );
  const cut = reply.finish === 'length' || reply.finish === 'filter' || reply.finish === 'refusal';
  return {
    kind: 'assistant',
    step: at.input.step,
    text: deps.scrubber.scrub(reply.text),
    calls: kept,
    model: answer.answeredBy.name,
    ...(reply.thinking === '' ? {} : { thinking: deps.scrubber.scrub(reply.thinking) }),
    ...(reply.providerCalls.length === 0
      ? {}
      : { providerCalls: deps.scrubber.scrubJson(reply.providerCalls as Json) as Json[] }),
    ...(reply.extras === undefined ? {} : { extras: deps.scrubber.scrubJson(reply.extras) }),
    ...(cut ? { cut: 'output_limit' as const } : {}),
  };
}

function eventsOf(deps: EngineDeps, { input }: At, answer: ChainAnswer): KeyedEvent[] {
  const { step } = input;
  const own = answer.reply.providerCalls.map((call, nth): KeyedEvent => {
    const { name, type } = (call ?? {}) as { name?: unknown; type?: unknown };
    const tool = [name, type].find((word): word is string => typeof word === 'string') ?? 'provider tool';
    const body = {
      type: 'tool_call' as const,
      callId: `p${step}-${nth}`,
      slot: -1,
      tool,
      arguments: deps.scrubber.scrubJson(call),
      summary: '',
      provenance: 'provider' as const,
    };
    return { key: `p:${step}:${nth}`, body };
  });
  const usage: KeyedEvent = {
    key: `u:${step}`,
    body: { type: 'usage', step, model: answer.answeredBy.name, usage: answer.reply.usage },
  };
  return [...own, usage];
}

function noteOf(answer: ChainAnswer): { note?: string } {
  const notes: string[] = [];
  if (answer.fallback) notes.push(`Answered by the fallback ${answer.fallback}.`);
  if (answer.reply.finish === 'length') notes.push('The model hit its output limit.');
  if (answer.reply.finish === 'filter') notes.push('The provider filtered the answer.');
  if (answer.reply.finish === 'refusal') notes.push('The model refused.');
  return notes.length > 0 ? { note: notes.join(' ') } : {};
}

function tellOf(calls: number): { tell?: string } {
  if (calls <= MAX_CALLS) return {};
  return {
    tell: `Your response had ${calls} calls; a response may have ${MAX_CALLS}. The last ${calls - MAX_CALLS} were dropped and did not run.`,
  };
}
