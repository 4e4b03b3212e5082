/** Preparation (C4): each call of a reply, in the model's order, becomes ready, asked, or closed with a reason. */
import { evaluateAccess } from './access.ts';
import { roundMode } from './dispatch.ts';
import { outcomeOf } from './outcome.ts';
import { approvalIdOf } from './question.ts';
import { callKey, withRefused, withRepeat } from './refusals.ts';
import type { Slot } from './round-state.ts';
import type { CallNotice, Fill } from './slot.ts';
import { closeRound } from './slot-change.ts';
import { executionOf, type TurnState } from './turn-state.ts';

/** Calls that are never taken for duplicates (C4.6). */
const NEVER_DUPLICATE = ['delegate', 'spawn_subagent'];

/** The third repeat of a call that was not approved ends the turn (C4.5). */
const LAST_REPEAT = 3;

/** Enters the round of a reply. */
export function prepareRound(state: TurnState, step: number, calls: CallNotice[], now: number): TurnState {
  const slots: Slot[] = [];
  let next = state;
  for (const call of calls) {
    const made = prepareCall(next, call, { seen: calls.slice(0, call.slot), now });
    next = made.state;
    slots.push(made.slot);
    if (made.abort)
      return aborted(next, step, [...slots, ...calls.slice(slots.length).map((rest) => blockedSlot(rest))]);
  }
  const round = { step, mode: roundMode(slots, executionOf(state).knobs), slots, announced: [] };
  return closeRound({ ...next, phase: { at: 'round', round } });
}

type Prepared = { state: TurnState; slot: Slot; abort?: boolean };

function prepareCall(state: TurnState, call: CallNotice, when: { seen: CallNotice[]; now: number }): Prepared {
  const slot = (fill: Omit<Fill, 'callId'>): Slot => ({
    call,
    attempt: 0,
    is: 'decided',
    fill: { callId: call.callId, ...fill },
  });
  if (call.filled) return { state, slot: { call, attempt: 0, is: 'filled', result: call.filled } };
  if (isDuplicate(state, call, when.seen)) return { state, slot: slot({ status: 'duplicate' }) };

  const access = evaluateAccess({
    policy: executionOf(state).access,
    name: call.name,
    inEffectiveSet: true,
    facts: call.facts,
    estopped: false,
  });
  if (access.kind === 'blocked')
    return { state, slot: slot({ status: 'blocked', by: 'policy', reason: access.reason }) };
  if (access.kind === 'ask' || call.executor === 'ask_user') return gate(state, call, when.now);
  return { state, slot: { call, attempt: 0, is: 'ready' } };
}

function isDuplicate(state: TurnState, call: CallNotice, seen: CallNotice[]): boolean {
  const { dedupExempt } = executionOf(state).knobs;
  if (dedupExempt.includes(call.name) || NEVER_DUPLICATE.includes(call.name)) return false;
  return seen.some((earlier) => callKey(earlier) === callKey(call));
}

/** A call that needs a person: asked, or answered from an earlier one of this turn that was not approved. */
function gate(state: TurnState, call: CallNotice, now: number): Prepared {
  const earlier = state.refused.find((each) => each.key === callKey(call));
  if (earlier) return repeatedPrompt(state, call, earlier);
  const { asking: how } = executionOf(state);
  if (how.mode === 'deny') {
    const fill: Fill = { callId: call.callId, status: 'denied', by: 'unreachable' };
    return { state: withRefused(state, callKey(call), 'unreachable'), slot: { call, attempt: 0, is: 'decided', fill } };
  }
  return { state, slot: asking(state, call, now) };
}

function repeatedPrompt(state: TurnState, call: CallNotice, earlier: { by: string; repeats: number }): Prepared {
  const next = withRepeat(state, callKey(call));
  const abort = call.name === 'shell' || earlier.repeats + 1 >= LAST_REPEAT;
  const reason = `This call was already asked in this turn and not approved (decided by: ${earlier.by}).`;
  const fill: Fill = abort
    ? { callId: call.callId, status: 'blocked', by: 'policy', reason: `${reason} The turn ends here.` }
    : { callId: call.callId, status: earlier.by === 'timeout' ? 'expired' : 'denied', by: 'policy', reason };
  return { state: next, slot: { call, attempt: 0, is: 'decided', fill }, ...(abort ? { abort } : {}) };
}

function asking(state: TurnState, call: CallNotice, now: number): Slot {
  const kind = call.executor === 'ask_user' ? 'question' : 'tool';
  const { timeoutMs } = executionOf(state).asking;
  const question = {
    approvalId: approvalIdOf(state.turnId, call.callId, kind),
    kind,
    callId: call.callId,
    askedAt: now,
    expiresAt: now + timeoutMs,
  } as const;
  return { call, attempt: 0, is: 'asking', question };
}

/** Records the round, asks nobody, runs nothing, ends the turn (C4.5). */
function aborted(state: TurnState, step: number, slots: Slot[]): TurnState {
  const closed = slots.map(
    (slot): Slot => (slot.is === 'filled' || slot.is === 'decided' ? slot : blockedSlot(slot.call)),
  );
  const fills = closed.flatMap((slot) => (slot.is === 'decided' ? [slot.fill] : []));
  const message = 'The model kept asking for a call that was not approved.';
  const outcome = outcomeOf('repeated_prompt', state.usage, { type: 'RepeatedPrompt', message });
  return { ...state, phase: { at: 'ending', append: { round: { step }, fills, steering: [], notes: [] }, outcome } };
}

function blockedSlot(call: CallNotice): Slot {
  if (call.filled) return { call, attempt: 0, is: 'filled', result: call.filled };
  const fill: Fill = {
    callId: call.callId,
    status: 'blocked',
    by: 'policy',
    reason: 'The turn was ended before this call.',
  };
  return { call, attempt: 0, is: 'decided', fill };
}
