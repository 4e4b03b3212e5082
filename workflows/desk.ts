/**
 * The desk of one turn: its state, the handlers that let messages in, and the work in flight.
 * Handlers only fold and wake; deciding is the core's, performing the turn's.
 */
import {
  ApplicationFailure,
  allHandlersFinished,
  CancellationScope,
  condition,
  setHandler,
  upsertSearchAttributes,
} from '@temporalio/workflow';
import { withCancel, withoutStarts, withTime } from '../core/cancel.ts';
import { answerFate, readAnswer, readSteer, steerFate, withAnswer, withControl, withSteer } from '../core/inbox.ts';
import type { TurnState } from '../core/turn-state.ts';
import { statusOf, viewOf } from '../core/view.ts';
import * as messages from './messages.ts';

export class Desk {
  state: TurnState;
  /** Temporal's own cancel has arrived: only then can the workflow close as Canceled. */
  cancelledNatively = false;
  closing = false;
  private version = 0;
  /** As the starter set it, or as the run before left it; a difference is mended at the next show. */
  private shown: string;
  /**
   * What a cancel of the turn cuts: calls of the model and of tools. The turn plays inside it, so that such a call needs no
   * scope of its own (each promise costs a replay dearly); everything else is done `safely`.
   */
  readonly work = new CancellationScope();
  private wake: (() => void) | undefined;
  private inFlight = 0;

  constructor(state: TurnState) {
    this.state = state;
    this.shown = state.phase.at === 'begin' ? 'queued' : 'running';
    this.openMessages();
    this.openControls();
    CancellationScope.current().cancelRequested.catch(() => {
      this.cancelledNatively = true;
      this.cancel({ native: true, by: 'temporal', reason: 'cancelled from Temporal' });
    });
  }

  fold(change: (state: TurnState) => TurnState): void {
    this.state = withoutStarts(withTime(change(this.state), Date.now()));
    this.stir();
  }

  /**
   * Work in the background: its answer is folded in when it comes. The turn ends, hands over or asks the model only after it.
   * Such work never fails: calls of tools are caught, store activities are tried until they succeed.
   */
  track<T>(work: Promise<T>, withAnswer: (state: TurnState, answer: T) => TurnState): void {
    this.inFlight += 1;
    const ended = (answer?: T) => {
      this.inFlight -= 1;
      this.fold((state) => (answer === undefined ? state : withAnswer(state, answer)));
    };
    void work.then(ended, () => ended());
  }

  /**
   * A call of a tool, which never rejects. Its slot is what is waited for, not the call: one that was given up after a
   * cancel's grace holds up no end (C6.5).
   */
  follow<T>(call: Promise<T>, withAnswer: (state: TurnState, answer: T) => TurnState): void {
    void call.then((answer) => this.fold((state) => withAnswer(state, answer)));
  }

  /** Until something has changed, or a moment has come. */
  rest(until: number | null): Promise<void> {
    this.show();
    if (until !== null) return this.restUntil(until);
    return new Promise((resolve) => {
      this.wake = resolve;
    });
  }

  private async restUntil(moment: number): Promise<void> {
    const seen = this.version;
    const came = await safely(() => condition(() => this.version !== seen, Math.max(1, moment - Date.now())));
    if (!came) this.fold((state) => state);
  }

  private stir(): void {
    this.version += 1;
    this.wake?.();
  }

  get isBusy(): boolean {
    return this.inFlight > 0;
  }

  /** Until nothing is in flight. */
  async quiet(): Promise<void> {
    if (this.isBusy) await safely(() => condition(() => !this.isBusy));
  }

  async handlersDone(): Promise<void> {
    if (!allHandlersFinished()) await safely(() => condition(allHandlersFinished));
  }

  /** The status as Temporal's own lists show it; only when it changed, only where the attribute exists. */
  show(): void {
    const status = statusOf(this.state);
    if (status === this.shown || !this.state.attributes) return;
    this.shown = status;
    upsertSearchAttributes({ EverturnStatus: [status] });
  }

  cancel(message: messages.CancelMessage): void {
    const words = { by: textOf(message?.by, 'operator'), reason: textOf(message?.reason, '') };
    this.fold((state) => withCancel(state, { ...words, at: Date.now(), native: message?.native === true }));
    this.work.cancel();
  }

  private openMessages(): void {
    setHandler(messages.turnState, () => viewOf(this.state));
    setHandler(messages.decide, (raw) => this.take(readAnswer(raw), withAnswer));
    setHandler(messages.steer, (raw) => this.take(readSteer(raw), withSteer));
    setHandler(messages.decideApproval, (raw) => this.decided(raw), { validator: (raw) => this.checkAnswer(raw) });
    setHandler(messages.steerTurn, (raw) => this.steered(raw), { validator: (raw) => this.checkSteer(raw) });
  }

  private openControls(): void {
    setHandler(messages.cancel, (raw) => this.cancel(raw));
    setHandler(messages.control, (raw) => {
      const at = typeof raw?.at === 'number' ? raw.at : Date.now();
      if (raw?.state === 'estop') this.cancel({ by: textOf(raw.by, 'operator'), reason: 'estop', native: true });
      else if (raw?.state === 'paused' || raw?.state === 'resumed')
        this.fold((state) => withControl(state, raw.state as 'paused' | 'resumed', at));
    });
  }

  private take<T>(message: T | undefined, fold: (state: TurnState, message: T) => TurnState): void {
    if (message !== undefined) this.fold((state) => fold(state, message));
  }

  private checkAnswer(raw: unknown): void {
    this.checkOpen();
    const answer = readAnswer(raw);
    if (!answer) throw refusal('Invalid', 'An answer needs approvalId and decisionId.');
    if (answerFate(this.state, answer).kind === 'not-open')
      throw refusal('NotOpen', `Question ${answer.approvalId} is not open.`);
  }

  private async decided(raw: messages.DecideMessage): Promise<messages.DecideAnswer> {
    const answer = { approvalId: raw.approvalId, decisionId: raw.decisionId };
    this.fold((state) => withAnswer(state, answer));
    await safely(() => condition(() => answerFate(this.state, answer).kind !== 'waits'));
    const fate = answerFate(this.state, answer);
    return fate.kind === 'known' ? fate.answer : { state: 'withdrawn' };
  }

  private checkSteer(raw: unknown): void {
    this.checkOpen();
    const steer = readSteer(raw);
    if (!steer)
      throw refusal('Invalid', 'A steering message needs an id, and a text of at most 4 KiB if it brings one.');
    const fate = steerFate(this.state, steer);
    if (fate === 'ended') throw refusal('TurnEnded', 'The turn has ended.');
    if (fate === 'full') throw refusal('QueueFull', 'There are 32 messages waiting for this turn already.');
  }

  private steered(raw: messages.SteerMessage): messages.SteerAnswer {
    const repeated = this.state.seen.includes(raw.id);
    this.take(readSteer(raw), withSteer);
    return { state: repeated ? 'repeated' : 'accepted' };
  }

  private checkOpen(): void {
    if (this.closing) throw refusal('Closing', 'The turn is handing over; send again with the same id.');
  }
}

/** Out of a cancel's reach: what must be written or awaited however the turn ends. */
export const safely = <T>(work: () => Promise<T>): Promise<T> => CancellationScope.nonCancellable(work);

const textOf = (value: unknown, otherwise: string): string =>
  typeof value === 'string' && value !== '' ? value.slice(0, 200) : otherwise;

const refusal = (type: string, message: string) => ApplicationFailure.nonRetryable(message, type);
