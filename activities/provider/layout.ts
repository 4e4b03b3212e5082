/**
 * The order of a vendor's message, kept for the round trip (C3.6): thinking with its signature, blocks of the provider's
 * own tools, where text stood and where calls. What the message says itself (text, calls) is taken from the message.
 */
import type { Json, JsonObject } from '../../core/json.ts';
import type { Message } from '../../core/transcript.ts';
import { isObject } from './failure-of.ts';

export type LayoutPart =
  /** Opaque, returned as it is. */
  | { raw: Json }
  /** `null`: all of the message's text. `raw`: the vendor's part around it. */
  | { text: string | null; raw?: JsonObject }
  /** Place in the message's calls. */
  | { call: number };

export type Assistant = Extract<Message, { role: 'assistant' }>;

/** How a vendor writes each kind down; [] leaves it out. */
export type Writers = {
  text: (text: string, raw: JsonObject | undefined) => object[];
  call: (call: Assistant['calls'][number], place: number) => object[];
  raw: (raw: Json) => object[];
};

/** What need not be kept: text, then calls, nothing else, is how a message is written anyway. */
export function worthKeeping(layout: readonly LayoutPart[]): boolean {
  const plain = layout.map((part) =>
    'call' in part ? 'call' : 'text' in part && part.raw === undefined ? 'text' : '',
  );
  return plain.includes('') || plain.lastIndexOf('text') > 0;
}

/** One text is the message's text: it is not stored twice. */
export function shortened(layout: readonly LayoutPart[]): LayoutPart[] {
  const texts = layout.filter((part) => 'text' in part).length;
  return layout.map((part) => ('text' in part && texts === 1 ? { ...part, text: null } : part));
}

/**
 * Lays a message out. Its text may have changed since (a marker at its end, a secret taken out): what was added stands
 * behind the last text; any other change puts the whole text in the place of the first.
 */
export function laidOut(message: Assistant, stored: Json | undefined, write: Writers): object[] {
  const layout = withText(layoutIn(stored, message.calls.length) ?? message.calls.map((_, call) => ({ call })));
  const texts = textsOf(layout, message.text);
  let nth = 0;
  return layout.flatMap((part) => {
    if ('call' in part) return write.call(message.calls[part.call] as Assistant['calls'][number], part.call);
    if (!('text' in part)) return write.raw(part.raw);
    return (texts[nth++] ?? []).flatMap(([text, raw]) => write.text(text, raw));
  });
}

/** Undefined when it does not fit the message: a call is missing, or one is named twice. */
function layoutIn(stored: Json | undefined, calls: number): LayoutPart[] | undefined {
  if (!Array.isArray(stored)) return undefined;
  const layout = stored.filter((part) => isObject(part)) as LayoutPart[];
  const kept = layout.filter((part) => !('call' in part) || part.call < calls);
  const named = kept.flatMap((part) => ('call' in part ? [part.call] : []));
  return named.length === calls && new Set(named).size === calls ? kept : undefined;
}

type Said = [text: string, raw: JsonObject | undefined][];

function textsOf(layout: readonly LayoutPart[], whole: string): Said[] {
  const parts = layout.filter((part) => 'text' in part);
  const known = parts.map(({ text }) => text ?? whole);
  const joined = known.join('');
  const last = parts.length - 1;
  if (whole.startsWith(joined)) {
    const added: Said = joined.length < whole.length ? [[whole.slice(joined.length), undefined]] : [];
    return parts.map(({ raw }, at) => [[known[at] as string, raw], ...(at === last ? added : [])]);
  }
  return parts.map((_, at) => (at === 0 ? [[whole, undefined]] : []));
}

/** A text that the vendor's message did not have goes before the first call. */
function withText(layout: readonly LayoutPart[]): readonly LayoutPart[] {
  if (layout.some((part) => 'text' in part)) return layout;
  const firstCall = layout.findIndex((part) => 'call' in part);
  return layout.toSpliced(firstCall < 0 ? layout.length : firstCall, 0, { text: null });
}
