/** What the model reads of a long result (C7.3): its head and its tail, and a line that says what was left out and how to read on. */
import { cutAfter, cutBefore } from './graphemes.ts';

/** The engine's own cap: what one result may hold, in characters (UTF-16 units). */
export const RESULT_CAP = 1024 * 1024;

export type BoundedResult = { text: string; omitted: number };

/**
 * @param max `max_tool_result_chars`: 0 means the engine's cap
 * @param ref where the whole is kept, for `result_read`; absent when it is not kept
 * @returns at most `max` characters, the line included; `omitted` counts UTF-16 units of the original
 */
export function boundResult(text: string, max: number, ref?: string): BoundedResult {
  const limit = max === 0 ? RESULT_CAP : Math.min(max, RESULT_CAP);
  if (text.length <= limit) return { text, omitted: 0 };
  // The number in the line is at most that of the whole text, so room for it is room enough.
  const room = limit - line(text.length, text.length, ref).length;
  if (room <= 0) {
    const head = cutBefore(text, limit);
    return { text: text.slice(0, head), omitted: text.length - head };
  }
  const head = cutBefore(text, Math.ceil((room * 2) / 3));
  const tail = cutAfter(text, text.length - Math.floor(room / 3));
  const omitted = tail - head;
  return { text: `${text.slice(0, head)}${line(omitted, head, ref)}${text.slice(tail)}`, omitted };
}

/** The start of the call that reads on; by it a later call is known to ask for what it was told. */
export const readOnHint = (ref: string): string => `result_read {"ref":"${ref}"`;

function line(omitted: number, offset: number, ref: string | undefined): string {
  const how = ref === undefined ? '' : `; read on with ${readOnHint(ref)},"offset":${offset}}`;
  return `\n[… ${omitted} characters left out${how} …]\n`;
}

/** The text of a result as the model reads it, before bounding (C7.1). */
export function resultText(result: { success: boolean; output: string; error?: string }): string {
  if (result.success) return result.output === '' ? '(no output)' : result.output;
  const error = `Error: ${result.error ?? 'the tool failed without saying why'}`;
  return result.output === '' ? error : `${error}\n${result.output}`;
}
