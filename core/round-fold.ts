/** What the answers of the world do to a round. Every function takes the state and gives the next one. */
import { outcomeOf } from './outcome.ts';
import type { AnnounceInput, CallFate, SettleInput, ToolAnswer } from './ports.ts';
import { approvalIdOf, type Settled, type Verdict } from './question.ts';
import { callKey, withRefused } from './refusals.ts';
import { isClosed, type Round, type Slot, type SlotState } from './round-state.ts';
import type { SlotResult } from './slot.ts';
import { executionOf, type TurnState } from './turn-state.ts';

/** Attempts of a call that never began or may be repeated (C6.2); beyond that it is reported as it stands. */
const MAX_ATTEMPTS = 20;

export function roundOf(state: TurnState): Round | undefined {
  return state.phase.at === 'round' ? state.phase.round : undefined;
}

/** A round whose slots are all closed becomes what the transcript lacks (T3). */
export function closeRound(state: TurnState): TurnState {
  const round = roundOf(state);
  if (!round?.slots.every(isClosed)) return state;
  const fills = round.slots.flatMap((slot) =>
    slot.is === 'decided' && !round.announced.includes(slot.call.callId) ? [slot.fill] : [],
  );
  const append = { round: { step: round.step }, fills, steering: [], notes: [] };
  if (state.cancel) return { ...state, phase: { at: 'ending', append, outcome: outcomeOf('cancelled', state.usage) } };
  return { ...state, answers: [], phase: { at: 'boundary', append } };
}

function withSlots(state: TurnState, change: (slot: Slot) => Slot): TurnState {
  const round = roundOf(state);
  if (!round) return state;
  const slots = round.slots.map((slot) => (isClosed(slot) ? slot : change(slot)));
  return closeRound({ ...state, phase: { at: 'round', round: { ...round, slots } } });
}

function withSlot(state: TurnState, place: number, change: (slot: Slot) => Slot): TurnState {
  return withSlots(state, (slot) => (slot.call.slot === place ? change(slot) : slot));
}

/** A slot in a new state; what belongs to the call itself stays. */
function turned({ call, attempt, decisionId, unknowns }: Slot, to: SlotState): Slot {
  return { call, attempt, ...(decisionId ? { decisionId } : {}), ...(unknowns ? { unknowns } : {}), ...to };
}

export function withAnnounced(state: TurnState, request: AnnounceInput): TurnState {
  const round = roundOf(state);
  if (!round) return state;
  const keys = [
    ...request.questions.map((q) => q.approvalId),
    ...request.starts,
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
      return withSlot(state, at.slot, (each) => turned(each, { is: 'lost' }));
    case 'held':
      return withHeldCall(state, at, answer);
  }
}

/** Nothing began: it is ready again, and the flag that stood is ours too. */
function withHeldCall(
  state: TurnState,
  at: { slot: number; now: number },
  answer: Extract<ToolAnswer, { kind: 'held' }>,
): TurnState {
  const ready = withSlot(state, at.slot, (slot) => ({ ...turned(slot, { is: 'ready' }), attempt: slot.attempt - 1 }));
  if (answer.why !== 'paused')
    return withCancel(ready, { by: answer.why, reason: answer.why, at: at.now, native: true });
  const stale = answer.at <= state.pause.resumedAt;
  return stale ? ready : { ...ready, pause: { ...ready.pause, held: true } };
}

export function withResolving(state: TurnState, place: number): TurnState {
  return withSlot(state, place, (slot) => turned(slot, { is: 'resolving' }));
}

