/**
 * A pending tail: an assistant message whose round was never closed. Closing it gives every call a result: the one given,
 * else the recorded one, else words that say that it was interrupted (and then that is recorded too).
 */
import { fillText } from '../../core/fill-text.ts';
import type { Fill, FilledStatus } from '../../core/slot.ts';
import type { Entry, StoredCall, StoredResult } from '../../core/transcript.ts';
import type { KeyedEvent, RecordedResult } from '../api.ts';
import { refOf } from '../blobs.ts';
import { loadCall } from '../calls.ts';
import type { Context } from '../context.ts';
import type { Tx } from '../database.ts';
import { StoreError } from '../errors.ts';
import { announcedCalls } from '../events.ts';
import { hasBegun } from '../ledger/attempts.ts';
import { recordResult, resultOfCall } from '../results.ts';
import type { Turn } from '../turns/row.ts';
import { appendEntries, lastEntry } from './entries.ts';
import type { Link } from './link.ts';

type Assistant = Extract<Entry, { kind: 'assistant' }>;

/** The last message, when calls of it wait for their results. */
export function* pendingTail(turn: Turn): Tx<Assistant | undefined> {
  const last = yield* lastEntry(turn);
  return last?.kind === 'assistant' && last.calls.length > 0 ? last : undefined;
}

export function* closeTail(context: Context, turn: Turn, at: number, given: readonly StoredResult[] = []): Tx<Link[]> {
  const tail = yield* pendingTail(turn);
  if (!tail) return [];
  const results: StoredResult[] = [];
  for (const [slot, call] of tail.calls.entries()) {
    const known = given.find((result) => result.callId === call.callId) ?? (yield* recorded(turn, call));
    results.push(known ?? (yield* interrupt(context, turn, { call, step: tail.step, slot, at })));
  }
  return yield* appendEntries(turn, [{ kind: 'results', step: tail.step, results }], at);
}

function* recorded(turn: Turn, { callId, name }: StoredCall): Tx<StoredResult | undefined> {
  const found = yield* resultOfCall(turn.turn_id, callId);
  return found && { callId, name, text: found.text, success: found.result.success };
}

type Place = { call: StoredCall; step: number; slot: number; at: number };

function* interrupt(context: Context, turn: Turn, { call, step, slot, at }: Place): Tx<StoredResult> {
  const { callId, name } = call;
  const facts = yield* factsOf(context, turn, callId);
  const began = yield* hasBegun({ turnId: turn.turn_id, step, slot });
  const status: FilledStatus = began && facts.effect !== 'none' ? 'unknown' : 'interrupted';
  const fill: Fill = { callId, status, began };
  const text = fillText(fill);
  const tool = facts.tool ?? name;
  const events: KeyedEvent[] = [];
  if (!turn.closed) {
    if (!(yield* announcedCalls(turn.turn_id)).has(callId)) {
      events.push({
        key: `tail:${callId}:call`,
        body: { type: 'tool_call', callId, slot, tool, arguments: {}, summary: facts.summary, provenance: 'extension' },
      });
    }
    const shown = { tool, success: false, status, text, durationMs: 0 };
    events.push({ key: `tail:${callId}:result`, body: { type: 'tool_result', callId, slot, ...shown } });
  }
  const result = {
    status,
    success: false,
    ref: refOf(text),
    size: text.length,
    preview: text.slice(0, 200),
    durationMs: 0,
  };
  const record: RecordedResult = { callId, step, slot, result, text, events };
  yield* recordResult(turn, record, at);
  return { callId, name, text, success: false };
}

type Facts = { effect: string; tool?: string; summary: string };

/** A call whose seal is broken is not believed; it may have had an effect. */
function* factsOf({ sealer }: Context, turn: Turn, callId: string): Tx<Facts> {
  try {
    const call = yield* loadCall(sealer, turn.turn_id, callId);
    if (call) return { effect: call.assessment.effect, tool: call.tool, summary: call.summary };
    return { effect: 'none', summary: '' };
  } catch (error) {
    if (error instanceof StoreError && error.code === 'SealBroken') return { effect: 'once', summary: '' };
    throw error;
  }
}
