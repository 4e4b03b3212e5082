/** A response that is nothing but calls as JSON, with or without a fence around it (C3.4). */
import { callValues } from './call-value.ts';
import type { Context } from './context.ts';
import { readJsonValues } from './json-body.ts';
import { scanJson, skipBlank } from './json-scan.ts';
import { type Fence, fenceAt } from './quotes.ts';
import type { Envelope } from './types.ts';

/** `content`: what the response says beside its calls. */
export type WholeJson = { envelope: Envelope; content?: string };

/** Behind the JSON: nothing, or the token with which llama ends a message of calls. */
const END = /\s*(?:<\|e(?:om|ot)_id\|>\s*)?$/y;

/** Undefined when the text is something else; an answer in JSON is prose. */
export function readWholeJson(context: Context, hasTools: boolean): WholeJson | undefined {
  const { text } = context;
  const from = skipBlank(text, 0);
  if (!/^(?:\{|\[\s{0,16}\{)/.test(text.slice(from, from + 20))) return undefined;
  const { closed, at } = scanJson(text, from);
  if (!closed) return undefined;
  END.lastIndex = at;
  const behind = END.test(text) ? text.length : skipBlank(text, at);
  if (text[behind] === ';') return readJoined(context, from);
  if (behind < text.length) return undefined;
  const { values, wrapped, content } = callValues(text, { from, to: at });
  const envelope: Envelope = { from: 0, to: text.length, form: 'json', calls: [], faults: [] };
  for (const value of values) {
    if (value.kind === 'call' && (wrapped || value.given)) envelope.calls.push(value.call);
    else envelope.faults.push('it is not an object with "name" and "arguments"');
  }
  if (wrapped) {
    if (values.length === 0) envelope.faults.push('"tool_calls" is empty');
    return content === undefined ? { envelope } : { envelope, content };
  }
  const known = envelope.calls.some(({ name }) => context.find(name));
  const spelt = values.every((value) => value.kind === 'call' && value.given === 'arguments');
  if (!known && !(spelt && hasTools && values.length > 0)) return undefined;
  return { envelope: envelope.faults.length > 0 ? { ...envelope, calls: [] } : envelope };
}

/** `{…}; {…}`: a dialect (llama). */
function readJoined(context: Context, from: number): WholeJson | undefined {
  const body = readJsonValues(context, from);
  if (!body || !context.isBlank(body.to, context.text.length)) return undefined;
  if (!body.calls.some(({ name }) => context.find(name))) return undefined;
  return { envelope: { from: 0, to: context.text.length, form: 'llama', calls: body.calls, faults: body.faults } };
}

/** The fence that is the whole response. */
export function wholeFence({ text }: Context): Fence | undefined {
  const from = skipBlank(text, 0);
  const fence = fenceAt(text, text.lastIndexOf('\n', from) + 1);
  return fence && text.slice(fence.to).trim() === '' ? fence : undefined;
}

/** Info strings of a fence in which JSON is taken as JSON. */
export const isJsonFence = (info: string): boolean => /^(?:|jsonc?|json5|text|plaintext|txt)$/i.test(info);
