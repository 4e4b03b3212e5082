/** Puts the events of a response together: output items by their index; `response.completed` or `response.incomplete` is the end. */
import type { Json, JsonObject } from '../../../core/json.ts';
import { type Folded, type MessageFold, NOTHING, type Shown } from '../event-fold.ts';
import { failureOfError, isObject } from '../failure-of.ts';
import { finishKind } from '../finish-kind.ts';
import type { LayoutPart } from '../layout.ts';
import type { FinishKind, RawCall } from '../types.ts';
import { openAiTokens } from './openai-tokens.ts';

type Item = { raw: JsonObject; text: string; arguments: string; done: boolean };

/** What is no call that the provider runs itself. */
const OTHERS = new Set(['message', 'reasoning', 'function_call', 'compaction']);
const THINKING = new Set(['response.reasoning_summary_text.delta', 'response.reasoning_text.delta']);

export class OpenAiFold implements MessageFold {
  readonly doneEnds = false;
  readonly #items: Item[] = [];
  readonly #byIndex = new Map<Json | undefined, Item>();
  readonly #log: (message: string) => void;
  #response: JsonObject = {};
  #ended = false;
  #refused = false;

  constructor(log: (message: string) => void) {
    this.#log = log;
  }

  get finished(): boolean {
    return this.#ended;
  }

  get ended(): boolean {
    return this.#ended;
  }

  get ranOwnCall(): boolean {
    return this.#items.some(({ raw }) => isOwn(raw));
  }

  isWhole(): boolean {
    return false;
  }

  push(event: JsonObject): Shown {
    const { type, response } = event;
    const failed = type === 'response.failed' || type === 'response.cancelled';
    if (type === 'error' || isObject(event.error) || failed) throw failureOfError(errorIn(event));
    const delta = typeof event.delta === 'string' ? event.delta : '';
    if (THINKING.has(String(type))) return { text: '', thinking: delta };
    switch (type) {
      case 'response.output_item.added':
      case 'response.output_item.done':
        return isObject(event.item) ? this.#item(event.output_index, event.item, type.endsWith('done')) : NOTHING;
      case 'response.output_text.delta':
      case 'response.refusal.delta':
        this.#refused ||= type === 'response.refusal.delta';
        this.#open(event.output_index, 'message').text += delta;
        return { text: delta, thinking: '' };
      case 'response.reasoning_summary_part.added':
        return { text: '', thinking: event.summary_index === 0 ? '' : '\n\n' };
      case 'response.function_call_arguments.delta':
        this.#open(event.output_index, 'function_call').arguments += delta;
        return NOTHING;
      case 'response.completed':
      case 'response.incomplete':
        this.#ended = true;
        return isObject(response) ? this.#complete(response) : NOTHING;
      default:
        return NOTHING;
    }
  }

  end(): Folded {
    const calls: RawCall[] = [];
    const layout: LayoutPart[] = [];
    for (const item of this.#items) {
      if (item.raw.type === 'message') layout.push(textPart(item));
      else if (item.raw.type === 'function_call') {
        const call = this.#call(item);
        if (call) layout.push({ call: calls.push(call) - 1 });
      } else layout.push({ raw: item.raw });
    }
    const providerCalls = this.#items.flatMap(({ raw }) => (isOwn(raw) ? [raw] : []));
    return {
      calls,
      providerCalls,
      finish: this.#finish(calls.length),
      tokens: openAiTokens(this.#response.usage),
      layout,
    };
  }

  #finish(calls: number): FinishKind {
    const why = isObject(this.#response.incomplete_details) ? this.#response.incomplete_details.reason : undefined;
    if (typeof why === 'string') return finishKind(why);
    if (this.#response.status === 'incomplete') return 'length';
    if (this.#refused) return 'refusal';
    return calls > 0 ? 'calls' : 'stop';
  }

  /** What a finished item holds counts; what was not shown of it as it came is shown now. */
  #item(index: Json | undefined, raw: JsonObject, done: boolean): Shown {
    const known = this.#byIndex.get(index);
    const item = known && (done || !known.done) && known.raw.type === raw.type ? known : this.#begin(index, raw);
    item.raw = raw;
    item.done = done;
    if (done && typeof raw.arguments === 'string') item.arguments = raw.arguments;
    if (!done || raw.type !== 'message') return NOTHING;
    const { text, refused } = wordsIn(raw);
    this.#refused ||= refused;
    const rest = text.startsWith(item.text) ? text.slice(item.text.length) : '';
    item.text += rest;
    return { text: rest, thinking: '' };
  }

  #complete(response: JsonObject): Shown {
    this.#response = response;
    const output = Array.isArray(response.output) ? response.output : [];
    const late = output.flatMap((raw, index) =>
      isObject(raw) && !this.#byIndex.get(index)?.done ? [this.#item(index, raw, true)] : [],
    );
    return { text: late.map(({ text }) => text).join(''), thinking: '' };
  }

  #open(index: Json | undefined, type: string): Item {
    return this.#byIndex.get(index) ?? this.#begin(index, { type });
  }

  #begin(index: Json | undefined, raw: JsonObject): Item {
    const item = { raw, text: '', arguments: '', done: false };
    this.#items.push(item);
    this.#byIndex.set(index, item);
    return item;
  }

  #call({ raw, arguments: args }: Item): RawCall | undefined {
    const { type: _, call_id, name, arguments: __, status: ___, ...extras } = raw;
    if (typeof name !== 'string' || name.trim() === '') {
      this.#log('a call without a name was dropped');
      return undefined;
    }
    const id = typeof call_id === 'string' ? call_id : '';
    return { id, name, arguments: args, ...(Object.keys(extras).length > 0 ? { extras } : {}) };
  }
}

const isOwn = ({ type }: JsonObject): boolean => typeof type === 'string' && !OTHERS.has(type);

function errorIn(event: JsonObject): Json {
  const response = isObject(event.response) ? event.response : {};
  return (
    event.error ??
    response.error ??
    (event.type === 'error' ? event : { message: `the response ended as ${event.type}` })
  );
}

function partsOf({ content }: JsonObject): JsonObject[] {
  return Array.isArray(content) ? content.filter((part) => isObject(part)) : [];
}

function wordsIn(raw: JsonObject): { text: string; refused: boolean } {
  const said = partsOf(raw).map(({ type, text, refusal }) => (type === 'refusal' ? refusal : text));
  return {
    text: said.filter((each) => typeof each === 'string').join(''),
    refused: partsOf(raw).some(({ type }) => type === 'refusal'),
  };
}

/** The item around the text. With one plain part the text itself is left out of it: the message has it. */
function textPart({ raw, text, done }: Item): LayoutPart {
  if (!done) return { text };
  const parts = partsOf(raw);
  const [only] = parts;
  if (parts.length !== 1 || only?.type !== 'output_text') return { text, raw };
  const { text: _, ...part } = only;
  return { text, raw: { ...raw, content: [part] } };
}
