/** Slots that are open when a turn is ended from outside: each gets its one result, by the ledger (C6.5). */
import { createHash } from 'node:crypto';
import type { EventBody } from '../../core/events.ts';
import { fillText } from '../../core/fill-text.ts';
import type { Json } from '../../core/json.ts';
import type { Fill, SlotResult } from '../../core/slot.ts';
import type { CallRow, KeyedEvent, RecordedResult, SlotRow, Store } from '../../store/api.ts';
import type { Renderer } from '../ports.ts';
import { parsed } from '../transcript-json.ts';

const OPEN = ['empty', 'waiting_approval', 'running'];
const PREVIEW = 200;
/** Bytes of arguments in an event (C9.6). */
const ARGUMENTS = 4_096;

export async function resultsOfOpenSlots(store: Store, render: Renderer, turnId: string): Promise<RecordedResult[]> {
  const slots = (await store.turns.slots(turnId)).filter((slot) => OPEN.includes(slot.status));
  if (slots.length === 0) return [];
  const begun = await store.ledger.openAttempts({ turnId });
  const records: RecordedResult[] = [];
  for (const slot of slots) {
    const began = begun.some((attempt) => attempt.step === slot.step && attempt.slot === slot.slot);
    const call = await store.transcript.call(turnId, slot.callId);
    const fill = { callId: slot.callId, status: statusOf(began, call), began };
    records.push(recordOf(slot, fill, call ? [callEvent(call, render)] : []));
  }
  return records;
}

/** Only what had begun and does something to the world may have taken effect. */
function statusOf(began: boolean, call: CallRow | undefined): 'unknown' | 'interrupted' {
  return began && call?.assessment.effect !== 'none' ? 'unknown' : 'interrupted';
}

function recordOf(slot: SlotRow, fill: Fill, before: KeyedEvent[]): RecordedResult {
  const text = fillText(fill);
  const result: SlotResult = {
    status: fill.status,
    success: false,
    ref: createHash('sha256').update(text, 'utf8').digest('hex'),
    size: text.length,
    preview: text.slice(0, PREVIEW),
    durationMs: 0,
  };
  const { callId, step, slot: index, tool } = slot;
  const { status, success, durationMs } = result;
  const body: EventBody = { type: 'tool_result', callId, slot: index, tool, success, status, text, durationMs };
  return { callId, step, slot: index, result, text, events: [...before, { key: `result:${callId}`, body }] };
}

/** One that never started still has a pair of events (C4.9); for one that started this key is there and adds nothing. */
function callEvent(call: CallRow, render: Renderer): KeyedEvent {
  const shown = render.json(parsed(call.arguments));
  const text = JSON.stringify(shown);
  const { callId, slot, tool } = call;
  const summary = render.text(call.summary).slice(0, PREVIEW);
  const common = { type: 'tool_call' as const, callId, slot, tool, summary, provenance: 'native' as const };
  const body: EventBody =
    text.length <= ARGUMENTS
      ? { ...common, arguments: shown }
      : { ...common, arguments: text.slice(0, ARGUMENTS / 4) as Json, truncated: true };
  return { key: `call:${callId}`, body };
}
