/**
 * What the store promises, independent of the database (design.md "Order of truth").
 * Every write is one transaction, idempotent by its key, and says what it found instead of throwing,
 * except for faults of the database itself. Times are milliseconds since the epoch.
 */
import type { Assessment } from '../core/assessment.ts';
import type { EventBody, QuestionKind, TurnEvent } from '../core/events.ts';
import type { Execution } from '../core/execution.ts';
import type { Json, JsonObject } from '../core/json.ts';
import type { Outcome, StopReason, TurnError, TurnStatus } from '../core/outcome.ts';
import type { DecisionBody } from '../core/question.ts';
import type { SlotResult, SlotStatus } from '../core/slot.ts';
import type { Entry } from '../core/transcript.ts';
import type { Usage } from '../core/usage.ts';

export interface Store {
  blobs: Blobs;
  executions: Executions;
  turns: Turns;
  transcript: Transcript;
  events: Events;
  ledger: Ledger;
  results: Results;
  questions: Questions;
  steering: Steering;
  sessions: Sessions;
  control: Control;
  audit: Audit;
  tokens: Tokens;
  leases: Leases;
  meta: Meta;
  /** Round trip to the database; throws when it cannot be written (full disk, read-only). */
  check(): Promise<void>;
  close(): Promise<void>;
}

/** Content-addressed text, key = sha256 hex of the UTF-8 bytes. At most 1 MiB (images later: 5 MB). */
export interface Blobs {
  put(text: string): Promise<string>;
  get(ref: string): Promise<string | undefined>;
}

/** Sealed with the deployment key; `get` refuses a row whose seal or hash is wrong. */
export interface Executions {
  put(execution: Execution): Promise<string>;
  get(hash: string): Promise<Execution | undefined>;
}

// ---- turns ---------------------------------------------------------------------------------------------------------

export type Origin = { surface: string; by: string };

export type NewTurn = {
  turnId: string;
  agent: string;
  text: string;
  session?: string;
  parent?: string;
  /** C2.4: undefined = unrestricted, [] = no tools. */
  allowedTools?: string[];
  approvals?: 'ask' | 'park' | 'deny';
  origin: Origin;
  idempotencyKey?: string;
};

export type Flag = { by: string; reason: string; at: number };

export type TurnRow = {
  turnId: string;
  workflowId: string;
  agent: string;
  session: string | undefined;
  parent: string | undefined;
  text: string;
  allowedTools: string[] | undefined;
  approvals: 'ask' | 'park' | 'deny' | undefined;
  origin: Origin;
  status: TurnStatus;
  iteration: number;
  executionHash: string | undefined;
  /** Head of the transcript as the store knows it; '' before `begin`. */
  head: string;
  answer: string | undefined;
  stopReason: StopReason | undefined;
  error: TurnError | undefined;
  note: string | undefined;
  usage: Usage;
  cancel: Flag | undefined;
  createdAt: number;
  startedAt: number | undefined;
  endedAt: number | undefined;
};

export type SlotRow = {
  callId: string;
  step: number;
  slot: number;
  tool: string;
  summary: string;
  argumentHash: string;
  status: SlotStatus;
  result: SlotResult | undefined;
};

export type TurnFilter = {
  status?: TurnStatus[];
  agent?: string;
  session?: string;
  /** Substring of the first message or the answer. */
  q?: string;
  cursor?: string;
  limit?: number;
};

export interface Turns {
  /** Row `queued`. The same idempotency key with the same content gives the first row; with other content: 'conflict'. */
  enqueue(turn: NewTurn): Promise<{ kind: 'created' | 'existing'; turn: TurnRow } | { kind: 'conflict' }>;
  get(turnId: string): Promise<TurnRow | undefined>;
  list(filter: TurnFilter): Promise<{ items: TurnRow[]; next?: string }>;
  slots(turnId: string): Promise<SlotRow[]>;
  /** Open turns, oldest first (reconciler, supervisor). */
  open(): Promise<TurnRow[]>;
  /**
   * First write of a running turn. Takes the session's head (or '' ), after closing pending tails of that session with
   * synthetic results, appends the user message, writes `turn_started`, sets `running`. Repeating it gives the same answer.
   * `flags` as they stood. A turn that was cancelled while queued: `closed`.
   */
  begin(input: {
    turnId: string;
    /** Used when no row exists (a turn started from somebody's own workflow). */
    start?: Omit<NewTurn, 'turnId'>;
    executionHash: string;
    at: number;
  }): Promise<
    | { kind: 'begun'; head: string; cancel?: Flag; control: ControlState }
    | { kind: 'closed'; outcome: Outcome }
    | { kind: 'missing' }
  >;
  /** Running status as lists show it; ignored once the turn has ended. */
  setStatus(turnId: string, status: TurnStatus, iteration?: number): Promise<void>;
  /** Sets the flag once (the first stays). A queued turn ends here and now (`cancelled`, with `turn_ended`). */
  requestCancel(
    turnId: string,
    flag: Flag,
  ): Promise<'flagged' | 'already_flagged' | 'ended_now' | 'has_ended' | 'missing'>;
  /**
   * The last transaction of a turn (also the reconciler's): appends what is given, closes the epoch, withdraws open
   * questions (with events and audit), settles pending steering (`handed_on` when the turn has a session, else
   * `refused`, with events), writes `turn_ended`, updates the session's head. A cancel flag committed before it turns a
   * completed or failed outcome into `cancelled`. The first one decides; a repeat gets what it decided.
   */
  end(input: EndInput): Promise<{ outcome: Outcome; handedOn: string[]; first: boolean }>;
}

