/** The state of a turn, JSON-safe: the whole of what a workflow carries, also over continue-as-new. */
import type { ExecutionSubset } from './execution.ts';
import { NO_RETRY, type Retry } from './later.ts';
import type { Outcome } from './outcome.ts';
import type { Append, Steer, TurnStart } from './ports.ts';
import type { OpenQuestion } from './question.ts';
import type { Round } from './round-state.ts';
import { NO_USAGE, type Usage } from './usage.ts';

export type Answer = { approvalId: string; decisionId: string };

/** What a sender of an answer is told. */
export type AnswerReply =
  | { state: 'accepted' }
  | { state: 'already_decided'; by: string; at: string }
  | { state: 'expired' | 'withdrawn' }
  | { state: 'invalid'; reason: string };

export type DecidedAnswer = { decisionId: string; approvalId: string; answer: AnswerReply; by?: string; at?: string };

export type Phase =
  | { at: 'begin' }
  /** Between iterations, nothing in flight. `final`: the model has answered; the turn ends unless something came in. */
  | { at: 'boundary'; append: Append; final?: Outcome; note?: string }
  | { at: 'asking-model'; append: Append }
  | { at: 'round'; round: Round }
  | { at: 'ending'; append: Append; outcome: Outcome; cutStep?: number; note?: string }
  | { at: 'ended'; outcome: Outcome };

export type Cancel = { by: string; reason: string; at: number; native: boolean };

export type TurnState = {
  v: 1;
  turnId: string;
  start?: TurnStart;
  phase: Phase;
  execution: ExecutionSubset | null;
  attributes: boolean;
  head: string;
  step: number;
  iteration: number;
  scheduling: number;
  usage: Usage;
  /** `resumedAt`: a hold that a slower activity reports from before it is stale. */
  pause: { held: boolean; resumedAt: number };
  /** The store refused what the turn took for possible: when to look again. */
  retry: Retry;
  cancel: Cancel | null;
  /** Steering that no provider call has taken yet. */
  inbox: Steer[];
  /** Answers to open questions in the order of arrival. */
  answers: Answer[];
  /** The last 64 answers that were settled, for repeats. */
  decided: DecidedAnswer[];
  /** The last 256 steering ids. */
  seen: string[];
  /** Calls that were asked and not approved (C4.5). */
  refused: { key: string; by: string; repeats: number }[];
};

export function newTurn(turnId: string, start?: TurnStart): TurnState {
  return {
    v: 1,
    turnId,
    ...(start ? { start } : {}),
    phase: { at: 'begin' },
    execution: null,
    attributes: false,
    head: '',
    step: 0,
    iteration: 0,
    scheduling: 0,
    usage: NO_USAGE,
    pause: { held: false, resumedAt: 0 },
    retry: NO_RETRY,
    cancel: null,
    inbox: [],
    answers: [],
    decided: [],
    seen: [],
    refused: [],
  };
}

/** The execution; the turn has begun when anybody asks. */
export function executionOf(state: TurnState): ExecutionSubset {
  if (!state.execution) throw new Error('the turn has not begun');
  return state.execution;
}

export function openQuestions(state: TurnState): OpenQuestion[] {
  if (state.phase.at !== 'round') return [];
  return state.phase.round.slots.flatMap((slot) =>
    slot.is === 'asking' || slot.is === 'settling' ? [slot.question] : [],
  );
}

export const NOTHING: Append = { fills: [], steering: [], notes: [] };
