// What the three vendors send, event by event, as their formats are documented. Written by hand for these tests.
import type { FinishKind } from '../../activities/provider/types.ts';
import type { Dialect } from '../activities/provider/contract.ts';
import type { Piece } from './wire-server.ts';

/** One server-sent event; `type` is also the event's name where the vendor writes it. */
export const named = (data: { type: string } & Record<string, unknown>): string =>
  `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`;
export const plain = (data: unknown): string => `data: ${JSON.stringify(data)}\n\n`;

// --- Anthropic: a message of blocks ------------------------------------------------------------------------------

/** Counts blocks over one answer: each has an index of its own. */
let nextBlock = 0;

export const anthropicStart = (usage: Record<string, unknown> = { input_tokens: 5, output_tokens: 1 }): string =>
  named({ type: 'message_start', message: { id: 'msg_1', type: 'message', role: 'assistant', content: [], usage } });

/** A block: its start, its deltas, its end. */
export function block(content: Record<string, unknown>, deltas: Record<string, unknown>[] = []): string[] {
  const index = nextBlock++;
  return [
    named({ type: 'content_block_start', index, content_block: content }),
    ...deltas.map((delta) => named({ type: 'content_block_delta', index, delta })),
    named({ type: 'content_block_stop', index }),
  ];
}

export const toolUse = (id: string, name: string, pieces: string[], type = 'tool_use'): string[] =>
  block(
    { type, id, name, input: {} },
    pieces.map((partial_json) => ({ type: 'input_json_delta', partial_json })),
  );

export const anthropicEnd = (stop_reason: string | null, usage: Record<string, unknown> = {}): string[] => [
  named({ type: 'message_delta', delta: { stop_reason, stop_sequence: null }, usage }),
  named({ type: 'message_stop' }),
];

const ANTHROPIC_FINISH: Partial<Record<FinishKind, string>> = {
  stop: 'end_turn',
  calls: 'tool_use',
  length: 'max_tokens',
  refusal: 'refusal',
};

export const anthropicDialect: Dialect = {
  finishes: ['stop', 'calls', 'length', 'refusal'],
  text: (text) => block({ type: 'text', text: '' }, [{ type: 'text_delta', text }]),
  thinking: (thinking) =>
    block({ type: 'thinking', thinking: '', signature: '' }, [{ type: 'thinking_delta', thinking }]),
  call: (_, id, name, pieces) => toolUse(id, name, pieces),
  end: (kind, { input, output, cached }) => [
    // The figures of the start are repeated and completed at the end.
    anthropicStart({ input_tokens: input - cached, cache_read_input_tokens: cached, output_tokens: 1 }),
    ...anthropicEnd(ANTHROPIC_FINISH[kind] ?? 'odd', { output_tokens: output }),
  ],
  optionalEnd: 0,
  errorEvent: (message, kind) =>
    named({ type: 'error', error: { type: kind === 'overloaded' ? 'overloaded_error' : 'rate_limit_error', message } }),
  errorBody: (message) => JSON.stringify({ type: 'error', error: { type: 'api_error', message } }),
};

// --- OpenAI: a response of items -----------------------------------------------------------------------------------

let nextItem = 0;

/** An item: added empty, filled by deltas, done as a whole. */
export function item(
  added: Record<string, unknown>,
  deltas: ({ type: string } & Record<string, unknown>)[],
  done: Record<string, unknown>,
): string[] {
  const output_index = nextItem++;
  return [
    named({ type: 'response.output_item.added', output_index, item: added }),
    ...deltas.map((delta) => named({ ...delta, output_index, item_id: String(done.id) })),
    named({ type: 'response.output_item.done', output_index, item: done }),
  ];
}

export function messageItem(text: string, more: Record<string, unknown> = {}): string[] {
  const id = `msg_${nextItem}`;
  const head = { id, type: 'message', role: 'assistant', ...more };
  return item(
    { ...head, status: 'in_progress', content: [] },
    [{ type: 'response.output_text.delta', content_index: 0, delta: text }],
    { ...head, status: 'completed', content: [{ type: 'output_text', text, annotations: [] }] },
  );
}

export function reasoningItem(summary: string, encrypted_content: string | null = 'AbC/+=='): string[] {
  const id = `rs_${nextItem}`;
  return item(
    { id, type: 'reasoning', summary: [] },
    [{ type: 'response.reasoning_summary_text.delta', summary_index: 0, delta: summary }],
    { id, type: 'reasoning', summary: [{ type: 'summary_text', text: summary }], encrypted_content },
  );
}

