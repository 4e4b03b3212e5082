/** A turn as the interface shows it (I4): times in ISO 8601, everything that a person or model wrote scrubbed. */
import type { Turn, TurnSlot } from '../client/types.ts';
import { shorten } from '../core/graphemes.ts';
import type { SlotRow, Store, TurnRow } from '../store/api.ts';
import type { Renderer } from './ports.ts';

export const iso = (ms: number) => new Date(ms).toISOString();

/** In a list a turn is cut short: a page of long ones would be megabytes. The turn by itself is whole. */
const LISTED_TEXT = 1_000;
const LISTED_SLOTS = 100;

export async function listedTurnJson(store: Store, render: Renderer, row: TurnRow): Promise<Turn> {
  const turn = await turnJson(store, render, row);
  return { ...turn, text: shorten(turn.text, LISTED_TEXT), slots: turn.slots.slice(-LISTED_SLOTS) };
}

export async function turnJson(store: Store, render: Renderer, row: TurnRow): Promise<Turn> {
  const slots = await store.turns.slots(row.turnId);
  return {
    turnId: row.turnId,
    workflowId: row.workflowId,
    agent: row.agent,
    ...(row.session === undefined ? {} : { session: row.session }),
    ...(row.parent === undefined ? {} : { parent: row.parent }),
    text: render.text(row.text),
    status: row.status,
    iteration: row.iteration,
    slots: slots.map((slot) => slotJson(slot, render)),
    ...endingOf(row, render),
    usage: row.usage,
    createdAt: iso(row.createdAt),
    ...(row.startedAt === undefined ? {} : { startedAt: iso(row.startedAt) }),
    ...(row.endedAt === undefined ? {} : { endedAt: iso(row.endedAt) }),
  };
}

function endingOf(row: TurnRow, render: Renderer): Partial<Turn> {
  return {
    ...(row.answer === undefined ? {} : { answer: render.text(row.answer) }),
    ...(row.stopReason === undefined ? {} : { stopReason: row.stopReason }),
    ...(row.error === undefined ? {} : { error: { type: row.error.type, message: render.text(row.error.message) } }),
    ...(row.note === undefined ? {} : { note: render.text(row.note) }),
  };
}

function slotJson(slot: SlotRow, render: Renderer): TurnSlot {
  return {
    callId: slot.callId,
    tool: slot.tool,
    status: slot.status,
    summary: render.text(slot.summary),
    ...(slot.result === undefined ? {} : { success: slot.result.success }),
  };
}
