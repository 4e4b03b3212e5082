// A scripted world for played turns: what providers, tools, the ledger and operators answer, by chance, and lawful:
// it says only what the real activities could say of the same past.
import type { CallFacts, Effect } from '../../core/assessment.ts';
import { outcomeOf } from '../../core/outcome.ts';
import type { Begun, CallFate, Ended, EndInput, Reply, ToolAnswer } from '../../core/ports.ts';
import type { Settled, Verdict } from '../../core/question.ts';
import type { CallNotice, FilledStatus, SlotResult } from '../../core/slot.ts';
import { acceptedOf, callOf, resultOf, sha256, subsetOf, USAGE } from './turn-build.ts';
import type { Chance } from './turn-chance.ts';
import type { Answers, Pending, PendingOf } from './turn-driver.ts';
import { type Findings, ModelStore } from './turn-model-store.ts';

const NAMES = ['read', 'write', 'pay', 'shell', 'ask_user', 'wait', 'delegate'] as const;
const HASHES = NAMES.flatMap((name) => [0, 1, 2].map((n) => [`${name} ${n}`, sha256(`${name} ${n}`)] as const));
const HASH = new Map<string, string>(HASHES);

type Flags = { cancelled: boolean; pausedAt: number | undefined };

export class World {
  readonly store: ModelStore;
  /** Decisions that settling accepted, by call. */
  readonly accepted = new Map<string, Set<string>>();
  readonly flags: Flags = { cancelled: false, pausedAt: undefined };
  readonly began = new Set<string>();
  /** Provider calls with tools that were answered. */
  iterations = 0;
  /** Attempts that were given up: what they still say changes nothing. */
  readonly voided = new Set<string>();
  private readonly chance: Chance;

  constructor(chance: Chance, findings: Findings) {
    this.chance = chance;
    this.store = new ModelStore(findings);
  }

  answer(pending: Pending, now: number): Answers[Pending['kind']] {
    switch (pending.kind) {
      case 'begin':
        return this.begin();
      case 'provider':
        return this.provider(pending, now);
      case 'announce':
        for (const fill of pending.request.fills) this.store.record(fill.callId, fill.status);
        return undefined;
      case 'settle':
        return this.settle(pending.request.question, pending.request.answer);
      case 'tool':
        return this.tool(pending, now);
      case 'resolve':
        return this.resolve(pending);
      case 'record':
        return pending.request.fills.map((fill) => this.recorded(fill.callId, fill.status));
      case 'end':
        return this.end(pending.request);
      case 'turnAway':
        return pending.request.steering.length;
    }
  }

  private begin(): Begun {
    const { chance } = this;
    if (chance.in100(1)) return { kind: 'closed', outcome: outcomeOf('cancelled', USAGE) };
    if (chance.in100(1)) return { kind: 'failed', error: { type: 'ConfigurationGone', message: 'gone' } };
    const subset = subsetOf({
      access: {
        autonomy: chance.of('supervised', 'supervised', 'full', 'readonly'),
        alwaysAsk: chance.of<string[]>([], [], ['*'], ['read']),
        autoApprove: chance.of<string[]>([], ['write'], ['*']),
      },
      knobs: {
        parallelTools: !chance.in100(25),
        maxParallelTools: 1 + chance.of(7, 0, 1, 2),
        maxToolIterations: 1 + chance.of(2, 0, 1, 4),
        dedupExempt: chance.of<string[]>([], [], ['write', 'pay']),
        onUnknown: chance.of('report', 'ask'),
      },
      asking: { mode: chance.of('ask', 'park', 'ask', 'deny'), timeoutMs: chance.of(300_000, 5_000) },
    });
    const cancel = chance.in100(2) ? { cancel: { by: 'alice', reason: 'queued' } } : {};
    return { kind: 'begun', subset, head: this.store.head, attributes: true, ...cancel };
  }

