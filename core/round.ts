/** One round: the slots of a reply from "prepared" to "all closed", and what they need next (C4.11, C5, C6). */
import { runnable } from './dispatch.ts';
import type { Move } from './move.ts';
import type { OpenQuestion } from './question.ts';
import { announceKey, isClosed, type Round } from './round-state.ts';
import { executionOf, type TurnState } from './turn-state.ts';
import { waitFill } from './wait-fill.ts';

export function roundMove(state: TurnState, round: Round, now: number): Move {
  return (
    resolveMove(state, round) ??
    announceMove(state, round) ??
    settleMove(state, round, now) ??
    runMove(state, round, now) ??
    recordMove(state, round, now) ?? { kind: 'wait', until: nextTime(state, round, now) }
  );
}

function resolveMove(state: TurnState, round: Round): Move | undefined {
  const slot = round.slots.find((each) => each.is === 'lost');
  if (!slot) return undefined;
  const { knobs, asking } = executionOf(state);
  const mode = state.cancel ? 'cancel' : asking.mode === 'deny' ? 'report' : knobs.onUnknown;
  const { slot: place } = slot.call;
  return {
    kind: 'resolve',
    call: slot.call,
    request: { turnId: state.turnId, step: round.step, slot: place, attempt: slot.attempt, mode },
  };
}

/** What readers must hear of now: open questions, calls that the workflow carries out, fills beside calls that go on. */
function announceMove(state: TurnState, round: Round): Move | undefined {
  const fresh = round.slots.filter((slot) => !round.announced.includes(announceKey(slot)));
  const questions = fresh.flatMap((slot) => (slot.is === 'asking' ? [slot.question] : []));
  const starts = fresh.flatMap((slot) => (slot.is === 'timing' ? [slot.call.callId] : []));
  const fills = round.slots.some((slot) => !isClosed(slot))
    ? fresh.flatMap((slot) => (slot.is === 'decided' ? [slot.fill] : []))
    : [];
  if (questions.length + starts.length + fills.length === 0) return undefined;
  const { policyHash } = executionOf(state);
  return {
    kind: 'announce',
    request: { turnId: state.turnId, step: round.step, policyHash, questions, starts, fills },
  };
}

function settleMove(state: TurnState, round: Round, now: number): Move | undefined {
  if (round.slots.some((slot) => slot.is === 'settling')) return undefined;
  const { policyHash } = executionOf(state);
  const request = { turnId: state.turnId, policyHash };
  for (const answer of state.answers) {
    const question = askingOf(round, answer.approvalId);
    if (question)
      return {
        kind: 'settle',
        request: { ...request, question, answer: { kind: 'decision', decisionId: answer.decisionId } },
      };
  }
  for (const slot of round.slots) {
    if (slot.is !== 'asking' || slot.question.expiresAt > now) continue;
    return { kind: 'settle', request: { ...request, question: slot.question, answer: { kind: 'expired' } } };
  }
  return undefined;
}

const askingOf = (round: Round, approvalId: string): OpenQuestion | undefined =>
  round.slots.flatMap((slot) =>
    slot.is === 'asking' && slot.question.approvalId === approvalId ? [slot.question] : [],
  )[0];

function runMove(state: TurnState, round: Round, now: number): Move | undefined {
  if (state.cancel || state.pause.held || state.retry.until > now) return undefined;
  const { knobs, hash } = executionOf(state);
  const calls = runnable(round, knobs.maxParallelTools).map(({ call, attempt, decisionId }) => ({
    call,
    request: {
      turnId: state.turnId,
      step: round.step,
      slot: call.slot,
      attempt: attempt + 1,
      executionHash: hash,
      ...(decisionId ? { decisionId } : {}),
    },
  }));
  return calls.length > 0 ? { kind: 'run-tools', calls } : undefined;
}

function recordMove(state: TurnState, round: Round, now: number): Move | undefined {
  const due = round.slots.filter((slot) => slot.is === 'timing' && slot.until <= now);
  if (due.length === 0) return undefined;
  const fills = due.map((slot) => waitFill(slot.call));
  return { kind: 'record', request: { turnId: state.turnId, step: round.step, fills } };
}

/** The next moment at which something happens by itself; what the end of a settlement brings about is not awaited here. */
function nextTime(state: TurnState, round: Round, now: number): number | null {
  const grace = state.cancel ? executionOf(state).knobs.cancelGraceMs : 0;
  const settling = round.slots.some((slot) => slot.is === 'settling');
  const times = round.slots.flatMap((slot) => {
    if (slot.is === 'asking') return settling ? [] : [slot.question.expiresAt];
    if (slot.is === 'timing') return [slot.until];
    if (slot.is === 'running' && state.cancel) return [state.cancel.at + grace];
    if (slot.is === 'ready' && !state.pause.held && state.retry.until > now) return [state.retry.until];
    return [];
  });
  return times.length > 0 ? Math.min(...times) : null;
}
