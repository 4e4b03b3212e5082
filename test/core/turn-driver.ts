// Plays a turn in memory as `workflows/turn.ts` does: one main line that waits, answers that come in any order,
// messages at any moment, and a clock that moves only when told. Nothing here decides: that is the core's.
import { withCancel, withoutStarts, withTime } from '../../core/cancel.ts';
import {
  withAsked,
  withBegun,
  withCutReply,
  withEnded,
  withEnding,
  withLostReply,
  withReply,
} from '../../core/loop-control.ts';
import type { Move } from '../../core/move.ts';
import type { Outcome } from '../../core/outcome.ts';
import type { Begun, CallFate, Ended, EndInput, ProviderInput, Reply, ToolAnswer } from '../../core/ports.ts';
import type { Settled } from '../../core/question.ts';
import {
  withAnnounced,
  withFate,
  withRecorded,
  withRecording,
  withResolving,
  withStarted,
  withToolAnswer,
} from '../../core/round-fold.ts';
import { withSettled, withSettling } from '../../core/settle-fold.ts';
import type { SlotResult } from '../../core/slot.ts';
import { nextMove } from '../../core/turn.ts';
import { newTurn, type TurnState } from '../../core/turn-state.ts';
import { NOW, TURN } from './turn-build.ts';

/** The provider call was lost (its activity failed); or cut by a cancel. */
export type ProviderAnswer = Reply | { kind: 'lost' } | { kind: 'cut' };

export type Answers = {
  begin: Begun;
  provider: ProviderAnswer;
  announce: undefined;
  settle: Settled;
  tool: ToolAnswer;
  resolve: CallFate;
  record: SlotResult[];
  end: Ended;
  turnAway: number;
};

type MoveRequests = {
  begin: { turnId: string };
  provider: ProviderInput;
  announce: Extract<Move, { kind: 'announce' }>['request'];
  settle: Extract<Move, { kind: 'settle' }>['request'];
  tool: Extract<Move, { kind: 'run-tools' }>['calls'][number];
  resolve: Extract<Move, { kind: 'resolve' }>;
  record: Extract<Move, { kind: 'record' }>['request'];
  end: EndInput;
  turnAway: { steering: TurnState['inbox'] };
};

export type Kind = keyof Answers;

/** Something the world was asked and has not answered yet. */
export type Pending = {
  [K in Kind]: {
    kind: K;
    key: string;
    request: MoveRequests[K];
    cancelled: boolean;
    done: (answer: Answers[K]) => void;
  };
}[Kind];

export type PendingOf<K extends Kind> = Extract<Pending, { kind: K }>;

export type Watcher = {
  onMove?(state: TurnState, move: Move): void;
  onFold?(before: TurnState, after: TurnState): void;
  onPending?(pending: Pending): void;
  onHandOver?(carried: string): void;
};

type Wait = { ready: () => boolean; until: number | null; expired?: () => void };

export class TurnDriver {
  state: TurnState;
  now = NOW;
  tired = false;
  closing = false;
  /** What the workflow returned; set when it has closed. */
  outcome: Outcome | undefined;
  pending: Pending[] = [];
  readonly moves: Move[] = [];
  readonly watch: Watcher;
  private version = 0;
  private line: Generator<Wait, void>;
  private wait: Wait | undefined;

  constructor(state: TurnState = newTurn(TURN), watch: Watcher = {}) {
    this.state = state;
    this.watch = watch;
    this.line = this.play();
  }

  /** Goes on until something must happen first. @returns the moment the turn waits for, if it waits for one */
  pump(): number | null {
    for (let steps = 0; this.outcome === undefined; steps += 1) {
      if (steps > 10_000) throw new Error(`it moves without end at ${JSON.stringify(this.state.phase).slice(0, 400)}`);
      if (this.wait) {
        const { ready, until, expired } = this.wait;
        if (!ready()) {
          if (until === null || until > this.now) return until;
          expired?.();
        }
      }
      const step = this.line.next();
      this.wait = step.done ? undefined : step.value;
    }
    return null;
  }

  /** What comes in from outside, or an answer: folded as the workflow's desk folds it. */
  fold(change: (state: TurnState) => TurnState): void {
    const before = this.state;
    this.state = withoutStarts(withTime(change(before), this.now));
    this.version += 1;
    this.watch.onFold?.(before, this.state);
  }

  answer<K extends Kind>(pending: PendingOf<K>, value: Answers[K]): void {
    this.pending = this.pending.filter((each) => each !== pending);
    this.version += 1;
    (pending.done as (answer: Answers[K]) => void)(value);
  }

  /** The only one of its kind, or the one with this key. */
  only<K extends Kind>(kind: K, key?: string): PendingOf<K> {
    const found = this.pending.filter((each) => each.kind === kind && (key === undefined || each.key === key));
    if (found.length !== 1) {
      const there = this.pending.map((each) => `${each.kind} ${each.key}`).join(', ') || 'nothing';
      throw new Error(`one pending ${kind} ${key ?? ''} was expected; there is: ${there}`);
    }
    return found[0] as PendingOf<K>;
  }

  cancel(cancel: { by: string; reason: string; native: boolean }): void {
    this.fold((state) => withCancel(state, { ...cancel, at: this.now }));
    for (const each of this.pending) {
      if (each.kind !== 'provider' && each.kind !== 'tool') continue;
      each.cancelled = true;
      if (each.kind === 'provider') this.answer(each, { kind: 'cut' });
    }
  }