  private provider({ request, cancelled }: PendingOf<'provider'>, now: number): Answers['provider'] {
    const { chance, store } = this;
    if (cancelled) throw new Error('a cancelled provider call is not answered');
    if (chance.in100(4)) return { kind: 'unavailable', why: 'another store' };
    store.append(request.append);
    if (chance.in100(1)) return { kind: 'lost' };
    if (chance.in100(1)) return { kind: 'closed', outcome: outcomeOf('cancelled', USAGE) };
    const held = this.held(now);
    if (held) return { ...held, head: store.head };
    if (chance.in100(2)) return { kind: 'failed', head: store.head, error: { type: 'ProviderFailed', message: 'no' } };
    const wants = request.mode === 'normal' ? chance.of(0, 1, 1, 2, 2, 3, 4, 8) : 0;
    const calls = Array.from({ length: wants }, (_, slot) => this.call(request.step, slot));
    this.iterations += Number(request.mode === 'normal');
    store.keepReply(request.step, calls);
    return { kind: 'reply', head: store.head, calls, usage: USAGE, model: 'local/small' } satisfies Reply;
  }

  private call(step: number, slot: number): CallNotice {
    const { chance } = this;
    const name = chance.of(...NAMES);
    const args = chance.below(3);
    const effect = name === 'pay' || name === 'shell' ? 'once' : name === 'write' ? 'idempotent' : 'none';
    const executor = name === 'ask_user' || name === 'wait' ? name : 'activity';
    const facts = {
      effect: name === 'shell' && args === 0 ? 'none' : effect,
      risk: effect === 'none' || args === 0 ? 'low' : chance.of('medium', 'low', 'medium', 'high'),
      assessed: !chance.in100(5),
      ...(chance.in100(4) ? { blocked: 'a forbidden path' } : {}),
    } as const;
    const filled = chance.in100(8) ? { filled: resultOf('failed') } : {};
    const waits = name === 'wait' ? { waitMs: chance.of(1_000, 60_000) } : {};
    const argumentHash = HASH.get(`${name} ${args}`) as string;
    return callOf(step, slot, { name, argumentHash, facts, executor, ...waits, ...filled });
  }

  /** A flag of the store, or one that was lifted meanwhile and is reported by a slow activity. */
  private held(now: number): { kind: 'held'; why: 'paused' | 'estop' | 'cancelled'; at: number } | undefined {
    // When the storm is over, whoever paused the deployment has resumed it.
    if (this.chance.calm) this.flags.pausedAt = undefined;
    if (this.flags.cancelled) return { kind: 'held', why: 'cancelled', at: now };
    if (this.flags.pausedAt !== undefined) return { kind: 'held', why: 'paused', at: this.flags.pausedAt };
    if (this.chance.in100(2)) return { kind: 'held', why: 'paused', at: now - 1_000 * this.chance.below(20) };
    return this.chance.in100(1) ? { kind: 'held', why: 'estop', at: now } : undefined;
  }

  private settle(
    question: PendingOf<'settle'>['request']['question'],
    answer: PendingOf<'settle'>['request']['answer'],
  ): Settled {
    const { callId, kind } = question;
    if (this.chance.in100(2)) return { outcome: 'late', by: 'bob', at: 'then', state: 'withdrawn' };
    if (answer.kind === 'expired') {
      const result = this.recorded(callId, kind === 'unknown' ? 'unknown' : 'expired');
      return acceptedOf('', { kind: 'filled', result, by: 'timeout' }, 'timeout');
    }
    if (this.chance.in100(20)) return { outcome: 'discarded', reason: 'its signature is not of this deployment' };
    const { decisionId } = answer;
    const accepted = this.accepted.get(callId) ?? new Set();
    this.accepted.set(callId, accepted.add(decisionId));
    return acceptedOf(decisionId, this.verdict(callId, kind));
  }

