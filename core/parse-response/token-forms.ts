/** Forms that are marked by special tokens or words: Kimi, Mistral, Llama, and `TOOL_CALL` (C3.4). */

import { readArrowCall } from './arrow-call.ts';
import type { Context } from './context.ts';
import { readJsonValues } from './json-body.ts';
import { scanJson, skipBlank } from './json-scan.ts';
import { broken } from './tag-envelopes.ts';
import type { Envelope, Stray, WrittenCall } from './types.ts';

const KIMI = {
  section: /<\|tool_calls_section_begin\|>/y,
  call: /<\|tool_call_begin\|>\s{0,16}([^<|\s]{1,128})\s{0,16}<\|tool_call_argument_begin\|>/y,
  end: /<\|tool_call_end\|>/y,
  sectionEnd: /<\|tool_calls_section_end\|>/y,
};

/** `functions.name:3` is the call's id; the name stands in its middle. */
const KIMI_ID = /^(?:functions\.)?(.+?)(?::\d{1,9})?$/s;

export function readKimi(context: Context, from: number): Envelope | Stray {
  const { text } = context;
  const calls: WrittenCall[] = [];
  let at = taken(KIMI.section, text, from) ?? from;
  for (;;) {
    KIMI.call.lastIndex = skipBlank(text, at);
    const id = KIMI.call.exec(text)?.[1];
    if (id === undefined) break;
    const start = skipBlank(text, KIMI.call.lastIndex);
    const scan = scanJson(text, start);
    const end = scan.closed ? taken(KIMI.end, text, skipBlank(text, scan.at)) : undefined;
    if (end === undefined) return { ...broken(context, from, 'kimi'), calls };
    calls.push({ name: KIMI_ID.exec(id)?.[1] ?? id, arguments: text.slice(start, scan.at), id });
    at = end;
  }
  const to = taken(KIMI.sectionEnd, text, skipBlank(text, at));
  if (calls.length > 0 && (to !== undefined || at !== from))
    return { from, to: to ?? at, form: 'kimi', calls, faults: [] };
  const stray = taken(KIMI.end, text, from) ?? taken(KIMI.sectionEnd, text, from);
  return stray === undefined ? broken(context, from, 'kimi') : { from, to: stray, stray: 'envelope' };
}

const MISTRAL_NAME =
  /\s{0,16}([\w.:-]{1,64})\s{0,16}(?:\[CALL_ID\]\s{0,16}([\w-]{1,64})\s{0,16})?(?:\[ARGS\])?\s{0,16}(?=\{)/y;

/** `[TOOL_CALLS]name[ARGS]{…}` or `[TOOL_CALLS][…]`. @param to behind the marker */
export function readMistral(context: Context, from: number, to: number): Envelope {
  const { text } = context;
  const at = skipBlank(text, to);
  if (text[at] === '[') {
    const body = readJsonValues(context, at);
    return body ? { from, form: 'mistral', ...body } : broken(context, from, 'mistral');
  }
  MISTRAL_NAME.lastIndex = at;
  const [, name, id] = MISTRAL_NAME.exec(text) ?? [];
  const scan = name === undefined ? undefined : scanJson(text, MISTRAL_NAME.lastIndex);
  if (name === undefined || !scan?.closed) return broken(context, from, 'mistral');
  const args = text.slice(MISTRAL_NAME.lastIndex, scan.at);
  const call = { name, arguments: args, ...(id === undefined ? {} : { id }) };
  return { from, to: scan.at, form: 'mistral', calls: [call], faults: [] };
}

const LLAMA_END = /\s*(?:<\|e(?:om|ot)_id\|>\s*)?$/y;

/** `<|python_tag|>` and objects joined by `;`: only as the whole response. @param to behind the marker */
export function readLlama(context: Context, from: number, to: number): Envelope {
  const { text } = context;
  const body = readJsonValues(context, to);
  LLAMA_END.lastIndex = body?.to ?? 0;
  if (body && context.isBlank(0, from) && LLAMA_END.test(text)) {
    return { from, form: 'llama', ...body, to: text.length };
  }
  return { from, to: text.length, form: 'llama', calls: [], faults: ['it is not the whole response'] };
}

const WORD = /(?:TOOL_CALL\s{0,16}|\[TOOL_CALL\]\s{0,16})/iy;
const WORD_END = /\[?\/TOOL_CALL\]?/iy;

/** `TOOL_CALL {…}` and `[TOOL_CALL]{…}[/TOOL_CALL]`. */
export function readWord(context: Context, from: number): Envelope | Stray {
  const { text } = context;
  const stray = taken(WORD_END, text, from);
  if (stray !== undefined) return { from, to: stray, stray: 'envelope' };
  const at = taken(WORD, text, from) ?? from;
  const body = readJsonValues(context, at) ?? readArrowCall(context, at);
  if (!body) return broken(context, from, 'word');
  const end = taken(WORD_END, text, skipBlank(text, body.to));
  return { from, form: 'word', ...body, to: end ?? body.to };
}

function taken(pattern: RegExp, text: string, at: number): number | undefined {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : undefined;
}
