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
  const dropped = new Dropped();
  const valid: Valid[] = [];
  const cutIn = cutFinder(evidence.cuts);
  for (const envelope of envelopes) {
    const faults = cutIn(envelope) ? ['it was interrupted by thinking'] : envelope.faults;
    for (const fault of faults) dropped.addFault(fault);
    if (cutIn(envelope)) continue;
    for (const call of envelope.calls) {
      const why = whyNot(call, envelope.form, evidence);
      const tool = context.find(call.name);
      if (why === undefined && tool) valid.push({ ...call, name: tool.name, form: envelope.form });
      else dropped.add(`${named(call)} was not called: ${why}.`);
    }
  }
  const text = content ?? withoutSlices(context.text, envelopes);
  const calls = firstForm(valid, dropped);
  if (calls.length > 0) return { kind: 'calls', calls: uniqueIds(calls), text, dropped: dropped.list() };
  return {
    kind: 'malformed',
    text,
    why: dropped.list().join(' ') || 'There is an envelope of a call, but no call in it.',
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
function firstForm(valid: readonly Valid[], dropped: Dropped): TextCall[] {
  const first = FORMS.find((form) => valid.some((call) => call.form === form));
  return valid.flatMap(({ form, ...call }) => {
    if (form === first) return [call];
    dropped.add(`${named(call)} was not called: it was written in another form than the call before.`);
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

/** What the model is told of, each thing once. */
class Dropped {
  readonly #told = new Set<string>();
  readonly #faults = new Set<string>();
  #more = 0;

  addFault(fault: string): void {
    if (this.#faults.has(fault)) return;
    this.#faults.add(fault);
    this.add(`A call could not be read: ${fault}.`);
  }

  add(sentence: string): void {
    if (this.#told.has(sentence)) return;
    if (this.#told.size < MOST_TOLD) this.#told.add(sentence);
    else this.#more += 1;
  }

  list(): string[] {
    return this.#more > 0 ? [...this.#told, `${this.#more} more could not be read.`] : [...this.#told];
  }
}

/** Whether something was cut from the inside of a stretch. Asked in order of place. */
function cutFinder(cuts: readonly number[]): (envelope: Envelope) => boolean {
  let passed = 0;
  return ({ from, to }) => {
    while ((cuts[passed] ?? Number.POSITIVE_INFINITY) <= from) passed += 1;
    return (cuts[passed] ?? Number.POSITIVE_INFINITY) < to;
  };
}
