// Watches a played turn and notes every breach of T1–T9 and of the rules around them.
import { evaluateAccess } from '../../core/access.ts';
import type { Move } from '../../core/move.ts';
import { callKey } from '../../core/refusals.ts';
import { isClosed, type Round, type Slot } from '../../core/round-state.ts';
import { nextMove } from '../../core/turn.ts';
import { executionOf, openQuestions, type TurnState } from '../../core/turn-state.ts';
import { statusOf } from '../../core/view.ts';
import type { TurnDriver, Watcher } from './turn-driver.ts';
import type { Findings } from './turn-model-store.ts';
import type { World } from './turn-world.ts';

/** So deep that a fold which writes into what it was given throws. */
export function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const each of Object.values(value)) deepFreeze(each);
  return value;
}

const roundOf = (state: TurnState): Round | undefined => (state.phase.at === 'round' ? state.phase.round : undefined);
const hasEffect = (slot: Slot): boolean => slot.call.facts.effect !== 'none';

export class Checks implements Watcher {
  driver!: TurnDriver;
  /** Answers as they arrived, that are not settled yet. */
  readonly queue: { approvalId: string; decisionId: string }[] = [];
  private readonly world: World;
  private readonly findings: Findings;
  private readonly refused = new Map<string, number>();
  private readonly ran = new Map<string, Set<string>>();

  constructor(world: World, findings: Findings) {
    this.world = world;
    this.findings = findings;
  }

  onMove(state: TurnState, move: Move): void {
    const { now, tired } = this.driver;
    if (JSON.stringify(nextMove(state, now, tired)) !== JSON.stringify(move)) this.note('pure', `${move.kind} differs`);
    if (move.kind === 'call-provider' || move.kind === 'hand-over' || move.kind === 'finish') this.atEdge(state, move);
    if (move.kind === 'run-tools') this.starts(state, move);
    if (move.kind === 'settle') this.settles(state, move);
    if (move.kind === 'call-provider') this.asksModel(state, move);
    if (move.kind === 'wait') this.waits(state, move.until);
  }

  onFold(before: TurnState, after: TurnState): void {
    deepFreeze(after);
    const [was, is] = [roundOf(before), roundOf(after)];
    if (was && is) this.sameRound(was, is);
    if (!was && is) this.opens(after, is);
    this.status(after);
    if (before.phase.at !== 'ending' && after.phase.at === 'ending') this.ending(before, after);
    if (was && !is) this.closes(was, after);
  }

  onHandOver(carried: string): void {
    if (carried.length > 32 * 1024) this.note('carried', `${carried.length} characters`);
  }

  /** For a moment to come, and for none that is later than the next thing that happens by itself. */
  private waits(state: TurnState, until: number | null): void {
    const { now } = this.driver;
    if (until !== null && until <= now && !state.cancel) this.note('terminates', 'waits for a moment that is over');
    const slots = roundOf(state)?.slots ?? [];
    const grace = (state.cancel?.at ?? 0) + (state.execution?.knobs.cancelGraceMs ?? 0);
    const times = slots.flatMap((slot) => {
      if (slot.is === 'timing') return [slot.until];
      if (slot.is === 'asking' && !slots.some((each) => each.is === 'settling')) return [slot.question.expiresAt];
      return slot.is === 'running' && state.cancel ? [grace] : [];
    });
    if (times.some((time) => until === null || until > time)) this.note('terminates', `sleeps through ${times}`);
  }

  private note(rule: string, text: string): void {
    this.findings.add(rule, text);
  }

  private sameRound(was: Round, is: Round): void {
    if (was.slots.map((slot) => slot.call.callId).join() !== is.slots.map((slot) => slot.call.callId).join())
      this.note('T2', 'the slots are others now');
    was.slots.forEach((slot, place) => {
      if (isClosed(slot) && JSON.stringify(slot) !== JSON.stringify(is.slots[place]))
        this.note('T1', `${slot.call.callId} was ${JSON.stringify(slot)}, is ${JSON.stringify(is.slots[place])}`);
    });
  }

  /** T2, and the guards of preparation. */
  private opens(state: TurnState, round: Round): void {
    const calls = this.world.store.replies.get(round.step) ?? [];
    if (round.slots.map((slot) => slot.call.callId).join() !== calls.map((call) => call.callId).join())
      this.note('T2', `step ${round.step} has other slots than calls`);
    for (const slot of round.slots) {
      if (slot.is === 'asking' && slot.question.kind === 'tool' && this.refused.has(callKey(slot.call)))
        this.note('guard', `${slot.call.callId} is asked again`);
      if (slot.is === 'decided' && slot.fill.by === 'unreachable') this.refused.set(callKey(slot.call), 0);
    }
    if (executionOf(state).asking.mode === 'deny' && openQuestions(state).length > 0)
      this.note('guard', 'somebody is asked where nobody can be');
  }

  private closes(was: Round, after: TurnState): void {
    const { phase } = after;
    if (phase.at !== 'boundary' && phase.at !== 'ending') this.note('T3', `a round was left for ${phase.at}`);
    else if (phase.append.round?.step !== was.step) this.note('T9', `round ${was.step} was dropped`);
  }

  private status(state: TurnState): void {
    const { at } = state.phase;
    const status = statusOf(state);
    const waits = status === 'waiting_approval' || status === 'waiting_user';
    const open = openQuestions(state).length > 0;
    if (at === 'ended' ? status !== state.phase.outcome.status : state.pause.held !== (status === 'paused'))
      this.note('status', `${status} at ${at}`);
    if (at !== 'ended' && !state.pause.held && waits !== open) this.note('status', `${status} with questions: ${open}`);
  }