  private *play(): Generator<Wait, void> {
    for (;;) {
      const move = nextMove(this.state, this.now, this.tired);
      this.moves.push(move);
      this.watch.onMove?.(this.state, move);
      switch (move.kind) {
        case 'begin': {
          const begun = yield* this.ask('begin', 'begin', { turnId: this.state.turnId });
          this.fold((state) => withBegun(state, begun));
          break;
        }
        case 'call-provider':
          yield this.quiet();
          yield* this.askModel(move.request);
          break;
        case 'wait':
          yield this.rest(move.until);
          break;
        case 'hand-over':
          yield* this.handOver();
          break;
        case 'finish':
          yield* this.finish();
          break;
        case 'return':
          yield* this.close();
          this.outcome = move.outcome;
          return;
        default:
          this.inRound(move);
      }
    }
  }

  private *askModel(request: ProviderInput): Generator<Wait, void> {
    this.fold((state) => withAsked(state, request));
    if (this.state.cancel) return this.fold((state) => withCutReply(state, request));
    const reply = yield* this.ask('provider', `p${request.step}`, request);
    if (reply.kind === 'cut') this.fold((state) => withCutReply(state, request));
    else if (reply.kind === 'lost') this.fold((state) => withLostReply(state, request, 'lost'));
    else this.fold((state) => withReply(state, { request, now: this.now }, reply));
  }

  private inRound(move: Move): void {
    switch (move.kind) {
      case 'announce':
        this.fold((state) => withAnnounced(state, move.request));
        this.spawn('announce', `n${this.moves.length}`, move.request, () => {});
        break;
      case 'settle': {
        const { request } = move;
        this.fold((state) => withSettling(state, request));
        this.spawn('settle', request.question.approvalId, request, (settled) =>
          this.fold((state) => withSettled(state, request, settled)),
        );
        break;
      }
      case 'run-tools':
        this.runTools(move.calls);
        break;
      case 'resolve': {
        const { slot } = move.request;
        this.fold((state) => withResolving(state, slot));
        this.spawn('resolve', move.call.callId, move, (fate) =>
          this.fold((state) => withFate(state, slot, fate, this.now)),
        );
        break;
      }
      case 'record': {
        const ids = move.request.fills.map((fill) => fill.callId);
        this.fold((state) => withRecording(state, ids));
        this.spawn('record', ids.join(), move.request, (results) =>
          this.fold((state) => withRecorded(state, ids, results)),
        );
        break;
      }
    }
  }

  private runTools(calls: MoveRequests['tool'][]): void {
    const places = calls.map(({ call }) => call.slot);
    this.fold((state) => withStarted(state, places, this.now));
    for (const each of calls) {
      if (each.call.executor !== 'activity') continue;
      const { slot, attempt } = each.request;
      this.spawn('tool', each.call.callId, each, (answer) =>
        this.fold((state) => withToolAnswer(state, { slot, attempt, now: this.now }, answer)),
      );
    }
  }

  private *finish(): Generator<Wait, void> {
    this.fold(withEnding);
    yield this.quiet();
    const { phase, turnId, execution, head } = this.state;
    if (phase.at !== 'ending') return;
    const { append, outcome, cutStep } = phase;
    const input = { turnId, executionHash: execution?.hash ?? '', outcome, parentHead: head, append };
    const ended = yield* this.ask('end', 'end', { ...input, ...(cutStep === undefined ? {} : { cutStep }) });
    this.fold((state) => withEnded(state, ended.outcome));
  }

  private *close(): Generator<Wait, void> {
    while (this.state.inbox.length > 0) {
      const steering = this.state.inbox;
      this.fold((state) => ({ ...state, inbox: [] }));
      yield* this.ask('turnAway', 'turnAway', { steering });
    }
  }

  /** The state crosses as JSON, as everything does that a workflow carries. */
  private *handOver(): Generator<Wait, void> {
    this.closing = true;
    yield this.quiet();
    this.closing = false;
    if (this.state.cancel) return;
    const carried = JSON.stringify(this.state);
    this.watch.onHandOver?.(carried);
    this.state = JSON.parse(carried) as TurnState;
    this.tired = false;
  }

  private quiet(): Wait {
    return { ready: () => this.pending.every((each) => each.kind === 'tool'), until: null };
  }

  private rest(until: number | null): Wait {
    const seen = this.version;
    const at = until === null ? null : Math.max(this.now + 1, until);
    return { ready: () => this.version !== seen, until: at, expired: () => this.fold((state) => state) };
  }

  private *ask<K extends Kind>(kind: K, key: string, request: MoveRequests[K]): Generator<Wait, Answers[K]> {
    const box: { answer?: Answers[K] } = {};
    this.spawn(kind, key, request, (answer) => {
      box.answer = answer;
    });
    yield { ready: () => 'answer' in box, until: null };
    return box.answer as Answers[K];
  }

  private spawn<K extends Kind>(
    kind: K,
    key: string,
    request: MoveRequests[K],
    done: (answer: Answers[K]) => void,
  ): void {
    const pending = { kind, key, request, cancelled: this.state.cancel !== null, done } as unknown as Pending;
    this.pending.push(pending);
    this.watch.onPending?.(pending);
  }
}
