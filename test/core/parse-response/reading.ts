// How the tests of the text protocol read: calls with their arguments as values, and a stream in any cut.
import { readArguments } from '../../../assess/read-arguments.ts';
import { type ParsedText, parseText, type ToolShape } from '../../../core/parse-response/parse.ts';
import { streamGuard } from '../../../core/stream-guard.ts';

export const ALL_DIALECTS = [
  'fence',
  'invoke',
  'function_call',
  'glm',
  'minimax',
  'deepseek',
  'kimi',
  'mistral',
  'llama',
];

export type Shown = { name: string; args: unknown; id?: string };

/** What would be called: names and arguments as C1.5 reads them. */
export function callsOf(parsed: ParsedText): Shown[] {
  if (parsed.kind !== 'calls') return [];
  return parsed.calls.map(({ name, arguments: text, id }) => {
    const read = readArguments(text);
    return { name, args: read.kind === 'object' ? read.value : read.kind, ...(id === undefined ? {} : { id }) };
  });
}

export const read = (text: string, tools: readonly ToolShape[], dialects: readonly string[] = []): ParsedText =>
  parseText({ text, tools, dialects });

/** A tool whose parameters have these types. */
export function tool(name: string, types: Record<string, string> = {}): ToolShape {
  const properties = Object.fromEntries(Object.entries(types).map(([key, type]) => [key, { type }]));
  return { name, parameters: { type: 'object', properties } };
}

/** The pieces of a text, each of `size` characters. */
export function cutEvery(text: string, size: number): string[] {
  const pieces: string[] = [];
  for (let at = 0; at < text.length; at += size) pieces.push(text.slice(at, at + size));
  return pieces;
}

/** What a reader of the stream sees, and what was parsed in the end. */
export function streamed(pieces: readonly string[], tools: readonly ToolShape[], dialects: readonly string[] = []) {
  const guard = streamGuard({ tools, dialects });
  const parts = pieces.map((piece) => guard.push(piece));
  const end = guard.end();
  const text = [...parts, end].map((part) => part.text).join('');
  const thinking = [...parts, end].map((part) => part.thinking).join('');
  return { text, thinking, parsed: end.parsed, shownBefore: parts.map((part) => part.text) };
}