export type EndInput = {
  turnId: string;
  outcome: Outcome;
  /** What is still to be appended (last round, interrupted text …); skipped when the head has moved on by itself. */
  entries: Entry[];
  /** Events that the workflow caused and nobody wrote yet. */
  events: KeyedEvent[];
  /** Results of slots that the workflow filled. */
  results: RecordedResult[];
  answer?: string;
  note?: string;
  at: number;
  /** The reconciler: only while the row is still in one of these. */
  onlyIf?: TurnStatus[];
};

// ---- transcript ----------------------------------------------------------------------------------------------------

export type StepReply = JsonObject;

export type CallRow = {
  callId: string;
  step: number;
  slot: number;
  /** Resolved tool name. */
  tool: string;
  /** Canonical arguments; '' when they were unreadable. */
  arguments: string;
  argumentHash: string;
  summary: string;
  assessment: Assessment;
  /** Set when spelling was repaired (C1.5). */
  repaired?: boolean;
};

export type Refusal =
  /** A newer attempt has raised the epoch. */
  | { kind: 'fenced' }
  | { kind: 'closed' }
  /** The store lacks the head that the workflow knows. */
  | { kind: 'behind'; head: string }
  /** The store holds another history. */
  | { kind: 'diverged'; head: string };

export type KeyedEvent = { key: string; body: EventBody };

export interface Transcript {
  /**
   * Opens a step for one attempt: raises the turn's epoch to `epoch` (refused when the store holds a higher one),
   * answers `recorded` when the reply of that step is already there, else appends `entries` (the last round, steering,
   * notes) on `parentHead` by compare-and-set (a repeat with the same entries is fine) and writes the events.
   */
  openStep(input: {
    turnId: string;
    step: number;
    epoch: number;
    parentHead: string;
    entries: Entry[];
    results: RecordedResult[];
    events: KeyedEvent[];
    steeringTaken: string[];
    iteration: number;
  }): Promise<
    | { kind: 'open'; head: string; cancel?: Flag; control: ControlState }
    | { kind: 'recorded'; reply: StepReply; head: string }
    | Refusal
  >;
  /** Stores the reply of a step with its assistant entry (a pending tail while calls are open), call rows (sealed), results known already, and events. */
  closeStep(input: {
    turnId: string;
    step: number;
    epoch: number;
    parentHead: string;
    entry: Entry;
    calls: CallRow[];
    results: RecordedResult[];
    events: KeyedEvent[];
    reply: StepReply;
    usage: Usage;
  }): Promise<{ kind: 'stored'; head: string } | { kind: 'recorded'; reply: StepReply; head: string } | Refusal>;
  /** Text shown of a step that was cut by a cancel (C8.4): kept as an assistant entry without calls. For `Turns.end`. */
  shownText(turnId: string, step: number): Promise<string>;
  /**
   * All entries up to a head, oldest first, the session's earlier turns included. Implementations cache by head.
   * undefined when the head is unknown.
   */
  load(turnId: string, head: string): Promise<Entry[] | undefined>;
  /** The entries of this turn alone with the head, for the API. */
  ofTurn(turnId: string): Promise<{ entries: Entry[]; head: string }>;
  call(turnId: string, callId: string): Promise<CallRow | undefined>;
}

// ---- events --------------------------------------------------------------------------------------------------------

export interface Events {
  /** Appends with the next numbers; a key that is there already adds nothing. With a fence: only while that epoch is current. */
  append(
    turnId: string,
    events: KeyedEvent[],
    fence?: { epoch: number },
  ): Promise<{ kind: 'appended' } | { kind: 'fenced' } | { kind: 'closed' }>;
  after(turnId: string, number: number, limit?: number): Promise<TurnEvent[]>;
  /** Calls back (at least) whenever the turn has new events, also those of other processes. Returns unsubscribe. */
  subscribe(turnId: string, wake: () => void): () => void;
  /** Like subscribe, for any turn. */
  subscribeAll(wake: (turnId: string) => void): () => void;
}

