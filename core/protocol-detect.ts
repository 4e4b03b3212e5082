/** Malformed protocol (C3.5): text that looks like a call and is none; what the model and the person are told of it. */
import { parseText } from './parse-response/parse.ts';

/** How often in a turn the model is asked again. */
export const MALFORMED_RETRIES = 2;

/** The answer that ends a turn when asking again did not help. */
export const MALFORMED_APOLOGY =
  'I am sorry, I could not complete this: I tried to use a tool several times, but my requests could not be understood. Please ask again, perhaps in other words.';

const ASK_AGAIN = `Your last message looked like a tool call but could not be read as one, so nothing was run and nothing of it was shown. Either send the call again, exactly in this form, or answer in plain text without any tool syntax:

<tool_call>
{"name": "tool_name", "arguments": {"parameter": "value"}}
</tool_call>`;

const NO_TOOLS =
  'Your last message looked like a tool call, but no tool can be called now, so nothing was run and nothing of it was shown. Answer in plain text without any tool syntax.';

/**
 * The user message that asks for a call in the right form, or for prose.
 * @param why of the malformed text
 * @param hasTools whether there is anything to call in this request
 */
export function malformedRetryText({ why, hasTools }: { why: string; hasTools: boolean }): string {
  return hasTools ? `${ASK_AGAIN}\n\nWhat was wrong: ${why}` : NO_TOOLS;
}

/** What the model is told beside the results of the calls that could be read; '' when nothing was dropped. */
export function droppedText(dropped: readonly string[]): string {
  if (dropped.length === 0) return '';
  return `Not everything in your last message could be run:\n${dropped.map((sentence) => `- ${sentence}`).join('\n')}`;
}

/** Whether a text holds protocol that is not quoted, in any form and of whatever tools. */
export function looksLikeProtocol(text: string): boolean {
  return parseText({ text, tools: [], dialects: [] }).kind !== 'prose';
}

/** The text without such protocol; what is quoted stays (C12.6). Text without any comes back unchanged. */
export function withoutProtocol(text: string): string {
  return parseText({ text, tools: [], dialects: [] }).text;
}
