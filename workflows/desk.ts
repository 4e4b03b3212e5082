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
import { answerFate, readAnswer, readSteer, steerFate, withAnswer, withControl, withSteer } from '../core/inbox.ts';
import { withCancel, withoutStarts, withTime } from '../core/round-fold.ts';
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
  private readonly scopes = new Set<CancellationScope>();
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
    this.version += 1;
  }

  /** Performs something in the background, in a scope that a cancel of the turn ends. */
  spawn(work: () => Promise<void>): void {
    this.inFlight += 1;
    const done = () => {
      this.inFlight -= 1;
      this.version += 1;
    };
    void work().then(done, done);
  }

  /** Runs one cancellable piece of work; a cancel that is there already ends it at once. */
  async cancellable<T>(work: () => Promise<T>): Promise<T> {
    const scope = new CancellationScope();
    this.scopes.add(scope);
    const running = scope.run(work);
    if (this.state.cancel) scope.cancel();
    return running.finally(() => this.scopes.delete(scope));
  }

  /** Until something has changed, or a moment has come. */
  async rest(until: number | null): Promise<void> {
    this.show();
    const seen = this.version;
    const changed = () => this.version !== seen;
    if (until === null) await condition(changed);
    else if (!(await condition(changed, Math.max(1, until - Date.now())))) this.fold((state) => state);
  }

  async quiet(): Promise<void> {
    await condition(() => this.inFlight === 0);
  }

  async handlersDone(): Promise<void> {
    await condition(allHandlersFinished);
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
    for (const scope of this.scopes) scope.cancel();
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
    await condition(() => answerFate(this.state, answer).kind !== 'waits');
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

const textOf = (value: unknown, otherwise: string): string =>
  typeof value === 'string' && value !== '' ? value.slice(0, 200) : otherwise;

const refusal = (type: string, message: string) => ApplicationFailure.nonRetryable(message, type);
