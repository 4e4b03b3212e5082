/**
 * What announces protocol in a text (C3.4, C3.5, C10.4), whether or not its dialect is on. The reader looks for whole
 * markers; the stream guard also asks whether a text that has just begun may become one, so every marker is short.
 */
import type { FindTool } from './names.ts';

/** Tags whose body is a call, or several. */
export const CALL_TAGS = ['tool_call', 'tool_calls', 'toolcall', 'tool-call', 'minimax:tool_call', 'minimax:toolcall'];
const OTHER_TAGS = ['invoke', 'tools', 'function_call', 'function_calls', 'functioncall', 'tool_result'];
const TAGS = [...CALL_TAGS, ...OTHER_TAGS].sort((a, b) => b.length - a.length);

export const MINIMAX = ']<]minimax[>[';
const BARS = ['｜', '｜｜', '‖', '|', '||'];
/** The ends of envelopes that are not spelt like a tag. */
const PLAIN = [
  '[tool_call]',
  '[/tool_call]',
  '[tool_calls]',
  MINIMAX,
  '<|tool_call',
  '<|python_tag|>',
  '<｜tool▁',
  '<function=',
  ...BARS.flatMap((bar) => [`<${bar}dsml`, `</${bar}dsml`]),
];

const quoted = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
const TAG_SOURCE = `<\\/?(?:${TAGS.map(quoted).join('|')})(?=[\\s>\\/<{[\\]]|$)`;
const PLAIN_SOURCE = [...PLAIN]
  .sort((a, b) => b.length - a.length)
  .map(quoted)
  .join('|');

/** Source of a pattern for any marker, to be used with the flag `i`. */
export const MARKER_SOURCE = `${TAG_SOURCE}|${PLAIN_SOURCE}`;

const ANY_BARS = '(?:｜{1,2}|‖|\\|{1,2})';
/** A marker that begins an envelope, not one that ends it. Source for the flag `i`. */
export const OPENING_SOURCE = [
  `(?:${quoted(MINIMAX)})?<(?:${TAGS.map(quoted).join('|')})(?=[\\s>\\/<{[\\]]|$)`,
  `<${ANY_BARS}DSML${ANY_BARS}[a-z]`,
  '<function=',
  '\\[TOOL_CALLS?\\]',
  '<\\|tool_calls_section_begin\\|>',
  '<\\|python_tag\\|>',
].join('|');

/** A marker that ends an envelope. Source for the flag `i`. */
export const CLOSING_SOURCE = [
  `(?:${quoted(MINIMAX)})?<\\/(?:${TAGS.map(quoted).join('|')})\\s{0,8}>`,
  `<\\/${ANY_BARS}DSML${ANY_BARS}[a-z_]{1,32}>`,
  '\\[\\/TOOL_CALL\\]',
  '<\\|tool_calls_section_end\\|>',
  '<\\|tool_call_end\\|>',
  '<｜tool▁calls▁end｜>',
].join('|');

/** The end of a value or a call in tags. Source for the flag `i`. */
export const VALUE_END_SOURCE = '<\\/(?:parameter|arg_key|arg_value|function)\\s{0,8}>';

/** Markers that count only where a line (or the text behind an envelope) begins. Sources, for the flags `iy`. */
export const LINE_MARKERS = {
  /** A call object or list without any tag: not a form of its own, but not prose either. */
  json: `\\{\\s{0,16}["'](?:name|tool_calls|function|type|id|arguments|parameters)["']|\\[\\s{0,16}\\{`,
  word: 'TOOL_CALL\\s{0,16}\\{',
  glm: '[\\w.:-]{1,64}\\/[\\w.-]{1,64}>',
};

/** Where a text stands: at the beginning of a response, of a line, or in the middle of one. */
export type Place = 'start' | 'line' | 'middle';

const WHOLE_START = new RegExp(`^(?:${MARKER_SOURCE.replace('|$)', ')')})`, 'i');
const LINE_START = new RegExp(`^(?:${LINE_MARKERS.json}|${LINE_MARKERS.word})`, 'i');
const GLM_START = new RegExp(`^${LINE_MARKERS.glm}`);
const GLM_BEGUN = /^[\w.:-]{1,64}(?:\/[\w.-]{0,64})?$/;
const JSON_BEGUN = /^(?:\{\s{0,16}(?:["'][a-z_]{0,10})?|\[\s{0,16})$/i;
const WORD_BEGUN = /^TOOL_CALL\s{0,16}$/i;
const BEGINNINGS = [...TAGS.flatMap((tag) => [`<${tag}`, `</${tag}`]), ...PLAIN];

const SHORTEST = Math.min(...BEGINNINGS.map(({ length }) => length));

/** Whether the text is the beginning of a marker (`yes`), may still become one (`maybe`), or neither. */
export function beginsMarker(text: string, place: Place, find: FindTool): 'yes' | 'maybe' | 'no' {
  if (text.length >= SHORTEST && WHOLE_START.test(text)) return 'yes';
  const low = text.toLowerCase();
  const maybe = BEGINNINGS.some((marker) => marker.startsWith(low));
  if (place === 'middle') return maybe ? 'maybe' : 'no';
  if (LINE_START.test(text) || (place === 'start' && text[0] === '{')) return 'yes';
  if (GLM_START.test(text)) return isGlmTool(text, find) ? 'yes' : 'no';
  if (maybe || JSON_BEGUN.test(text) || WORD_BEGUN.test(text) || 'tool_call'.startsWith(low)) return 'maybe';
  return GLM_BEGUN.test(text) ? 'maybe' : 'no';
}

/** `shell/command>` is a call only if there is such a tool; else it is any text with a slash. */
export function isGlmTool(line: string, find: FindTool): boolean {
  return find(line.slice(0, line.indexOf('/'))) !== undefined;
}

/** Characters that may begin a marker anywhere. */
export const MARKER_CHARS = '<[]';
