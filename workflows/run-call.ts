/** One call as an activity. It never rejects: whatever ended it without an answer is the ledger's to explain. */
import type { ToolAnswer, ToolInput } from '../core/ports.ts';
import type { CallNotice } from '../core/slot.ts';
import { runTool } from './ports.ts';

const LOST: ToolAnswer = { kind: 'lost' };

/**
 * A lost worker, a time-out, a drained worker and a cancel all end here as `lost`: failure types can be forged by a tool
 * and are the same for "never began" and "began", so none of them is believed (design "Ledger").
 */
export function runCall(request: ToolInput, call: CallNotice, graceMs: number): Promise<ToolAnswer> {
  const summary = `${call.name} ${call.summary}`.slice(0, 200);
  return runTool(request, { timeoutMs: call.timeoutMs, graceMs, summary }).catch(() => LOST);
}
