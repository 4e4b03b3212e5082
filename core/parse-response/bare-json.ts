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
    BEGUN.lastIndex = from;
    const [begun, name] = BEGUN.exec(text) ?? [];
    const calls = begun !== undefined && (name === undefined || context.find(name) !== undefined);
    return calls ? { ...told, to: text.length, faults: ['it is not complete'] } : { inertTo: Math.max(at, from + 1) };
  }
  const { values, wrapped } = callValues(text, { from, to: at });
  const calls = values.some((each) => each.kind === 'call' && each.given && context.find(each.call.name));
  return wrapped || calls ? { ...told, to: at, faults: ['it stands without a tag'] } : { inertTo: at };
}
