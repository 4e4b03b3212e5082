/** One call as an activity. It never throws: whatever ended it without an answer is the ledger's to explain. */
import type { ToolAnswer, ToolInput } from '../core/ports.ts';
import type { CallNotice } from '../core/slot.ts';
import { runTool } from './ports.ts';

/**
 * A lost worker, a time-out, a drained worker and a cancel all end here as `lost`: failure types can be forged by a tool
 * and are the same for "never began" and "began", so none of them is believed (design "Ledger").
 */
export async function runCall(request: ToolInput, call: CallNotice, graceMs: number): Promise<ToolAnswer> {
  try {
    return await runTool(request, {
      timeoutMs: call.timeoutMs,
      graceMs,
      summary: `${call.name} ${call.summary}`.slice(0, 200),
    });
  } catch {
    return { kind: 'lost' };
  }
}