// ---- ledger and results --------------------------------------------------------------------------------------------

export type CallKey = { turnId: string; step: number; slot: number };

export type LedgerOutcome = { success: boolean; result: SlotResult; text: string };

export type RecordedResult = {
  callId: string;
  step: number;
  slot: number;
  result: SlotResult;
  /** The text itself; stored as a blob under `result.ref`. */
  text: string;
  /** The tool_call / tool_result events that belong to it. */
  events: KeyedEvent[];
};

export interface Ledger {
  /**
   * The intent, durably (full sync): accepted only if every earlier attempt is void, none later exists, its own is not
   * void, and no cancel, pause or estop flag is set. `already`: this attempt has begun (by whom), or has an outcome.
   */
  begin(key: CallKey & { attempt: number; worker: string; activityId: string; events: KeyedEvent[] }): Promise<
    | { kind: 'accepted' }
    | { kind: 'outcome'; result: SlotResult }
    | {
        kind: 'refused';
        why: 'void' | 'earlier_open' | 'later_exists' | 'began' | 'cancelled' | 'paused' | 'estop' | 'closed';
      }
  >;
  /** The process group that leads this attempt, before the command runs. Refused when the attempt is void by now. */
  group(
    key: CallKey & { attempt: number; host: string; pgid: number; startTime: string },
  ): Promise<'recorded' | 'void'>;
  /** Outcome and result row, blob and events in one transaction. A void attempt's outcome is kept as late and changes nothing shown. */
  outcome(key: CallKey & { attempt: number; record: RecordedResult }): Promise<'recorded' | 'late' | 'already'>;
  /**
   * What became of an attempt. `never_began`: voided now, a late one will stop. `began`: it has an intent and no
   * outcome; `voidIt` voids it as well (for effects that may be repeated, or an unknown one that is settled).
   */
  resolve(
    key: CallKey & { attempt: number; voidIt: boolean },
  ): Promise<
    | { kind: 'outcome'; result: SlotResult }
    | { kind: 'never_began' }
    | { kind: 'began'; at: number; group?: ProcessGroup }
  >;
  /** Attempts that began, have no outcome and are not void: of a worker, or of a turn. With their process groups. */
  openAttempts(filter: {
    worker?: string;
    turnId?: string;
  }): Promise<(CallKey & { attempt: number; activityId: string; worker: string; group?: ProcessGroup })[]>;
}

export type ProcessGroup = { host: string; pgid: number; startTime: string };

export interface Results {
  /** Records results of slots that no tool produced. The first record of a slot stays. */
  record(turnId: string, records: RecordedResult[]): Promise<void>;
  get(turnId: string, callId: string): Promise<{ result: SlotResult; text: string } | undefined>;
  ofStep(turnId: string, step: number): Promise<{ callId: string; slot: number; result: SlotResult; text: string }[]>;
}

// ---- questions -----------------------------------------------------------------------------------------------------

export type NewQuestion = {
  approvalId: string;
  kind: QuestionKind;
  turnId: string;
  callId: string;
  tool: string;
  summary: string;
  /** Canonical arguments as the tool would get them (unscrubbed; scrub when rendering). */
  arguments: string;
  argumentHash: string;
  policyHash: string;
  risk: { level: string; reasons: string[] };
  path: string[];
  askedAt: number;
  expiresAt: number;
};

export type QuestionState = 'open' | 'settling' | 'decided' | 'expired' | 'withdrawn';

export type QuestionRow = NewQuestion & {
  agent: string;
  session: string | undefined;
  state: QuestionState;
  decision: { decisionId: string; choice: string; by: string; surface: string; at: number; note?: string } | undefined;
};

export type SignedDecision = {
  body: DecisionBody;
  keyId: string;
  signature: string;
  text?: string;
  note?: string;
  newArguments?: string;
};

/** One settlement, written in one transaction: inbox row, decision, audit, events, result of a slot that it fills, edited call. */
export type Settlement = {
  question: NewQuestion;
  to: { state: 'decided'; decision: SignedDecision } | { state: 'expired' | 'withdrawn'; by: string };
  events: KeyedEvent[];
  record?: RecordedResult;
  /** After an edit: the new call, sealed; the old one is kept beside it. */
  edited?: CallRow;
  audit: JsonObject;
  at: number;
  /** What the workflow is told; a repeat of the same decision gets it again. */
  answer: Json;
};

