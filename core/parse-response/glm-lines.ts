/** `tool/param>value` lines (C3.4). Lines of one tool in a row are one call until a parameter comes again. */
import type { FindTool } from './names.ts';
import { argumentsText, typedJson } from './typed-value.ts';
import type { ToolShape, WrittenCall } from './types.ts';

const LINE = /[ \t]*([\w.:-]{1,64})\/([\w.-]{1,64})>([^\n]*)/y;

/** The lines of this form, of tools that there are, that begin at `from`; `to` is behind the last one. */
export function readGlmLines(text: string, from: number, find: FindTool): { calls: WrittenCall[]; to: number } {
  const calls: WrittenCall[] = [];
  let open: { name: string; tool: ToolShape; values: Map<string, string> } | undefined;
  const close = () => {
    if (open) calls.push({ name: open.name, arguments: argumentsText(open.values) });
  };
  let to = from;
  for (LINE.lastIndex = from; ; LINE.lastIndex = to + 1) {
    const found = LINE.exec(text);
    const [, name, key, value] = found ?? [];
    if (name === undefined || key === undefined || value === undefined) break;
    const tool = find(name);
    if (!tool) break;
    to = LINE.lastIndex;
    if (open?.name !== name || open.values.has(key)) {
      close();
      open = { name, tool, values: new Map() };
    }
    open.values.set(key, typedJson(value.trim(), { root: tool.parameters, key }));
    if (text[to] !== '\n') break;
  }
  close();
  return { calls, to };
}

/** The calls of a text that is nothing but such lines. */
export function onlyGlmLines(text: string, find: FindTool): WrittenCall[] | undefined {
  const lines = text.trim();
  const { calls, to } = readGlmLines(lines, 0, find);
  return calls.length > 0 && to === lines.length ? calls : undefined;
}
