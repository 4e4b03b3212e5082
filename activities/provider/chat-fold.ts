/** Folds the chunks of a chat completion (C10.8): what may be shown at once, and what is known when it has ended. */
import type { Json, JsonObject } from '../../core/json.ts';
import { CallAssembly } from './call-assembly.ts';
import type { EventFold, Shown } from './event-fold.ts';
import { failureOfError, isObject } from './failure-of.ts';
import { finishKind } from './finish-kind.ts';
import { addExtra } from './message-extras.ts';
import type { FinishKind, RawCall } from './types.ts';

export type ChatEnd = {
  calls: RawCall[];
  providerCalls: Json[];
  finish: FinishKind;
  /** The last one reported, as it came. */
  usage: JsonObject | undefined;
  extras: JsonObject;
};

const HANDLED = new Set([
  'role',
  'content',
  'refusal',
  'tool_calls',
  'function_call',
  'executed_tools',
  'tool_call_id',
  'name',
]);
const THINKING = ['reasoning_content', 'reasoning'];

export class ChatFold implements EventFold {
  /** Only `[DONE]` says so: the usage comes after the finish reason. */
  readonly ended = false;
  readonly doneEnds = true;
  readonly #assembly: CallAssembly;
  readonly #extras: JsonObject = {};
  #finish: string | undefined;
  #refused = false;
  #usage: JsonObject | undefined;

  constructor(log: (message: string) => void) {
    this.#assembly = new CallAssembly(log);
  }

  /** The finish reason has come; an empty one is none. */
  get finished(): boolean {
    return this.#finish !== undefined;
  }

  isWhole(body: JsonObject): boolean {
    return body.choices !== undefined;
  }

  get ranOwnCall(): boolean {
    return this.#assembly.providerCalls.length > 0;
  }

  /** @throws ProviderFailure for an error object */
  push(chunk: JsonObject): Shown {
    if (chunk.error !== undefined && chunk.error !== null && !this.finished) throw failureOfError(chunk.error);
    const choice = firstChoice(chunk.choices);
    this.#keepUsage(chunk, choice);
    // What comes after the finish is ignored, but for the usage (C10.2).
    if (!choice || this.finished) return { text: '', thinking: '' };
    const delta =
      choice.delta ?? (chunk.object === 'chat.completion' || !('delta' in choice) ? choice.message : undefined);
    const shown = isObject(delta) ? this.#delta(delta) : { text: '', thinking: '' };
    if (typeof choice.finish_reason === 'string' && choice.finish_reason !== '') this.#finish = choice.finish_reason;
    return shown;
  }

  end(): ChatEnd {
    const calls = this.#assembly.calls();
    const said = this.#finish === undefined ? (calls.length > 0 ? 'calls' : 'stop') : finishKind(this.#finish);
    const finish = this.#refused && said !== 'length' && said !== 'filter' ? 'refusal' : said;
    const { providerCalls } = this.#assembly;
    return { calls, providerCalls, finish, usage: this.#usage, extras: this.#extras };
  }

  #delta(delta: JsonObject): Shown {
    const refusal = typeof delta.refusal === 'string' ? delta.refusal : '';
    if (refusal !== '') this.#refused = true;
    for (const entry of Array.isArray(delta.tool_calls) ? delta.tool_calls : []) {
      if (isObject(entry)) this.#assembly.push(entry);
    }
    for (const run of Array.isArray(delta.executed_tools) ? delta.executed_tools : [])
      this.#assembly.providerCalls.push(run);
    for (const [key, value] of Object.entries(delta)) if (!HANDLED.has(key)) addExtra(this.#extras, key, value);
    const { text, thinking } = contentOf(delta.content);
    const reasoning = THINKING.map((key) => delta[key]).find((each) => typeof each === 'string') as string | undefined;
    return { text: text + refusal, thinking: (reasoning ?? '') + thinking };
  }

  #keepUsage(chunk: JsonObject, choice: JsonObject | undefined): void {
    const vendor = isObject(chunk.x_groq) ? chunk.x_groq.usage : undefined;
    const found = [chunk.usage, choice?.usage, vendor].find((each) => isObject(each));
    if (isObject(found)) this.#usage = found;
  }
}

function firstChoice(choices: Json | undefined): JsonObject | undefined {
  if (!Array.isArray(choices)) return undefined;
  return choices.filter((each) => isObject(each)).find((each) => (each.index ?? 0) === 0);
}

/** A text, or a list of parts of text and thinking. */
function contentOf(content: Json | undefined): Shown {
  if (typeof content === 'string') return { text: content, thinking: '' };
  if (!Array.isArray(content)) return { text: '', thinking: '' };
  const parts = content.filter((each) => isObject(each));
  const join = (type: string, key: string) =>
    parts.map((each) => (each.type === type ? (contentText(each[key]) ?? '') : '')).join('');
  return { text: join('text', 'text'), thinking: join('thinking', 'thinking') };
}

function contentText(value: Json | undefined): string | undefined {
  if (typeof value === 'string') return value;
  return Array.isArray(value) ? contentOf(value).text : undefined;
}
