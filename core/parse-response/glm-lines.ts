/** `tool/param>value` lines (C3.4). Lines of one tool in a row are one call until a parameter comes again. */
import { isGlmTool } from './markers.ts';
import type { FindTool } from './names.ts';
import { argumentsText, typedJson } from './typed-value.ts';
import type { WrittenCall } from './types.ts';

const LINE = /^[ \t]*([\w.:-]{1,64})\/([\w.-]{1,64})>(.*)$/s;

/** Undefined when one of the lines, blank ones aside, is no such line. */
export function readGlmLines(text: string, find: FindTool): WrittenCall[] | undefined {
  const calls: { name: string; values: Map<string, string> }[] = [];
  for (const line of text.split('\n')) {
    if (line.trim() === '') continue;
    const [, name, key, value] = LINE.exec(line) ?? [];
    if (name === undefined || key === undefined || value === undefined) return undefined;
    let call = calls.at(-1);
    if (!call || call.name !== name || call.values.has(key)) {
      call = { name, values: new Map() };
      calls.push(call);
    }
    call.values.set(key, typedJson(value.trim(), { root: find(name)?.parameters, key }));
  }
  return calls.map(({ name, values }) => ({ name, arguments: argumentsText(values) }));
}

/** Index behind the lines of this form that begin at `from`. */
export function glmLinesEnd(text: string, from: number, find: FindTool): number {
  let end = from;
  for (let at = from; at < text.length; ) {
    const stop = text.indexOf('\n', at);
    const line = text.slice(at, stop === -1 ? text.length : stop);
    if (!LINE.test(line) || !isGlmTool(line.trimStart(), find)) break;
    end = at + line.length;
    at = end + 1;
  }
  return end;
}
