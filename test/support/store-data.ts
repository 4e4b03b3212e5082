/** Turns, calls, results, questions and decisions as tests of the store write them; also for processes of their own. */
import type { Assessment } from '../../core/assessment.ts';
import type { Json } from '../../core/json.ts';
import type { Outcome } from '../../core/outcome.ts';
import type { DecisionBody } from '../../core/question.ts';
import type { SlotResult } from '../../core/slot.ts';
import type { Entry } from '../../core/transcript.ts';
import { NO_USAGE, type Usage } from '../../core/usage.ts';
import type {
  CallRow,
  EndInput,
  KeyedEvent,
  NewQuestion,
  NewTurn,
  RecordedResult,
  Settlement,
  SignedDecision,
} from '../../store/api.ts';
import { createSealer, type DecisionTexts, keyIdOf, type SealKeys, textRefOf } from '../../store/seals.ts';

export const T0 = Date.UTC(2026, 0, 2, 3, 4, 5);

export function keysOf(byte: number, retired: number[] = []): SealKeys {
  const key = (fill: number) => ({ id: keyIdOf(Buffer.alloc(32, fill)), key: Buffer.alloc(32, fill) });
  return { current: key(byte), retired: retired.map(key) };
}

export function newTurn(turnId: string, more: Partial<NewTurn> = {}): NewTurn {
  return { turnId, agent: 'main', text: `please do ${turnId}`, origin: { surface: 'cli', by: 'ann' }, ...more };
}

export const usage = (outputTokens: number): Usage => ({ ...NO_USAGE, outputTokens });

export function openInput(turnId: string, step: number, parentHead: string, entries: Entry[] = []) {
  return {
    ...{ turnId, step, epoch: step * 1000 + 1, parentHead, entries, iteration: step },
    ...{ results: [] as RecordedResult[], events: [] as KeyedEvent[], steeringTaken: [] as string[] },
  };
}

export function assistant(
  step: number,
  tools: string[] = [],
  text = `step ${step}`,
): Extract<Entry, { kind: 'assistant' }> {
  const calls = tools.map((name, slot) => ({ callId: `c${step}-${slot}`, providerId: '', name, arguments: '{"a":1}' }));
  return { kind: 'assistant', step, text, calls, model: 'local/small' };
}

export function callRow(step: number, slot: number, tool = 'shell', effect: Assessment['effect'] = 'once'): CallRow {
  const assessment: Assessment = { effect, risk: { level: 'medium', reasons: ['writes'] }, assessed: true };
  const callId = `c${step}-${slot}`;
  return { callId, step, slot, tool, arguments: '{"a":1}', argumentHash: 'hash-1', summary: 'a: 1', assessment };
}

export function closeInput(turnId: string, step: number, parentHead: string, entry: Entry) {
  return {
    ...{ turnId, step, epoch: step * 1000 + 1, parentHead, entry, calls: [] as CallRow[], usage: usage(1) },
    ...{ results: [] as RecordedResult[], events: [] as KeyedEvent[], reply: { step } },
  };
}

export function result(text: string, status: SlotResult['status'] = 'done'): SlotResult {
  return {
    status,
    success: status === 'done',
    ref: textRefOf(text),
    size: text.length,
    preview: text.slice(0, 200),
    durationMs: 3,
  };
}

export function record(
  step: number,
  slot: number,
  text: string,
  status: SlotResult['status'] = 'done',
): RecordedResult {
  const callId = `c${step}-${slot}`;
  const shown = { tool: 'shell', success: status === 'done', status, text, durationMs: 3 };
  const events: KeyedEvent[] = [{ key: `result:${callId}`, body: { type: 'tool_result', callId, slot, ...shown } }];
  return { callId, step, slot, result: result(text, status), text, events };
}

export function results(step: number, texts: string[]): Entry {
  const list = texts.map((text, slot) => ({ callId: `c${step}-${slot}`, name: 'shell', text, success: true }));
  return { kind: 'results', step, results: list };
}

export const note = (text: string): Entry => ({ kind: 'user', text, via: 'note' });

export const delta = (step: number, epoch: number, n: number, text = 'x'): KeyedEvent => ({
  key: `delta:${step}:${epoch}:${n}`,
  body: { type: 'text_delta', text, step, epoch },
});

export const completed: Outcome = { status: 'completed', stopReason: 'answer', usage: NO_USAGE };

export function endInput(turnId: string, more: Partial<EndInput> = {}): EndInput {
  return { turnId, outcome: completed, entries: [], events: [], results: [], at: T0 + 1000, ...more };
}

export function question(turnId: string, callId = 'c1-0', more: Partial<NewQuestion> = {}): NewQuestion {
  return {
    ...{ approvalId: `${turnId}.${callId}`, kind: 'tool', turnId, callId, tool: 'shell', summary: 'a: 1' },
    ...{ arguments: '{"a":1}', argumentHash: 'hash-1', policyHash: 'policy', risk: { level: 'medium', reasons: [] } },
    ...{ path: ['main'], askedAt: T0, expiresAt: T0 + 300_000 },
    ...more,
  };
}

/** What the settling activity would be told again. */
export const told = (choice: string): Json => ({ outcome: 'accepted', choice });

const sealer = createSealer(keysOf(1));

export function decision(
  decisionId: string,
  more: Partial<DecisionBody> = {},
  texts: DecisionTexts = {},
): SignedDecision {
  const body: DecisionBody = {
    ...{ decisionId, approvalId: 't1.c1-0', turnId: 't1', callId: 'c1-0', kind: 'tool', choice: 'approve' },
    ...{ argumentHash: 'hash-1', policyHash: 'policy', by: 'ann', surface: 'cli', at: new Date(T0).toISOString() },
    ...more,
  };
  return sealer.signDecision(body, texts);
}

/** Settles a question by a decision, as its activity would. */
export function settlement(to: SignedDecision | 'expired', more: Partial<Settlement> = {}): Settlement {
  const choice = to === 'expired' ? 'expired' : to.body.choice;
  const by = to === 'expired' ? 'timeout' : to.body.by;
  const state = to === 'expired' ? to : 'decided';
  const body = { type: 'approval_resolved', approvalId: 't1.c1-0', callId: 'c1-0', state, choice, by } as const;
  return {
    question: question('t1'),
    to: to === 'expired' ? { state: to, by } : { state: 'decided', decision: to },
    events: [{ key: `resolved:t1.c1-0:${by}`, body }],
    audit: { approvalId: 't1.c1-0', choice, by },
    at: T0 + 50,
    answer: told(choice),
    ...more,
  };
}