  /** T3. */
  private atEdge(state: TurnState, move: Move): void {
    if (roundOf(state)) this.note('T3', `${move.kind} in a round`);
    if (state.cancel) return;
    const busy = this.driver.pending.filter((each) => each.kind !== 'announce');
    if (busy.length > 0) this.note('T3', `${move.kind} beside ${busy.map((each) => each.kind)}`);
  }

  /** T4, T5, T7, and the modes of C6.1. */
  private starts(state: TurnState, { calls }: Extract<Move, { kind: 'run-tools' }>): void {
    if (state.cancel || state.pause.held) this.note('T4', 'a call starts after a cancel or while paused');
    const round = roundOf(state) as Round;
    const { knobs, access: policy } = executionOf(state);
    const running = round.slots.filter((slot) => ['running', 'resolving', 'lost', 'recording'].includes(slot.is));
    const starting = calls.map(({ call }) => round.slots[call.slot] as Slot);
    if (running.length + starting.length > knobs.maxParallelTools && round.mode === 'parallel')
      this.note('T7', 'more than max_parallel_tools');
    if (round.mode !== 'parallel' && running.length + starting.length > 1)
      this.note('T7', `two at once, ${round.mode}`);
    if ([...running, ...starting].filter(hasEffect).length > 1) this.note('T7', 'two effects at once');
    for (const slot of starting) {
      const { call } = slot;
      if (slot.is !== 'ready') this.note('T1', `${call.callId} starts while ${slot.is}`);
      const original = this.world.store.replies.get(round.step)?.[call.slot] ?? call;
      const access = evaluateAccess({
        policy,
        name: call.name,
        inEffectiveSet: true,
        facts: original.facts,
        estopped: false,
      });
      if (access.kind === 'blocked') this.note('T5', `${call.callId} is blocked and runs`);
      const { decisionId } = calls.find((each) => each.call.callId === call.callId)?.request ?? {};
      if (access.kind === 'ask' && !this.world.accepted.get(call.callId)?.has(decisionId ?? ''))
        this.note('T5', `${call.callId} runs without a decision`);
      this.once(round.step, original.argumentHash, slot, knobs.dedupExempt);
      if (round.mode === 'strict' && !round.slots.slice(0, call.slot).every(isClosed))
        this.note('T7', `${call.callId} overtakes in strict order`);
    }
  }

  /** C4.6. */
  private once(step: number, hash: string, { call }: Slot, exempt: string[]): void {
    if (call.name === 'delegate' || exempt.includes(call.name)) return;
    const key = `${step} ${call.name} ${hash}`;
    const same = this.ran.get(key) ?? new Set();
    this.ran.set(key, same.add(call.callId));
    if (same.size > 1) this.note('duplicate', `${[...same]} are the same call and both ran`);
  }

  /** T6. */
  private settles(state: TurnState, { request }: Extract<Move, { kind: 'settle' }>): void {
    if (this.driver.pending.some((each) => each.kind === 'settle')) this.note('T6', 'two answers are settled at once');
    const open = openQuestions(state).map((question) => question.approvalId);
    const first = this.queue.find((each) => open.includes(each.approvalId));
    const { answer, question } = request;
    if (answer.kind === 'expired') {
      if (first?.approvalId === question.approvalId) this.note('T6', 'a question expires while its answer waits');
      if (question.expiresAt > this.driver.now) this.note('T6', 'a question expires too early');
    } else if (first?.decisionId !== answer.decisionId || first.approvalId !== question.approvalId)
      this.note('T6', `${answer.decisionId} is settled before ${first?.decisionId}`);
  }

  /** After a settlement: it leaves the queue; a refusal is remembered. */
  settled(request: { question: { approvalId: string; callId: string; kind: string } }, answer: unknown): void {
    const { approvalId, callId, kind } = request.question;
    const at = this.queue.findIndex((each) => each.approvalId === approvalId);
    const settled = answer as { outcome: string; verdict?: { result?: { status: string } } };
    if (settled.outcome === 'discarded' && at >= 0) this.queue.splice(at, 1);
    if (settled.outcome !== 'discarded')
      this.queue.splice(0, 999, ...this.queue.filter((q) => q.approvalId !== approvalId));
    const status = settled.verdict?.result?.status;
    const call = [...this.world.store.replies.values()].flat().find((each) => each.callId === callId);
    if (call && kind === 'tool' && (status === 'denied' || status === 'expired')) this.refused.set(callKey(call), 0);
  }

  /** C8.2. */
  private asksModel(state: TurnState, { request }: Extract<Move, { kind: 'call-provider' }>): void {
    const cap = executionOf(state).knobs.maxToolIterations;
    if (state.cancel || state.pause.held) this.note('T4', 'a provider call after a cancel or while paused');
    if (request.iteration > cap) this.note('cap', `iteration ${request.iteration} of ${cap}`);
    if ((request.mode === 'summary') !== state.iteration >= cap)
      this.note('cap', `${request.mode} at ${state.iteration}`);
    if (request.append.steering.length !== new Set(request.append.steering.map((s) => s.id)).size)
      this.note('T9', 'a message twice in one call');
  }

  /** T8. */
  private ending(before: TurnState, after: TurnState): void {
    if (after.phase.at !== 'ending') return;
    const { status, stopReason } = after.phase.outcome;
    if (status === 'completed' && before.inbox.length > 0) this.note('T8', 'ends with a message in its inbox');
    if (after.cancel && before.phase.at === 'boundary' && stopReason !== 'cancelled')
      this.note('T8', `was cancelled and ends as ${stopReason}`);
  }
}
