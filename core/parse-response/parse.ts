/**
 * Reads calls from a response's text (C3.3–C3.5). Never throws, is linear in the text, and prefers to miss a call: a
 * missed one costs a retry, a false one does damage.
 */
import { thinkSplitter } from '../think-split.ts';
import { Context } from './context.ts';
import { readFenceCall } from './fence-call.ts';
import { toolFinder } from './names.ts';
import { callFence } from './quotes.ts';
import { beginsWithProtocol } from './scanner.ts';
import type { Envelope, ParsedText, ToolShape } from './types.ts';
import { judged } from './verdict.ts';
import { withoutSlices } from './visible.ts';
import { walk } from './walk.ts';
import { isJsonFence, readWholeJson, wholeFence } from './whole.ts';

export type { ParsedText, TextCall, ToolShape } from './types.ts';

export type ParseInput = {
  /** As the model wrote it, thinking included. */
  text: string;
  /** The effective set: nothing else is ever called. */
  tools: readonly ToolShape[];
  /** The model's `text_dialects`. */
  dialects: readonly string[];
};

export function parseText({ text, tools, dialects }: ParseInput): ParsedText {
  const splitter = thinkSplitter();
  const first = splitter.push(text);
  const rest = splitter.end();
  const said = first.text + rest.text;
  if (said.trim() === '') {
    const thinks = (first.thinking + rest.thinking).trim() !== '';
    return thinks ? { kind: 'malformed', text: '', why: UNFINISHED } : { kind: 'prose', text: said };
  }
  const context = new Context(said, toolFinder(tools));
  const { envelopes, content } = envelopesOf(context, {
    hasTools: tools.length > 0,
    fences: dialects.includes('fence'),
  });
  return judged({ context, envelopes, dialects, cuts: splitter.cuts, content });
}

const UNFINISHED = 'The thinking was not finished, or nothing came after it.';

type Read = { envelopes: Envelope[]; content?: string | undefined };
type Reading = { hasTools: boolean; fences: boolean };

function envelopesOf(context: Context, reading: Reading): Read {
  const whole = readWholeJson(context, reading.hasTools);
  if (whole) return { envelopes: [whole.envelope], content: whole.content };
  const fence = wholeFence(context);
  if (!fence) return { envelopes: walk(context, reading.fences) };
  const tagged = /^\s*</.test(context.text.slice(fence.body.from, fence.body.to));
  if (callFence(fence.info) && !tagged) return { envelopes: [readFenceCall(context, fence)] };
  return insideFence(context, reading, fence);
}

/** A fence that is the whole response is not quoted if it begins with protocol; any other is. */
function insideFence(context: Context, reading: Reading, fence: NonNullable<ReturnType<typeof wholeFence>>): Read {
  const inside = new Context(context.text.slice(fence.body.from, fence.body.to), context.find);
  if (!beginsWithProtocol(inside.text.trimStart(), context.find)) {
    return { envelopes: fence.closed ? [] : walk(context, false) };
  }
  const json = isJsonFence(fence.info) ? readWholeJson(inside, reading.hasTools) : undefined;
  const envelopes = json ? [json.envelope] : walk(inside, reading.fences);
  if (envelopes.length === 0) return { envelopes };
  const { from } = fence.body;
  const moved = envelopes.map((each) => ({ ...each, from: each.from + from, to: each.to + from }));
  return { envelopes: moved, content: json?.content ?? shownInside(inside, envelopes) };
}

function shownInside({ text }: Context, envelopes: readonly Envelope[]): string {
  return withoutSlices(text, envelopes).trim();
}
