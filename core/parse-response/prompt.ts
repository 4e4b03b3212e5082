/** What a model without native tools is told (C3.2), and how it gets results (C7.7). The same tools give the same bytes. */
import type { JsonObject } from '../json.ts';

export type TaughtTool = { name: string; description: string; parameters: JsonObject };

const HOW = `You can call tools. To call one, write exactly this, with a JSON object of "name" and "arguments" between the tags:

<tool_call>
{"name": "tool_name", "arguments": {"parameter": "value"}}
</tool_call>

Write several such blocks to call several tools. Begin each on a line of its own, outside of code fences, and close it. What is quoted (in a code fence, in backticks, behind ">") is not called. Then stop: the results come in the next message, each in <tool_result name="tool_name">. Never write a <tool_result> yourself. If you need no tool, answer in plain text.`;

/** The part of the system text that teaches the protocol; '' when there is no tool to call. */
export function textProtocolInstructions(tools: readonly TaughtTool[]): string {
  return tools.length === 0
    ? ''
    : [HOW, 'The tools, with the JSON Schema of their arguments:', ...tools.map(taught)].join('\n\n');
}

function taught({ name, description, parameters }: TaughtTool): string {
  const about = description.trim();
  return [`Tool: ${name}`, ...(about === '' ? [] : [about]), `Arguments: ${JSON.stringify(parameters)}`].join('\n');
}

export const TOOL_RESULTS_TITLE = '[Tool results]';

/**
 * One user message with the results of calls that were read from text, in the order given. Text of a result that looks
 * like the tags around it is spelt differently, so that no result can end early or bring another one along.
 */
export function toolResultsText(results: readonly { name: string; text: string }[]): string {
  const blocks = results.map(({ name, text }) => {
    return `<tool_result name="${attribute(name)}">\n${text.replace(OUR_TAG, '&lt;')}\n</tool_result>`;
  });
  return [TOOL_RESULTS_TITLE, ...blocks].join('\n');
}

const OUR_TAG = /<(?=\/?tool_result)/gi;

const attribute = (name: string): string =>
  name
    .replace(/[\p{Cc}\p{Cf}]/gu, '')
    .replaceAll('&', '&amp;')
    .replaceAll('"', '&quot;');