export interface Questions {
  /** Inserts rows (a row that exists stays), audit, `approval_requested` events, results that ride along. */
  open(turnId: string, questions: NewQuestion[], events: KeyedEvent[], records: RecordedResult[]): Promise<void>;
  get(approvalId: string): Promise<QuestionRow | undefined>;
  list(filter: {
    state?: 'open' | 'decided';
    turnId?: string;
    cursor?: string;
    limit?: number;
  }): Promise<{ items: QuestionRow[]; next?: string }>;
  /** A signed decision before it is sent. The same id with the same content is fine; with other content: 'conflict'. */
  putDecision(decision: SignedDecision): Promise<'stored' | 'existing' | 'conflict'>;
  decision(decisionId: string): Promise<SignedDecision | undefined>;
  /** Decisions that were stored and not yet settled (the reconciler sends them again). */
  unsettled(olderThan: number): Promise<DecisionBody[]>;
  /** First valid one wins: `late` tells who was first. The same decision again: `repeat` with the stored answer. */
  settle(
    settlement: Settlement,
  ): Promise<
    | { kind: 'settled' }
    | { kind: 'repeat'; answer: Json }
    | { kind: 'late'; by: string; at: number; state: QuestionState }
  >;
  /** Audits an answer that was not valid; the question stays open. */
  discard(input: { approvalId: string; turnId: string; decisionId: string; reason: string; at: number }): Promise<void>;
}

// ---- the rest ------------------------------------------------------------------------------------------------------

export type SteerRow = {
  id: string;
  turnId: string;
  text: string;
  by: string;
  state: 'pending' | 'taken' | 'handed_on' | 'refused';
  at: number;
};

export interface Steering {
  /** Row `pending` (queue of 32 pending a turn: 'full'). The same id again gives its row. After the end of the turn: 'ended'. */
  add(row: {
    id: string;
    turnId: string;
    text: string;
    by: string;
    at: number;
  }): Promise<SteerRow | 'full' | 'ended' | 'missing'>;
  /** One that reached the turn's workflow after the end: `handed_on` when it has a session, else `refused`. The same id again gives its row. */
  addLate(row: { id: string; turnId: string; text: string; by: string; at: number }): Promise<SteerRow | 'missing'>;
  get(id: string): Promise<SteerRow | undefined>;
  ofTurn(turnId: string, state?: SteerRow['state']): Promise<SteerRow[]>;
  /** Pending ones older than a time, of open turns (the reconciler sends them again). */
  unsent(olderThan: number): Promise<SteerRow[]>;
  /** Makes one new queued turn of a session from messages that were handed on. Idempotent by the ids. */
  adopt(input: { session: string; ids: string[]; turnId: string }): Promise<TurnRow | undefined>;
}

export interface Sessions {
  get(sessionId: string): Promise<{ sessionId: string; agent: string; head: string; createdAt: number } | undefined>;
  list(): Promise<{ sessionId: string; agent: string; head: string; createdAt: number }[]>;
}

export type ControlState = { paused?: Flag; estop?: Flag };

export interface Control {
  get(): Promise<ControlState>;
  pause(flag: Flag): Promise<void>;
  /** Lifts pause and estop. */
  resume(flag: Flag): Promise<void>;
  /** Sets estop and the cancel flag of every open turn; answers their ids. */
  estop(flag: Flag): Promise<string[]>;
}

/** Append-only and hash-chained per deployment (C5.10). */
export interface Audit {
  append(kind: string, body: JsonObject, at: number): Promise<void>;
  list(
    after: number,
    limit: number,
  ): Promise<{ seq: number; kind: string; body: JsonObject; at: number; hash: string }[]>;
  verify(): Promise<{ ok: true; count: number } | { ok: false; at: number }>;
}

export type Scope = 'read' | 'operate' | 'approve' | 'admin';

export interface Tokens {
  /** The token itself is told once; only its hash is kept. */
  create(input: { name: string; scopes: Scope[]; at: number }): Promise<{ id: string; token: string }>;
  list(): Promise<{ id: string; name: string; scopes: Scope[]; createdAt: number; revokedAt: number | undefined }[]>;
  revoke(id: string, at: number): Promise<boolean>;
  /** undefined: unknown or revoked. */
  verify(token: string): Promise<{ id: string; name: string; scopes: Scope[] } | undefined>;
}

export interface Leases {
  /** True while `holder` has it; takes it over when it has run out. */
  acquire(name: string, holder: string, ttlMs: number): Promise<boolean>;
  release(name: string, holder: string): Promise<void>;
}

export interface Meta {
  get(key: string): Promise<string | undefined>;
  set(key: string, value: string): Promise<void>;
}
