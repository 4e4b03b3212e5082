/** An entry as it is kept: canonical JSON in which long texts and all results stand as references to blobs. */
import type { Json } from '../../core/json.ts';
import type { Entry, StoredCall, StoredResult } from '../../core/transcript.ts';
import { mustGetBlob, refOf } from '../blobs.ts';
import type { Tx } from '../database.ts';
import { plainJson } from '../plain.ts';

/** Shorter texts stay in the row. Part of what heads are made of: changing it makes other heads. */
const INLINE_CHARACTERS = 2048;

export type Folded = { body: string; texts: Map<string, string> };

export function fold(entry: Entry): Folded {
  const texts = new Map<string, string>();
  const folded = mapTexts(entry, (text, always) => {
    if (!always && text.length <= INLINE_CHARACTERS) return text;
    const ref = refOf(text);
    texts.set(ref, text);
    return { ref };
  });
  return { body: plainJson(folded), texts };
}

/** Within a transaction: the entry with its texts. */
export function* unfold(body: string): Tx<Entry> {
  const refs = new Set<string>();
  const folded = JSON.parse(body) as Entry;
  mapTexts(folded, (text) => {
    const ref = refIn(text);
    if (ref) refs.add(ref);
    return text;
  });
  if (refs.size === 0) return folded;
  const texts = new Map<string, string>();
  for (const ref of refs) texts.set(ref, yield* mustGetBlob(ref));
  return mapTexts(folded, (text) => texts.get(refIn(text) ?? '') ?? text) as unknown as Entry;
}

/** In a stored entry a text may be `{ ref }`. */
function refIn(text: unknown): string | undefined {
  return typeof text === 'object' && text !== null && 'ref' in text ? String(text.ref) : undefined;
}

type Change = (text: string, always: boolean) => Json;

/** A copy with every text that may be long changed, and without members that are undefined. */
function mapTexts(entry: Entry, change: Change): Json {
  switch (entry.kind) {
    case 'user':
      return { kind: 'user', text: change(entry.text, false), via: entry.via };
    case 'results':
      return { kind: 'results', step: entry.step, results: entry.results.map((result) => ofResult(result, change)) };
    case 'assistant':
      return {
        kind: 'assistant',
        step: entry.step,
        text: change(entry.text, false),
        ...(entry.thinking === undefined ? {} : { thinking: change(entry.thinking, false) }),
        calls: entry.calls.map((call) => ofCall(call, change)),
        ...(entry.providerCalls === undefined ? {} : { providerCalls: entry.providerCalls }),
        ...(entry.extras === undefined ? {} : { extras: entry.extras }),
        model: entry.model,
        ...(entry.cut === undefined ? {} : { cut: entry.cut }),
      };
  }
}

function ofResult({ callId, name, text, success }: StoredResult, change: Change): Json {
  return { callId, name, text: change(text, true), success };
}

function ofCall({ callId, providerId, name, arguments: given, extras }: StoredCall, change: Change): Json {
  const call = { callId, providerId, name, arguments: change(given, false) };
  return extras === undefined ? call : { ...call, extras };
}
