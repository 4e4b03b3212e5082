// Small makers for tests of the turn: an execution, calls, replies, and a turn that stands in its first round.
import { createHash } from 'node:crypto';
import type { CallFacts } from '../../core/assessment.ts';
import type { ExecutionSubset } from '../../core/execution.ts';
import { withAsked, withBegun, withReply } from '../../core/loop-control.ts';
import type { Move } from '../../core/move.ts';
import type { Begun, ProviderInput, Reply } from '../../core/ports.ts';
import type { Settled, Verdict } from '../../core/question.ts';
import type { Slot } from '../../core/round-state.ts';
import type { CallNotice, FilledStatus, SlotResult } from '../../core/slot.ts';
import { nextMove } from '../../core/turn.ts';
import { newTurn, type TurnState } from '../../core/turn-state.ts';

export const NOW = 1_700_000_000_000;
export const TURN = '01hzturn00000000000000test';
export const USAGE = { inputTokens: 10, outputTokens: 5, cachedInputTokens: 0, reasoningTokens: 0, costUsd: 0.01 };

export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

export type SubsetOptions = {
  access?: Partial<ExecutionSubset['access']>;
  knobs?: Partial<ExecutionSubset['knobs']>;
  asking?: Partial<ExecutionSubset['asking']>;
};

export function subsetOf({ access, knobs, asking }: SubsetOptions = {}): ExecutionSubset {
  return {
    hash: sha256('execution'),
    policyHash: sha256('policy'),
    access: {
      autonomy: 'supervised',
      alwaysAsk: [],
      autoApprove: [],
      blockHighRisk: true,
      askMediumRisk: true,
      ...access,
    },
    knobs: {
      parallelTools: true,
      maxParallelTools: 8,
      maxToolIterations: 10,
      maxToolResultChars: 50_000,
      dedupExempt: [],
      cancelGraceMs: 5_000,
      onUnknown: 'report',
      ...knobs,
    },
    asking: { mode: 'ask', timeoutMs: 300_000, ...asking },
  };
}

export type CallOptions = Partial<Omit<CallNotice, 'facts'>> & { args?: unknown; facts?: Partial<CallFacts> };

const READ: CallFacts = { effect: 'none', risk: 'low', reasons: [], assessed: true };

/** One call as a reply brings it; by default it only reads and needs nobody. */
export function callOf(step: number, slot: number, options: CallOptions = {}): CallNotice {
  const { args = { slot }, facts, name = 'read', ...rest } = options;
  return {
    callId: `c${step}-${slot}`,
    slot,
    name,
    argumentHash: sha256(`${name} ${JSON.stringify(args)}`),
    summary: JSON.stringify(args).slice(0, 200),
    facts: { ...READ, ...facts },
    executor: 'activity',
    timeoutMs: 120_000,
    ...rest,
  };
}

/** Needs an approval under the default policy. */
export const GATED = { name: 'pay', facts: { effect: 'once', risk: 'medium' } } as const satisfies CallOptions;
export const WRITES = { name: 'write', facts: { effect: 'idempotent', risk: 'low' } } as const satisfies CallOptions;
export const ASKS = { name: 'ask_user', executor: 'ask_user' } as const satisfies CallOptions;
export const WAITS = { name: 'wait', executor: 'wait', waitMs: 60_000 } as const satisfies CallOptions;

export function resultOf(status: FilledStatus = 'done'): SlotResult {
  const success = status === 'done' || status === 'replaced';
  return { status, success, ref: sha256(status), size: 4, preview: status, durationMs: 1 };
}

export const begunOf = (options: SubsetOptions = {}, more: Partial<Extract<Begun, { kind: 'begun' }>> = {}): Begun => ({
  kind: 'begun',
  subset: subsetOf(options),
  head: 'h0',
  attributes: true,
  ...more,
});

export const replyOf = (calls: CallNotice[], more: Partial<Extract<Reply, { kind: 'reply' }>> = {}): Reply => ({
  kind: 'reply',
  head: 'h1',
  calls,
  usage: USAGE,
  model: 'local/small',
  ...more,
});

export const acceptedOf = (decisionId: string, verdict: Verdict, by = 'alice'): Settled => ({
  outcome: 'accepted',
  decisionId,
  by,
  at: '2026-01-01T00:00:00.000Z',
  verdict,
});

/** The verdict of a plain "yes". */
export const runs = (call: CallNotice): Verdict => ({ kind: 'run', argumentHash: call.argumentHash });
export const filledWith = (status: FilledStatus, by: 'operator' | 'timeout' | 'policy' = 'operator'): Verdict => ({
  kind: 'filled',
  result: resultOf(status),
  by,
});

/** A turn that has begun and stands at its first boundary. */
export function begunTurn(options: SubsetOptions = {}): TurnState {
  return withBegun(newTurn(TURN), begunOf(options));
}

export function moveOf<K extends Move['kind']>(state: TurnState, kind: K, now = NOW): Extract<Move, { kind: K }> {
  const move = nextMove(state, now);
  if (move.kind !== kind) throw new Error(`${kind} was expected, and it is ${JSON.stringify(move).slice(0, 400)}`);
  return move as Extract<Move, { kind: K }>;
}

/** Asks the model once and folds in what it said. */
export function answered(state: TurnState, reply: Reply, now = NOW): TurnState {
  const { request } = moveOf(state, 'call-provider', now);
  return withReply(withAsked(state, request), { request, now }, reply);
}

export const requestOf = (state: TurnState, now = NOW): ProviderInput => moveOf(state, 'call-provider', now).request;

/** A turn in the round of its first reply: calls are given by what is special about them. */
export function inRound(calls: CallOptions[], options: SubsetOptions = {}): TurnState {
  const notices = calls.map((each, slot) => callOf(1, slot, each));
  return answered(begunTurn(options), replyOf(notices));
}

export function slotsOf(state: TurnState): Slot[] {
  if (state.phase.at !== 'round') throw new Error(`the turn is at ${state.phase.at}, in no round`);
  return state.phase.round.slots;
}

export const kindsOf = (state: TurnState): string[] => slotsOf(state).map((slot) => slot.is);
