// A driver that stands in the first round of its turn, and short words for what tests do with it.
import { withAnswer } from '../../core/inbox.ts';
import type { ToolAnswer } from '../../core/ports.ts';
import type { Settled } from '../../core/question.ts';
import type { SlotStatus } from '../../core/slot.ts';
import { newTurn } from '../../core/turn-state.ts';
import { viewOf } from '../../core/view.ts';
import { begunOf, type CallOptions, callOf, GATED, replyOf, resultOf, type SubsetOptions, TURN } from './turn-build.ts';
import { TurnDriver } from './turn-driver.ts';

export class Stage extends TurnDriver {
  constructor(calls: CallOptions[], options: SubsetOptions = {}) {
    super(newTurn(TURN));
    this.pump();
    this.give('begin', undefined, begunOf(options));
    this.says(calls);
  }

  /** The pending provider call answers with these calls. */
  says(calls: CallOptions[]): void {
    const { request } = this.only('provider');
    this.give('provider', undefined, replyOf(calls.map((each, slot) => callOf(request.step, slot, each))));
  }

  give(kind: 'begin' | 'provider' | 'tool' | 'settle' | 'resolve', key: string | undefined, value: unknown): void {
    this.answer(this.only(kind, key) as never, value as never);
    this.pump();
  }

  /** Announcements in flight have been written. */
  announced(): void {
    for (const each of this.pending) if (each.kind === 'announce') this.answer(each, undefined);
    this.pump();
  }

  toolDone(callId: string, answer: ToolAnswer = { kind: 'result', result: resultOf() }): void {
    this.give('tool', callId, answer);
  }

  decide(approvalId: string, decisionId: string): void {
    this.fold((state) => withAnswer(state, { approvalId, decisionId }));
    this.pump();
  }

  settled(approvalId: string, settled: Settled): void {
    this.give('settle', approvalId, settled);
  }

  stop(): void {
    this.cancel({ by: 'alice', reason: 'enough', native: false });
    this.pump();
  }

  pass(ms: number): void {
    this.now += ms;
    this.pump();
  }

  pendingKeys(kind: 'tool' | 'settle' | 'resolve' | 'provider'): string[] {
    return this.pending.filter((each) => each.kind === kind).map((each) => each.key);
  }

  /** Slots by call id; after its round, what was or will be recorded is in `appended`. */
  shown(): Record<string, SlotStatus> {
    return Object.fromEntries(viewOf(this.state).slots.map(({ callId, status }) => [callId, status]));
  }

  questions(): string[] {
    return viewOf(this.state).questions;
  }

  /** How often each call was started. */
  starts(): Record<string, number> {
    const counts: Record<string, number> = {};
    for (const move of this.moves) {
      if (move.kind !== 'run-tools') continue;
      for (const { call } of move.calls) counts[call.callId] = (counts[call.callId] ?? 0) + 1;
    }
    return counts;
  }
}

export const askedAs = (callId: string): string => `${TURN}.${callId}`;

/** Nobody needs to be asked. */
export const FULL = { access: { autonomy: 'full' } } as const;

/** The first question about the first call whose outcome is unknown. */
export const UNKNOWN = `${askedAs('c1-0')}.u1`;

/** A paid call of which nobody can say what it did; an operator is asked. */
export function unknownAsked(): Stage {
  const stage = new Stage([GATED], { ...FULL, knobs: { onUnknown: 'ask' } });
  stage.toolDone('c1-0', { kind: 'lost' });
  stage.give('resolve', 'c1-0', { kind: 'unknown' });
  return stage;
}
