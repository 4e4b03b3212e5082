/** Calls in a fence whose info string says so (C3.4): `tool_call` and its like, or `tool <name>` around the arguments. */
import { Context } from './context.ts';
import { onlyGlmLines } from './glm-lines.ts';
import { readJsonValues } from './json-body.ts';
import { scanJson, skipBlank } from './json-scan.ts';
import { callFence, type Fence } from './quotes.ts';
import type { Envelope, WrittenCall } from './types.ts';
import { readXmlCalls } from './xml-calls.ts';

export function readFenceCall(context: Context, fence: Fence): Envelope {
  const { from, to, info, body } = fence;
  const inside = new Context(context.text.slice(body.from, body.to), context.find);
  const tool = callFence(info)?.tool;
  const calls = tool === undefined ? readCalls(inside, fence.closed) : readArguments(inside, tool, fence.closed);
  const faults = calls ? [] : ['it is not complete, or holds something else than calls'];
  return { from, to, form: 'fence', calls: calls ?? [], faults };
}

function readArguments({ text }: Context, name: string, closed: boolean): WrittenCall[] | undefined {
  const from = skipBlank(text, 0);
  if (from === text.length) return closed ? [{ name, arguments: '{}' }] : undefined;
  const { closed: complete, at } = scanJson(text, from);
  const whole = text[from] === '{' && complete && text.slice(at).trim() === '';
  return whole ? [{ name, arguments: text.slice(from, at) }] : undefined;
}

function readCalls(inside: Context, closed: boolean): WrittenCall[] | undefined {
  const { text } = inside;
  const from = skipBlank(text, 0);
  if (text[from] === '{' || text[from] === '[') {
    const body = readJsonValues(inside, from);
    return body && body.faults.length === 0 && inside.isBlank(body.to, text.length) ? body.calls : undefined;
  }
  if (!closed) return undefined;
  if (text[from] !== '<') return onlyGlmLines(text, inside.find);
  const { calls, to, fault } = readXmlCalls(inside, inside.tags('plain'), { start: 0, from: 0 });
  return fault === undefined && inside.isBlank(to, text.length) ? calls : undefined;
}