  private verdict(callId: string, kind: string): Verdict {
    const filled = (status: FilledStatus): Verdict => ({
      kind: 'filled',
      result: this.recorded(callId, status),
      by: 'operator',
    });
    const { chance } = this;
    if (kind === 'question') return filled('done');
    if (kind === 'unknown') {
      const choice = chance.of('done', 'failed', 'retry');
      return choice === 'retry' ? { kind: 'retry' } : filled(choice as FilledStatus);
    }
    const argumentHash = sha256(callId);
    switch (chance.of('deny', 'approve', 'approve', 'edit', 'replace', 'blocked')) {
      case 'approve':
        return { kind: 'run', argumentHash };
      case 'edit': {
        const effect = chance.of<Effect>('none', 'once');
        const facts: CallFacts = { effect, risk: 'medium', reasons: [], assessed: true };
        return { kind: 'run', argumentHash, edited: { summary: 'edited', facts } };
      }
      case 'replace':
        return filled('replaced');
      case 'blocked':
        return filled('blocked');
      default:
        return filled('denied');
    }
  }

  private tool({ request: { request, call } }: PendingOf<'tool'>, now: number): ToolAnswer {
    const { chance } = this;
    const key = `${call.callId} a${request.attempt}`;
    if (this.voided.has(key) || this.store.recorded.has(call.callId)) return { kind: 'lost' };
    if (!this.began.has(key)) {
      const held = this.held(now);
      if (held) return held;
      if (chance.in100(4)) return { kind: 'lost' };
      if (chance.in100(3)) return { kind: 'unavailable', why: 'another store' };
      this.began.add(key);
    }
    if (chance.in100(8)) return { kind: 'lost' };
    return { kind: 'result', result: this.recorded(call.callId, chance.of('done', 'done', 'failed')) };
  }

  private resolve({ request: { request, call } }: PendingOf<'resolve'>): CallFate {
    const { chance } = this;
    const { callId } = call;
    const key = `${callId} a${request.attempt}`;
    const had = this.store.recorded.get(callId);
    if (had !== undefined) return { kind: 'filled', result: resultOf(had) };
    this.voided.add(key);
    if (!this.began.has(key)) return { kind: 'again' };
    if (chance.in100(30)) return { kind: 'filled', result: this.recorded(callId, 'done') };
    if (request.mode === 'cancel') return { kind: 'unknown' };
    if (call.facts.effect !== 'once' && request.attempt < 3) return { kind: 'again', began: true };
    if (request.mode === 'ask' && call.facts.effect === 'once') return { kind: 'unknown' };
    return { kind: 'filled', result: this.recorded(callId, call.facts.effect === 'once' ? 'unknown' : 'failed') };
  }

  private recorded(callId: string, status: FilledStatus): SlotResult {
    this.store.record(callId, status);
    return resultOf(status);
  }

  /** As `endTurn`: what is lacking is written if the store stands where the turn knows it; a cut step is answered. */
  private end({ append, parentHead, outcome, cutStep }: EndInput): Ended {
    const { store } = this;
    if (store.head === parentHead) store.append({ ...append, steering: [], notes: [] });
    if (cutStep !== undefined && store.unanswered().includes(cutStep)) {
      store.append({ round: { step: cutStep }, fills: this.cutFills(cutStep), steering: [], notes: [] });
    }
    const cancelled = this.flags.cancelled ? outcomeOf('cancelled', USAGE) : outcome;
    return { outcome: cancelled, handedOn: 0 };
  }

  private cutFills(step: number) {
    const open = (this.store.replies.get(step) ?? []).filter(({ callId }) => !this.store.recorded.has(callId));
    return open.map(({ callId }) => ({ callId, status: 'interrupted' as const, began: false }));
  }

  /** A provider call that a cancel cuts: it may have appended, even stored its reply, and nobody heard. */
  cut({ request }: PendingOf<'provider'>): void {
    const { chance, store } = this;
    if (!chance.in100(60)) return;
    store.append(request.append);
    if (chance.in100(40)) store.keepReply(request.step, [this.call(request.step, 0)]);
  }
}
