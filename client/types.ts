/** The JSON that the HTTP interface speaks. Times are ISO 8601 UTC, durations milliseconds with an `Ms` suffix. */
import type { QuestionKind } from '../core/events.ts';
import type { Json } from '../core/json.ts';
import type { StopReason, TurnError, TurnStatus } from '../core/outcome.ts';
import type { SlotStatus } from '../core/slot.ts';
import type { Usage } from '../core/usage.ts';

/** How questions of a turn are put: shown to somebody who is there, left open for long, or not put at all. */
export type ApprovalMode = 'ask' | 'park' | 'deny';

export type StartTurn = {
  /** Default: the agent `main`, else the only one. */
  agent?: string;
  text: string;
  /** Turns of one session run one at a time and share a transcript. */
  session?: string;
  /** Further narrows the agent's tools; `[]` means none. */
  allowedTools?: string[];
  approvals?: ApprovalMode;
};

/** `steered`: the message went into the session's running turn, whose id this is (`session.on_busy: steer`). */
export type StartedTurn = { turnId: string; workflowId: string; steered?: true };

export type TurnSlot = {
  callId: string;
  tool: string;
  status: SlotStatus;
  summary: string;
  /** Set once the slot is filled. */
  success?: boolean;
};

export type Turn = {
  turnId: string;
  workflowId: string;
  agent: string;
  session?: string;
  parent?: string;
  /** The first message. */
  text: string;
  status: TurnStatus;
  iteration: number;
  slots: TurnSlot[];
  answer?: string;
  stopReason?: StopReason;
  error?: TurnError;
  /** What the engine has to say about the way it ended, for example that a cap was reached. */
  note?: string;
  usage: Usage;
  createdAt: string;
  startedAt?: string;
  endedAt?: string;
};

export type Page<T> = { items: T[]; next?: string };

export type TurnQuery = {
  /** One or more, or `open` for all that have not ended. */
  status?: TurnStatus | 'open' | (TurnStatus | 'open')[];
  agent?: string;
  session?: string;
  /** Part of the first message or the answer. */
  q?: string;
  cursor?: string;
};

export type TranscriptMessage = {
  role: 'user' | 'assistant' | 'tool';
  text?: string;
  calls?: { callId: string; name: string; arguments: Json }[];
  results?: { callId: string; name: string; text: string; success: boolean }[];
};

export type TurnTranscript = { messages: TranscriptMessage[]; head: string };

export type CallResult = {
  callId: string;
  status: SlotStatus;
  success: boolean;
  text: string;
  /** Characters of the text as the model read it. */
  size: number;
  durationMs: number;
  receipt?: string;
};

/** `accepted`: the turn has it; `queued`: it is stored and will be taken as soon as a worker is there. */
export type SteerOutcome = { id: string; state: 'accepted' | 'queued' | 'taken' | 'handed_on' };
export type CancelOutcome = { state: 'cancelling' | 'cancelled' };

export type ApprovalState = 'open' | 'settling' | 'decided' | 'expired' | 'withdrawn';

export type Approval = {
  approvalId: string;
  kind: QuestionKind;
  turnId: string;
  callId: string;
  agent: string;
  session?: string;
  tool: string;
  summary: string;
  /** Secrets are replaced by placeholders; an edit may leave those where they are. */
  arguments: Json;
  argumentHash: string;
  risk: { level: string; reasons: string[] };
  path: string[];
  askedAt: string;
  expiresAt: string;
  state: ApprovalState;
  /** What an answer may say. */
  choices: readonly string[];
  decision?: { decisionId: string; choice: string; by: string; surface: string; at: string; note?: string };
};

export type ApprovalQuery = { state?: 'open' | 'decided'; turn?: string; cursor?: string };

export type DecisionRequest = {
  /** Of the call as it was shown; another one is refused. */
  argumentHash: string;
  choice: string;
  /** The same id again gets the first outcome. Default: a new one. */
  decisionId?: string;
  /** Reaches the model; at most 4 KiB. */
  note?: string;
  /** `edit`: the new arguments. */
  arguments?: { [key: string]: Json };
  /** `replace`, `answer`: at most 65,536 bytes. */
  text?: string;
};

export type DecisionOutcome =
  | { state: 'accepted'; decisionId: string }
  | { state: 'queued'; decisionId: string }
  | { state: 'already_decided'; by: string; at: string };

export type Held = { by: string; reason: string; at: string };

export type Status = {
  version: string;
  openTurns: number;
  openApprovals: number;
  paused: Held | null;
  estop: Held | null;
  workers: { polling: number; identities: string[] };
  temporal: { reachable: boolean; address: string; namespace: string; taskQueue: string; why?: string };
  history: { encrypted: boolean };
  /** `held`: why the reconciler ends nothing at the moment. */
  reconciler: { leader: boolean; lastRunAt: string | null; held: string | null };
};

export type EstopOutcome = { state: 'estop'; cancelled: string[] };