export function withFate(state: TurnState, place: number, fate: CallFate, now: number): TurnState {
  return withSlot(state, place, (slot) => {
    if (fate.kind === 'filled') return turned(slot, { is: 'filled', result: fate.result });
    if (fate.kind === 'again' && !state.cancel && slot.attempt < MAX_ATTEMPTS) return turned(slot, { is: 'ready' });
    if (fate.kind === 'unknown' && !state.cancel) return askUnknown(state, slot, now);
    return interrupted(slot, fate.kind === 'unknown');
  });
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

function interrupted(slot: Slot, began: boolean): Slot {
  const status = began && slot.call.facts.effect !== 'none' ? 'unknown' : 'interrupted';
  return turned(slot, { is: 'decided', fill: { callId: slot.call.callId, status, began } });
}

/** One slot of the workflow's own clock is due and being recorded. */
export function withRecording(state: TurnState, callIds: string[]): TurnState {
  return withSlots(state, (slot) => (callIds.includes(slot.call.callId) ? turned(slot, { is: 'recording' }) : slot));
}

export function withRecorded(state: TurnState, callIds: string[], results: SlotResult[]): TurnState {
  return withSlots(state, (slot) => {
    const result = results[callIds.indexOf(slot.call.callId)];
    return result ? turned(slot, { is: 'filled', result }) : slot;
  });
}

export function withSettling(state: TurnState, request: SettleInput): TurnState {
  return withSlots(state, (slot) =>
    slot.is === 'asking' && slot.question.approvalId === request.question.approvalId
      ? turned(slot, { is: 'settling', question: slot.question })
      : slot,
  );
}

/** Folds in what settling made of an answer; the answer leaves the queue, whatever became of it (T6). */
export function withSettled(state: TurnState, request: SettleInput, settled: Settled): TurnState {
  const { question, answer } = request;
  const decisionId = answer.kind === 'decision' ? answer.decisionId : undefined;
  const answers = state.answers.filter((each) => each.decisionId !== decisionId);
  const noted = { ...state, answers, decided: decided(state, request, settled) };
  return withSlots(withRefusal(noted, request, settled), (slot) => {
    if (slot.is !== 'settling' || slot.question.approvalId !== question.approvalId) return slot;
    if (settled.outcome === 'discarded') return turned(slot, { is: 'asking', question });
    if (settled.outcome === 'late') return interrupted(slot, false);
    return afterVerdict(slot, settled.decisionId, settled.verdict);
  });
}

function afterVerdict(slot: Slot, decisionId: string, verdict: Verdict): Slot {
  switch (verdict.kind) {
    case 'filled':
      return turned(slot, { is: 'filled', result: verdict.result });
    case 'retry':
      return turned(slot, { is: 'ready' });
    case 'run': {
      const call = verdict.edited
        ? {
            ...slot.call,
            argumentHash: verdict.argumentHash,
            summary: verdict.edited.summary,
            facts: verdict.edited.facts,
          }
        : slot.call;
      return { ...turned({ ...slot, call }, { is: 'ready' }), decisionId };
    }
    case 'continue':
    case 'stop':
      return turned(slot, { is: 'ready' });
  }
}

function withRefusal(state: TurnState, request: SettleInput, settled: Settled): TurnState {
  if (settled.outcome !== 'accepted' || settled.verdict.kind !== 'filled' || request.question.kind !== 'tool')
    return state;
  const { result } = settled.verdict;
  if (result.status !== 'denied' && result.status !== 'expired') return state;
  const slot = roundOf(state)?.slots.find((each) => each.call.callId === request.question.callId);
  return slot ? withRefused(state, callKey(slot.call), result.status === 'expired' ? 'timeout' : settled.by) : state;
}

function decided(state: TurnState, { answer, question }: SettleInput, settled: Settled): TurnState['decided'] {
  const mine = answer.kind === 'decision' ? answer.decisionId : '';
  const reply =
    settled.outcome === 'accepted'
      ? ({ state: 'accepted' } as const)
      : settled.outcome === 'discarded'
        ? ({ state: 'invalid', reason: settled.reason } as const)
        : settled.state === 'decided'
          ? ({ state: 'already_decided', by: settled.by, at: settled.at } as const)
          : ({ state: settled.state } as const);
  const entry = {
    decisionId: mine,
    approvalId: question.approvalId,
    answer: reply,
    ...(settled.outcome === 'accepted' ? { by: settled.by, at: settled.at } : {}),
  };
  return [...state.decided, entry].slice(-64);
}

/** A cancel: what is open closes now, what runs has its grace (C6.5). The first one stays. */
export function withCancel(state: TurnState, cancel: TurnState['cancel']): TurnState {
  if (state.cancel || !cancel) return state;
  return withSlots({ ...state, cancel }, (slot) => {
    if (slot.is === 'ready' || slot.is === 'asking')
      return interrupted(slot, slot.unknowns !== undefined && slot.is === 'asking');
    if (slot.is === 'timing') return interrupted(slot, true);
    return slot;
  });
}

/** The clock: after a cancel's grace nobody waits for a running call any more; the ledger is asked. */
export function withTime(state: TurnState, now: number): TurnState {
  if (!state.cancel || !state.execution) return state;
  const over = state.cancel.at + state.execution.knobs.cancelGraceMs;
  if (now < over) return state;
  return withSlots(state, (slot) => (slot.is === 'running' ? turned(slot, { is: 'lost' }) : slot));
}

/** After a cancel a settled or resolved call does not start any more (T4). */
export function withoutStarts(state: TurnState): TurnState {
  if (!state.cancel) return state;
  return withSlots(state, (slot) => (slot.is === 'ready' || slot.is === 'asking' ? interrupted(slot, false) : slot));
}
