/** Events of a turn (C9.2), numbered from 1 without gaps. What surfaces watch; never what the engine decides on. */
import type { Json } from './json.ts';
import type { StopReason, TurnError, TurnStatus } from './outcome.ts';
import type { SlotStatus } from './slot.ts';
import type { Usage } from './usage.ts';

export type EventBody =
  | { type: 'turn_started'; agent: string; session?: string; text: string }
  | { type: 'memory_recalled'; count: number }
  | { type: 'iteration_started'; iteration: number; step: number; model: string }
  | { type: 'text_delta'; text: string; step: number; epoch: number }
  | { type: 'thinking_delta'; text: string; step: number; epoch: number }
  | { type: 'stream_reset'; step: number; epoch: number }
  | {
      type: 'tool_call';
      callId: string;
      slot: number;
      tool: string;
      arguments: Json;
      summary: string;
      provenance: 'native' | 'extension' | 'provider';
      truncated?: true;
    }
  | { type: 'tool_progress'; callId: string; slot: number; text: string; truncated?: true }
  | {
      type: 'tool_result';
      callId: string;
      slot: number;
      tool: string;
      success: boolean;
      status: SlotStatus;
      text: string;
      durationMs: number;
      receipt?: string;
      truncated?: true;
    }
  | {
      type: 'approval_requested';
      approvalId: string;
      kind: QuestionKind;
      callId: string;
      tool: string;
      summary: string;
      argumentHash: string;
      risk: { level: string; reasons: string[] };
      expiresAt: string;
    }
  | {
      type: 'approval_resolved';
      approvalId: string;
      callId: string;
      state: string;
      choice?: string;
      by: string;
      note?: string;
    }
  | { type: 'steering'; id: string; state: 'taken' | 'refused' | 'handed_on'; text: string; by?: string }
  | { type: 'history_trimmed'; dropped: number }
  | { type: 'plan'; items: { text: string; state: string }[] }
  | { type: 'usage'; step: number; model: string; usage: Usage }
  | { type: 'child_started'; turnId: string }
  | { type: 'child_ended'; turnId: string; status: string }
  /** The turn is held or goes on: pause, resume, estop. */
  | { type: 'control'; state: 'paused' | 'resumed' | 'estop'; by: string }
  | {
      type: 'turn_ended';
      status: TurnStatus;
      stopReason: StopReason;
      answer?: string;
      error?: TurnError;
      usage: Usage;
      note?: string;
    };

export type EventType = EventBody['type'];

/** As readers get it. `at` is ISO 8601 UTC. */
export type TurnEvent = { number: number; turnId: string; at: string } & EventBody;

export type QuestionKind = 'tool' | 'question' | 'budget' | 'unknown';

/**
 * The rule of reading (C10.5): what a reader assembles of a turn's text. Deltas of a step are appended,
 * a reset takes back only that step's text.
 */
export function assembleText(events: readonly TurnEvent[]): Map<number, string> {
  const steps = new Map<number, string>();
  for (const event of events) {
    if (event.type === 'text_delta') steps.set(event.step, (steps.get(event.step) ?? '') + event.text);
    if (event.type === 'stream_reset') steps.delete(event.step);
  }
  return steps;
}
