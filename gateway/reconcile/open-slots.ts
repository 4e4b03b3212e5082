/** Slots that are open when a turn is ended from outside: each gets its one result, by the ledger (C6.5). */
import { createHash } from 'node:crypto';
import { fillText } from '../../core/fill-text.ts';
import type { Fill, SlotResult } from '../../core/slot.ts';
import type { RecordedResult, SlotRow, Store } from '../../store/api.ts';

const OPEN = ['empty', 'waiting_approval', 'running'];
const PREVIEW = 200;

export async function resultsOfOpenSlots(store: Store, turnId: string): Promise<RecordedResult[]> {
  const slots = (await store.turns.slots(turnId)).filter((slot) => OPEN.includes(slot.status));
  if (slots.length === 0) return [];
  const begun = await store.ledger.openAttempts({ turnId });
  const records: RecordedResult[] = [];
  for (const slot of slots) {
    const began = begun.some((attempt) => attempt.step === slot.step && attempt.slot === slot.slot);
    const call = began ? await store.transcript.call(turnId, slot.callId) : undefined;
    records.push(recordOf(slot, { callId: slot.callId, status: statusOf(began, call?.assessment.effect), began }));
  }
  return records;
}

/** Only what had begun and does something to the world may have taken effect. */
function statusOf(began: boolean, effect: string | undefined): 'unknown' | 'interrupted' {
  return began && effect !== 'none' ? 'unknown' : 'interrupted';
}

function recordOf(slot: SlotRow, fill: Fill): RecordedResult {
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
  const body = { callId, slot: index, tool, success: false, status: fill.status, text, durationMs: 0 };
  return {
    callId,
    step,
    slot: index,
    result,
    text,
    events: [{ key: `result:${callId}`, body: { type: 'tool_result', ...body } }],
  };
}
