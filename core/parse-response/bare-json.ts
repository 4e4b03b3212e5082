/**
 * A call object without any tag where a line begins. It is no form of a call unless it is the whole response, but it
 * is not prose either if it names a tool: the model is asked again.
 */
import { callValues } from './call-value.ts';
import type { Context } from './context.ts';
import { scanJson } from './json-scan.ts';
import { isExampleBefore } from './scanner.ts';
import type { Envelope, Inert } from './types.ts';

const BEGUN =
  /[[{\s]{1,32}["'](?:tool_calls["']\s{0,8}:|name["']\s{0,8}:\s{0,8}["']([\w.:-]{1,64})["']\s{0,8},\s{0,8}["'](?:arguments|parameters)["'])/y;

export function readBare(context: Context, from: number): Envelope | Inert {
  const { text } = context;
  const { closed, at } = scanJson(text, from);
  if (isExampleBefore(text, from)) return { inertTo: Math.max(at, from + 1) };
  const told = { from, form: 'bare' as const, calls: [] };
  if (!closed) {
    if (!looksBegun(context, from)) return { inertTo: Math.max(at, from + 1) };
    return { ...told, to: text.length, faults: ['it is not complete'] };
  }
  const { values, wrapped } = callValues(text, { from, to: at });
  const calls = values.some((each) => each.kind === 'call' && each.given && context.find(each.call.name));
  if (!wrapped && !calls && !looksBegun(context, from)) return { inertTo: at };
  return { ...told, to: at, faults: ['it stands without a tag, or is no valid JSON'] };
}

function looksBegun(context: Context, from: number): boolean {
  BEGUN.lastIndex = from;
  const [begun, name] = BEGUN.exec(context.text) ?? [];
  return begun !== undefined && (name === undefined || context.find(name) !== undefined);
}
