/** Which of the calls that were read are calls of this turn, and what becomes of the rest of the text (C3.3, C3.5). */
import { displayName } from '../unknown-tool.ts';
import type { Context } from './context.ts';
import { type Envelope, FORMS, type Form, type ParsedText, type TextCall, type WrittenCall } from './types.ts';
import { withoutSlices } from './visible.ts';

export type Evidence = {
  context: Context;
  /** In the order of the text, none inside another. */
  envelopes: readonly Envelope[];
  dialects: readonly string[];
  /** Where thinking was taken out of the text. */
  cuts: readonly number[];
  /** What to show instead of the text without its envelopes. */
  content?: string | undefined;
};

/** Sentences about what was dropped, at most; one more counts the rest. */
const MOST_TOLD = 20;

type Valid = TextCall & { form: Form };

export function judged(evidence: Evidence): ParsedText {
  const { context, envelopes, content } = evidence;
  if (envelopes.length === 0) return { kind: 'prose', text: context.text };
  const dropped: string[] = [];
  const valid: Valid[] = [];
  const cutIn = cutFinder(evidence.cuts);
  for (const envelope of envelopes) {
    const faults = cutIn(envelope) ? ['it was interrupted by thinking'] : envelope.faults;
    dropped.push(...faults.map((fault) => `A call could not be read: ${fault}.`));
    if (cutIn(envelope)) continue;
    for (const call of envelope.calls) {
      const why = whyNot(call, envelope.form, evidence);
      const tool = context.find(call.name);
      if (why === undefined && tool) valid.push({ ...call, name: tool.name, form: envelope.form });
      else dropped.push(`${named(call)} was not called: ${why}.`);
    }
  }
  const text = content ?? withoutSlices(context.text, envelopes);
  const calls = firstForm(valid, dropped);
  if (calls.length > 0) return { kind: 'calls', calls: uniqueIds(calls), text, dropped: bounded(dropped) };
  return {
    kind: 'malformed',
    text,
    why: bounded(dropped).join(' ') || 'There is an envelope of a call, but no call in it.',
  };
}

const named = ({ name }: WrittenCall): string => `"${displayName(name) || 'unnamed'}"`;

function whyNot({ name }: WrittenCall, form: Form, { context, dialects }: Evidence): string | undefined {
  if (!isEnabled(form, dialects)) return 'it was not written in the form that was asked for';
  return context.find(name) ? undefined : 'there is no tool of that name';
}

/** The forms that need no dialect; the others are on only for models whose configuration names them (C3.4). */
const ALWAYS: readonly Form[] = ['json', 'tag', 'tools'];

function isEnabled(form: Form, dialects: readonly string[]): boolean {
  if (form === 'word') return dialects.includes('function_call') || dialects.includes('minimax');
  return ALWAYS.includes(form) || (form !== 'bare' && dialects.includes(form));
}

/** First hit wins (C3.4): of several forms in one response only the first in their order counts. */
function firstForm(valid: readonly Valid[], dropped: string[]): TextCall[] {
  const first = FORMS.find((form) => valid.some((call) => call.form === form));
  return valid.flatMap(({ form, ...call }) => {
    if (form === first) return [call];
    dropped.push(`${named(call)} was not called: it was written in another form than the call before.`);
    return [];
  });
}

function uniqueIds(calls: readonly TextCall[]): TextCall[] {
  const used = new Set<string>();
  return calls.map(({ id, ...call }) => {
    if (id === undefined || used.has(id)) return call;
    used.add(id);
    return { ...call, id };
  });
}

function bounded(sentences: readonly string[]): string[] {
  const told = [...new Set(sentences)];
  const more = told.length - MOST_TOLD;
  return more > 0 ? [...told.slice(0, MOST_TOLD), `${more} more could not be read.`] : told;
}

/** Whether something was cut from the inside of a stretch. Asked in order of place. */
function cutFinder(cuts: readonly number[]): (envelope: Envelope) => boolean {
  let passed = 0;
  return ({ from, to }) => {
    while ((cuts[passed] ?? Number.POSITIVE_INFINITY) <= from) passed += 1;
    return (cuts[passed] ?? Number.POSITIVE_INFINITY) < to;
  };
}
