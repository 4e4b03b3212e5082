/** Results as they are recorded (C7.2): scrubbed, by reference, with the events that belong to them. Nothing is shown that was not recorded. */
import { createHash } from 'node:crypto';
import type { EventBody } from '../core/events.ts';
import { fillText } from '../core/fill-text.ts';
import { shorten } from '../core/graphemes.ts';
import type { Json } from '../core/json.ts';
import { mapStrings } from '../core/redact.ts';
import type { Fill, FilledStatus, SlotResult } from '../core/slot.ts';
import type { CallRow, KeyedEvent, RecordedResult } from '../store/api.ts';
import type { EngineDeps } from './deps.ts';

const EVENT_TEXT_MAX = 4096;
const PREVIEW_MAX = 200;
/** Of a longer text only this much is rendered: more is not shown anywhere. */
const SHOWN_MAX = 2 * EVENT_TEXT_MAX;

export const sha256 = (text: string): string => createHash('sha256').update(text, 'utf8').digest('hex');

type Known = Pick<EngineDeps, 'scrubber' | 'render'>;
type CallOf = Pick<CallRow, 'callId' | 'step' | 'slot' | 'tool' | 'arguments' | 'summary'> & {
  provenance?: 'native' | 'extension';
};

export type ResultOf = {
  status: FilledStatus;
  text: string;
  success?: boolean;
  durationMs?: number;
  receipt?: string;
  /** Its `tool_call` event is written already. */
  announced?: true;
};

/** The record of one slot. The text is what the model will read, scrubbed of held values alone (C9.6). */
export function recordOf(deps: Known, call: CallOf, result: ResultOf): RecordedResult {
  const text = deps.scrubber.scrub(result.text);
  const shown = deps.render(text.slice(0, SHOWN_MAX));
  const success = result.success ?? (result.status === 'done' || result.status === 'replaced');
  const kept = {
    status: result.status,
    success,
    ref: sha256(text),
    size: text.length,
    preview: shorten(shown, PREVIEW_MAX),
    durationMs: result.durationMs ?? 0,
    ...(result.receipt === undefined ? {} : { receipt: result.receipt }),
  };
  return {
    callId: call.callId,
    step: call.step,
    slot: call.slot,
    result: kept,
    text,
    events: [
      ...(result.announced ? [] : [callEvent(deps, call)]),
      resultEvent(call, kept, shown, text.length > SHOWN_MAX),
    ],
  };
}

/** A slot that the workflow filled: its words are made here, its event pair is written with it (C4.9). */
export function recordFill(deps: Known, call: CallOf, fill: Fill, note?: string): RecordedResult {
  return recordOf(deps, call, { status: fill.status, text: fillText(fill, note) });
}

/** C6.3: written immediately before the tool runs; a repeat adds nothing. */
export function callEvent(deps: Known, call: CallOf): KeyedEvent {
  const shown = bounded(deps.render(call.arguments));
  const body: EventBody = {
    type: 'tool_call',
    callId: call.callId,
    slot: call.slot,
    tool: call.tool,
    arguments: shown.truncated ? shown.text : shownArguments(deps, call.arguments),
    summary: shorten(deps.render(call.summary), PREVIEW_MAX),
    provenance: call.provenance ?? 'native',
    ...(shown.truncated ? { truncated: true as const } : {}),
  };
  return { key: `call:${call.callId}`, body };
}

function resultEvent(call: CallOf, result: SlotResult, rendered: string, cut: boolean): KeyedEvent {
  const { text, truncated } = bounded(rendered);
  const { success, status, durationMs, receipt } = result;
  const body: EventBody = {
    type: 'tool_result',
    callId: call.callId,
    slot: call.slot,
    tool: call.tool,
    success,
    status,
    text,
    durationMs,
    ...(receipt === undefined ? {} : { receipt }),
    ...(truncated || cut ? { truncated: true as const } : {}),
  };
  return { key: `result:${call.callId}`, body };
}

export function shownArguments(deps: Pick<EngineDeps, 'render'>, text: string): Json {
  try {
    return mapStrings(JSON.parse(text) as Json, deps.render);
  } catch {
    return deps.render(text);
  }
}

function bounded(text: string): { text: string; truncated: boolean } {
  if (Buffer.byteLength(text) <= EVENT_TEXT_MAX) return { text, truncated: false };
  return { text: shorten(text, EVENT_TEXT_MAX / 4), truncated: true };
}
