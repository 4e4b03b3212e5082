// Events for the tests of the view, with the parts that a test does not care about filled in.
import type { EventBody, TurnEvent } from '../../../core/events.ts';
import { NO_USAGE } from '../../../core/usage.ts';

/** Numbers the bodies from 1, one second apart. */
export function eventsOf(...bodies: EventBody[]): TurnEvent[] {
  return bodies.map((body, index) => ({
    number: index + 1,
    turnId: 'T1',
    at: new Date(Date.UTC(2026, 0, 1, 12, 0, index)).toISOString(),
    ...body,
  }));
}

export const started: EventBody = { type: 'turn_started', agent: 'main', text: 'hello' };
export const delta = (text: string, step = 1, epoch = 1): EventBody => ({ type: 'text_delta', text, step, epoch });
export const reset = (step = 1, epoch = 2): EventBody => ({ type: 'stream_reset', step, epoch });

export const call = (summary: string, tool = 'shell', callId = 'c1-0'): EventBody => ({
  type: 'tool_call',
  callId,
  slot: 0,
  tool,
  arguments: {},
  summary,
  provenance: 'native',
});

type ResultBody = Extract<EventBody, { type: 'tool_result' }>;

export const result = (text: string, more: Partial<ResultBody> = {}): EventBody => ({
  type: 'tool_result',
  callId: 'c1-0',
  slot: 0,
  tool: 'shell',
  success: true,
  status: 'done',
  text,
  durationMs: 2_000,
  ...more,
});

export const asked = (summary: string, level = 'medium'): EventBody => ({
  type: 'approval_requested',
  approvalId: 'T1.c1-0',
  kind: 'tool',
  callId: 'c1-0',
  tool: 'shell',
  summary,
  argumentHash: 'h',
  risk: { level, reasons: ['writes a file'] },
  expiresAt: new Date(Date.UTC(2026, 0, 1, 12, 5, 1)).toISOString(),
});

type ResolvedBody = Extract<EventBody, { type: 'approval_resolved' }>;

export const resolved = (more: Partial<ResolvedBody> = {}): EventBody => ({
  type: 'approval_resolved',
  approvalId: 'T1.c1-0',
  callId: 'c1-0',
  state: 'decided',
  choice: 'approve',
  by: 'cli:ann',
  ...more,
});

type EndedBody = Extract<EventBody, { type: 'turn_ended' }>;

export const ended = (more: Partial<EndedBody> = {}): EventBody => ({
  type: 'turn_ended',
  status: 'completed',
  stopReason: 'answer',
  usage: { ...NO_USAGE, inputTokens: 10, outputTokens: 5 },
  ...more,
});
