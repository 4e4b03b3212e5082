// What the store would hold, for played turns: recorded results, appended rounds and steering. It notes what the turn
// should never have asked of it.
import type { Append } from '../../core/ports.ts';
import type { CallNotice, FilledStatus } from '../../core/slot.ts';

export class Findings {
  readonly list: { rule: string; text: string }[] = [];

  add(rule: string, text: string): void {
    this.list.push({ rule, text });
  }

  of(rule: string): string[] {
    return this.list.filter((each) => each.rule === rule).map((each) => each.text);
  }
}

export class ModelStore {
  readonly replies = new Map<number, CallNotice[]>();
  readonly recorded = new Map<string, FilledStatus>();
  readonly rounds: number[] = [];
  readonly steered: string[] = [];
  head = 'h0';
  private readonly findings: Findings;

  constructor(findings: Findings) {
    this.findings = findings;
  }

  /** T1: a slot is recorded once. */
  record(callId: string, status: FilledStatus): void {
    const had = this.recorded.get(callId);
    if (had !== undefined) this.findings.add('T1', `${callId} was recorded ${had}, then ${status}`);
    this.recorded.set(callId, status);
  }

  keepReply(step: number, calls: CallNotice[]): void {
    if (this.replies.has(step)) this.findings.add('T9', `step ${step} was answered twice`);
    this.replies.set(step, calls);
    for (const { callId, filled } of calls) if (filled) this.record(callId, filled.status);
    this.grow();
  }

  /** The steps whose results the transcript lacks. */
  unanswered(): number[] {
    return [...this.replies].flatMap(([step, calls]) =>
      calls.length > 0 && !this.rounds.includes(step) ? [step] : [],
    );
  }

  /** T9, C3.8: what is appended is exactly what is lacking, once, in the model's order. */
  append({ round, fills, steering }: Append): void {
    const lacking = this.unanswered();
    const brought = round ? [round.step] : [];
    if (lacking.join() !== brought.join())
      this.findings.add('T9', `rounds ${lacking.join() || 'none'} were lacking, ${brought.join() || 'none'} came`);
    if (round && !this.rounds.includes(round.step)) this.appendRound(round.step, fills);
    else if (fills.length > 0) this.findings.add('T9', `${fills.length} fills came without their round`);
    for (const { id } of steering) {
      if (this.steered.includes(id)) this.findings.add('T9', `message ${id} was appended twice`);
      this.steered.push(id);
    }
    if (brought.length + steering.length > 0) this.grow();
  }

  private appendRound(step: number, fills: Append['fills']): void {
    const calls = this.replies.get(step) ?? [];
    const given = fills.map((fill) => fill.callId);
    const lacking = calls.map((call) => call.callId).filter((callId) => !this.recorded.has(callId));
    if (given.join() !== lacking.join())
      this.findings.add('append', `[${lacking}] of step ${step} were not recorded, fills for [${given}] came`);
    for (const { callId, status } of fills) if (!this.recorded.has(callId)) this.record(callId, status);
    this.rounds.push(step);
  }

  private grow(): void {
    this.head = `h${Number(this.head.slice(1)) + 1}`;
  }
}
