/**
 * The outside world of a turn, on one screen: what its workflow asks activities to do.
 * Arguments and answers are references and small facts; texts, arguments and results stay in the store.
 */
import type { ExecutionSubset } from './execution.ts';
import type { Outcome, TurnError } from './outcome.ts';
import type { OpenQuestion, Settled } from './question.ts';
import type { CallNotice, Fill, SlotResult } from './slot.ts';
import type { Usage } from './usage.ts';

export type TurnStart = {
  agent: string;
  text: string;
  session?: string;
  allowedTools?: string[];
  approvals?: 'ask' | 'park' | 'deny';
  by?: string;
};

/** A steering message; its text is in the store under `id`, or here when somebody's own workflow sent it. */
export type Steer = { id: string; text?: string; by?: string };

/** What the transcript still lacks: rides on the next provider call, or on the end of the turn. */
export type Append = {
  /** The round whose results follow its assistant message. */
  round?: { step: number };
  /** Slots of that round that the workflow filled and nobody recorded yet. */
  fills: Fill[];
  steering: Steer[];
  /** Notes of the engine to the model (a cut answer, the cap). */
  notes: string[];
};

export type BeginInput = { turnId: string; start?: TurnStart };
export type Begun =
  | {
      kind: 'begun';
      subset: ExecutionSubset;
      head: string;
      /** Flags as the store held them. */
      cancel?: { by: string; reason: string };
      pausedAt?: number;
      /** The search attributes exist, so that the workflow may set them. */
      attributes: boolean;
    }
  | { kind: 'closed'; outcome: Outcome }
  | { kind: 'failed'; error: TurnError };

export type ProviderInput = {
  turnId: string;
  step: number;
  /** How often this turn has scheduled a provider call; with the attempt it makes the epoch. */
  scheduling: number;
  parentHead: string;
  executionHash: string;
  iteration: number;
  /** `summary`: the one call without tools at the cap (C8.2). */
  mode: 'normal' | 'summary';
  append: Append;
};

export type Reply =
  | { kind: 'reply'; head: string; calls: CallNotice[]; usage: Usage; model: string; note?: string; tell?: string }
  /** Every entry of the chain failed; `head` is what has been appended by then. */
  | { kind: 'failed'; head: string; error: TurnError }
  /** Nothing was sent: a flag of the store holds or ends the turn. `head`: what was appended is in. */
  | { kind: 'held'; why: 'paused' | 'estop' | 'cancelled'; at: number; head: string }
  /** The store is not the one this turn knows; nothing was written. The turn waits for it. */
  | { kind: 'unavailable'; why: string }
  /** The row was ended from outside. */
  | { kind: 'closed'; outcome: Outcome };

/** Opens questions; announces calls that the workflow carries out itself; records fills that cannot wait. */
export type AnnounceInput = {
  turnId: string;
  step: number;
  policyHash: string;
  questions: OpenQuestion[];
  starts: string[];
  fills: Fill[];
};

export type SettleInput = {
  turnId: string;
  question: OpenQuestion;
  policyHash: string;
  answer: { kind: 'decision'; decisionId: string } | { kind: 'expired' };
};

export type ToolInput = {
  turnId: string;
  step: number;
  slot: number;
  /** How often the workflow scheduled this call. */
  attempt: number;
  executionHash: string;
  decisionId?: string;
};

export type ToolAnswer =
  | { kind: 'result'; result: SlotResult }
  /** It did not begin: a flag stands. */
  | { kind: 'held'; why: 'paused' | 'estop' | 'cancelled'; at: number }
  /** It did not begin here, or its attempt was given up: ask the ledger. */
  | { kind: 'lost' }
  | { kind: 'unavailable'; why: string };

export type ResolveInput = {
  turnId: string;
  step: number;
  slot: number;
  attempt: number;
  /** `cancel`: the turn is ending; nothing is tried again. `ask`: an operator decides what is unknown. */
  mode: 'report' | 'ask' | 'cancel';
};

export type CallFate =
  | { kind: 'filled'; result: SlotResult }
  /** The attempt is void; the call may be begun again. `began`: it had begun, and what it did is not known. */
  | { kind: 'again'; began?: boolean }
  | { kind: 'unknown' };

export type RecordInput = { turnId: string; step: number; fills: Fill[] };

export type EndInput = {
  turnId: string;
  executionHash: string;
  outcome: Outcome;
  parentHead: string;
  append: Append;
  /** A provider call that was cut: its text is kept with a marker, its stored reply is answered as interrupted. */
  cutStep?: number;
  note?: string;
};

export type Ended = { outcome: Outcome; handedOn: number };

export type TurnPorts = {
  beginTurn(input: BeginInput): Promise<Begun>;
  callProvider(input: ProviderInput): Promise<Reply>;
  announce(input: AnnounceInput): Promise<void>;
  settleQuestion(input: SettleInput): Promise<Settled>;
  runTool(input: ToolInput): Promise<ToolAnswer>;
  resolveCall(input: ResolveInput): Promise<CallFate>;
  recordResults(input: RecordInput): Promise<SlotResult[]>;
  endTurn(input: EndInput): Promise<Ended>;
  /** Messages that came after the end: each is refused or handed on, with an event. */
  turnAway(input: { turnId: string; steering: Steer[] }): Promise<number>;
};

/** What a session needs: a next turn from messages that were handed on; null when there are none. */
export type SessionPorts = { adoptSteering(input: { sessionId: string; turnId: string }): Promise<string | null> };