export function functionCall(call_id: string, name: string, pieces: string[]): string[] {
  const head = { id: `fc_${nextItem}`, type: 'function_call', call_id, name };
  return item(
    { ...head, status: 'in_progress', arguments: '' },
    pieces.map((delta) => ({ type: 'response.function_call_arguments.delta', delta })),
    { ...head, status: 'completed', arguments: pieces.join('') },
  );
}

export function responseEnd(more: Record<string, unknown> = {}): string {
  const status = more.incomplete_details ? 'incomplete' : 'completed';
  const usage = { input_tokens: 5, output_tokens: 2 };
  return named({ type: `response.${status}`, response: { id: 'resp_1', status, output: [], usage, ...more } });
}

export const openAiDialect: Dialect = {
  text: (text) => messageItem(text),
  thinking: (text) => reasoningItem(text),
  call: (_, id, name, pieces) => functionCall(id, name, pieces),
  end: (kind, { input, output, cached }) => {
    const usage = {
      input_tokens: input,
      input_tokens_details: { cached_tokens: cached },
      output_tokens: output,
      output_tokens_details: { reasoning_tokens: 0 },
    };
    if (kind === 'length') return [responseEnd({ usage, incomplete_details: { reason: 'max_output_tokens' } })];
    if (kind === 'filter') return [responseEnd({ usage, incomplete_details: { reason: 'content_filter' } })];
    if (kind === 'refusal') return [...refusalItem('No.'), responseEnd({ usage })];
    // What no call stands behind is "stop": the protocol has no word of its own for calls.
    return [responseEnd({ usage })];
  },
  finishes: ['stop', 'length', 'filter', 'refusal'],
  optionalEnd: 0,
  errorEvent: (message, kind) =>
    kind === 'overloaded'
      ? named({ type: 'error', code: 'server_error', message, param: null, sequence_number: 3 })
      : named({
          type: 'response.failed',
          response: { status: 'failed', error: { code: 'rate_limit_exceeded', message } },
        }),
  errorBody: (message) => JSON.stringify({ error: { message, type: 'server_error', code: null, param: null } }),
};

export function refusalItem(refusal: string): string[] {
  const head = { id: `msg_${nextItem}`, type: 'message', role: 'assistant' };
  return item(
    { ...head, status: 'in_progress', content: [] },
    [{ type: 'response.refusal.delta', content_index: 0, delta: refusal }],
    { ...head, status: 'completed', content: [{ type: 'refusal', refusal }] },
  );
}

// --- Google: candidates with parts -------------------------------------------------------------------------------

export const parts = (...all: Record<string, unknown>[]): string =>
  plain({ candidates: [{ content: { role: 'model', parts: all }, index: 0 }], modelVersion: 'g' });

export const googleEnd = (finishReason: string, usageMetadata: Record<string, unknown> = {}): string =>
  plain({ candidates: [{ content: { role: 'model', parts: [] }, finishReason, index: 0 }], usageMetadata });

const GOOGLE_FINISH: Partial<Record<FinishKind, string>> = { stop: 'STOP', length: 'MAX_TOKENS', filter: 'SAFETY' };

export const googleDialect: Dialect = {
  finishes: ['stop', 'length', 'filter'],
  text: (text) => [parts({ text })],
  thinking: (text) => [parts({ text, thought: true })],
  call: (_, id, name, pieces) => [parts({ functionCall: { id, name, args: JSON.parse(pieces.join('')) } })],
  end: (kind, { input, output, cached }) => [
    googleEnd(GOOGLE_FINISH[kind] ?? 'STOP', {
      promptTokenCount: input,
      cachedContentTokenCount: cached,
      candidatesTokenCount: output,
      totalTokenCount: input + output,
    }),
  ],
  optionalEnd: 0,
  errorEvent: (message, kind) =>
    plain({
      error:
        kind === 'overloaded'
          ? { code: 503, message, status: 'UNAVAILABLE' }
          : { code: 429, message, status: 'RESOURCE_EXHAUSTED' },
    }),
  errorBody: (message) => JSON.stringify({ error: { code: 400, message, status: 'INVALID_ARGUMENT' } }),
};

export const stream = (...pieces: (string | string[])[]): { pieces: Piece[] } => ({ pieces: pieces.flat() });
