/** What the answers of the world do to the calls of a round. Every function takes the state and gives the next one. */
import { withCancel } from './cancel.ts';
import { later } from './later.ts';
import type { AnnounceInput, CallFate, ToolAnswer } from './ports.ts';
import { approvalIdOf } from './question.ts';
import { type Slot, startKey } from './round-state.ts';
import type { SlotResult } from './slot.ts';
import { interrupted, roundOf, turned, withSlot, withSlots } from './slot-change.ts';
import { executionOf, type TurnState } from './turn-state.ts';
import { waitFill } from './wait-fill.ts';

/** Attempts of a call that never began or may be repeated (C6.2); beyond that it is reported as it stands. */
const MAX_ATTEMPTS = 20;
/** Attempts that follow each other at once. */
const QUICK_ATTEMPTS = 3;

export function withAnnounced(state: TurnState, request: AnnounceInput): TurnState {
  const round = roundOf(state);
  if (!round) return state;
  const keys = [
    ...request.questions.map((q) => q.approvalId),
    ...request.starts.map(startKey),
    ...request.fills.map((fill) => fill.callId),
  ];
  return { ...state, phase: { at: 'round', round: { ...round, announced: [...round.announced, ...keys] } } };
}

/** Calls that were started; those of the workflow's own clock begin to wait. */
export function withStarted(state: TurnState, places: number[], now: number): TurnState {
  return withSlots(state, (slot) => {
    if (!places.includes(slot.call.slot)) return slot;
    if (slot.call.executor === 'wait') return turned(slot, { is: 'timing', until: now + (slot.call.waitMs ?? 0) });
    return { ...turned(slot, { is: 'running', since: now }), attempt: slot.attempt + 1 };
  });
}

/** Ignored unless that very attempt is still awaited: what comes after a cancel's grace changes nothing shown (C6.5). */
export function withToolAnswer(
  state: TurnState,
  at: { slot: number; attempt: number; now: number },
  answer: ToolAnswer,
): TurnState {
  const slot = roundOf(state)?.slots[at.slot];
  if (slot?.is !== 'running' || slot.attempt !== at.attempt) return state;
  switch (answer.kind) {
    case 'result':
      return withSlot(state, at.slot, (each) => turned(each, { is: 'filled', result: answer.result }));
    case 'lost':
      return withSlot(state, at.slot, (each) => turned(each, { is: 'lost' }));
    case 'unavailable':
      return { ...notBegun(state, at.slot), retry: later(state.retry, at.now) };
    case 'held':
      return withHeldCall(state, at, answer);
  }
}

/** It is ready again, and that attempt was none. */
function notBegun(state: TurnState, place: number): TurnState {
  return withSlot(state, place, (slot) => ({ ...turned(slot, { is: 'ready' }), attempt: slot.attempt - 1 }));
}

/** The flag that stood is ours too, unless the turn knows that it was lifted: then it looks again a little later. */
function withHeldCall(
  state: TurnState,
  at: { slot: number; now: number },
  answer: Extract<ToolAnswer, { kind: 'held' }>,
): TurnState {
  const ready = notBegun(state, at.slot);
  if (answer.why !== 'paused')
    return withCancel(ready, { by: answer.why, reason: answer.why, at: at.now, native: true });
  if (answer.at <= state.pause.resumedAt) return { ...ready, retry: later(state.retry, at.now) };
  return { ...ready, pause: { ...ready.pause, held: true } };
}

export function withResolving(state: TurnState, place: number): TurnState {
  return withSlot(state, place, (slot) => turned(slot, { is: 'resolving' }));
}

export function withFate(state: TurnState, place: number, fate: CallFate, now: number): TurnState {
  const slot = roundOf(state)?.slots[place];
  if (slot?.is !== 'resolving') return state;
  const next = withSlot(state, place, (each) => afterFate(state, each, fate, now));
  const slow = fate.kind === 'again' && slot.attempt >= QUICK_ATTEMPTS;
  return slow ? { ...next, retry: later(state.retry, now) } : next;
}

function afterFate(state: TurnState, slot: Slot, fate: CallFate, now: number): Slot {
  if (fate.kind === 'filled') return turned(slot, { is: 'filled', result: fate.result });
  const known: Slot = fate.kind === 'unknown' || fate.began === true ? { ...slot, begun: true } : slot;
  if (fate.kind === 'again' && !state.cancel && slot.attempt < MAX_ATTEMPTS) return turned(known, { is: 'ready' });
  if (fate.kind === 'unknown' && !state.cancel) return askUnknown(state, known, now);
  return interrupted(known);
}

function askUnknown(state: TurnState, slot: Slot, now: number): Slot {
  const nth = (slot.unknowns ?? 0) + 1;
  const question = {
    approvalId: approvalIdOf(state.turnId, slot.call.callId, 'unknown', nth),
    kind: 'unknown',
    callId: slot.call.callId,
    askedAt: now,
    expiresAt: now + executionOf(state).asking.timeoutMs,
  } as const;
  return { ...turned(slot, { is: 'asking', question }), unknowns: nth };
}

/** One slot of the workflow's own clock is due and being recorded. */
export function withRecording(state: TurnState, callIds: string[]): TurnState {
  return withSlots(state, (slot) => (callIds.includes(slot.call.callId) ? turned(slot, { is: 'recording' }) : slot));
}

/** What could not be recorded now rides on what comes next: the wait itself is over. */
export function withRecorded(state: TurnState, callIds: string[], results: SlotResult[]): TurnState {
  const whole = results.length === callIds.length;
  return withSlots(state, (slot) => {
    const place = callIds.indexOf(slot.call.callId);
    if (place < 0 || slot.is !== 'recording') return slot;
    const result = whole ? results[place] : undefined;
    return turned(slot, result ? { is: 'filled', result } : { is: 'decided', fill: waitFill(slot.call) });
  });
}
