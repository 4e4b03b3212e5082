/** Puts the events of a message together: blocks by index, each closed by what follows it; `message_stop` is the end. */
import type { Json, JsonObject } from '../../../core/json.ts';
import { type Folded, type MessageFold, NOTHING, type Shown } from '../event-fold.ts';
import { failureOfError, isObject } from '../failure-of.ts';
import { finishKind } from '../finish-kind.ts';
import type { LayoutPart } from '../layout.ts';
import type { RawCall } from '../types.ts';
import { count } from '../usage-of.ts';

type Block = { raw: JsonObject /** Argument text in pieces, put together. */; json: string };

const CALL = 'tool_use';
/** `server_tool_use`, `mcp_tool_use`, `web_search_tool_result` …: calls that the provider runs itself, and their results. */
const isOwn = (type: Json | undefined): boolean =>
  typeof type === 'string' && type !== CALL && /_tool_(use|result)$/.test(type);

export class AnthropicFold implements MessageFold {
  readonly doneEnds = false;
  readonly #blocks: Block[] = [];
  readonly #byIndex = new Map<Json | undefined, Block>();
  readonly #log: (message: string) => void;
  #usage: JsonObject = {};
  #stopReason = '';
  #ended = false;

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
    return this.#blocks.some(({ raw }) => isOwn(raw.type));
  }

  isWhole(): boolean {
    return false;
  }

  push(event: JsonObject): Shown {
    if (event.type === 'error' || isObject(event.error)) throw failureOfError(event.error ?? event);
    switch (event.type) {
      case 'message_start':
        if (isObject(event.message)) this.#keepUsage(event.message.usage);
        return NOTHING;
      case 'content_block_start':
        return isObject(event.content_block) ? this.#begin(event.index, event.content_block) : NOTHING;
      case 'content_block_delta':
        return isObject(event.delta) ? this.#grow(event.index, event.delta) : NOTHING;
      case 'message_delta':
        if (isObject(event.delta) && typeof event.delta.stop_reason === 'string')
          this.#stopReason = event.delta.stop_reason;
        this.#keepUsage(event.usage);
        return NOTHING;
      case 'message_stop':
        this.#ended = true;
        return NOTHING;
      default:
        return NOTHING;
    }
  }

  end(): Folded {
    const calls: RawCall[] = [];
    const layout: LayoutPart[] = [];
    const providerCalls: Json[] = [];
    for (const block of this.#blocks) {
      const { raw } = block;
      if (raw.type === 'text') {
        if (raw.text !== '') layout.push(textPart(raw));
      } else if (raw.type === CALL) {
        const call = this.#call(block);
        if (call) layout.push({ call: calls.push(call) - 1 });
      } else {
        const whole = isOwn(raw.type) ? withInput(block) : raw;
        layout.push({ raw: whole });
        if (isOwn(raw.type)) providerCalls.push(whole);
      }
    }
    const finish = this.#stopReason === '' ? (calls.length > 0 ? 'calls' : 'stop') : finishKind(this.#stopReason);
    return { calls, providerCalls, finish, tokens: tokensOf(this.#usage), layout };
  }

  /** An index is a label: one that comes again begins another block. */
  #begin(index: Json | undefined, content: JsonObject): Shown {
    const block = { raw: structuredClone(content), json: '' };
    this.#blocks.push(block);
    this.#byIndex.set(index, block);
    if (content.type === 'text' && typeof content.text === 'string') return { text: content.text, thinking: '' };
    if (content.type === 'thinking' && typeof content.thinking === 'string')
      return { text: '', thinking: content.thinking };
    return NOTHING;
  }

  #grow(index: Json | undefined, delta: JsonObject): Shown {
    const block = this.#byIndex.get(index) ?? this.#stray(index, delta);
    if (!block) return NOTHING;
    const { type, partial_json, citation, ...fields } = delta;
    if (typeof partial_json === 'string') block.json += partial_json;
    if (citation !== undefined) {
      block.raw.citations = [...(Array.isArray(block.raw.citations) ? block.raw.citations : []), citation];
    }
    for (const [key, value] of Object.entries(fields)) {
      const before = block.raw[key];
      block.raw[key] = typeof before === 'string' && typeof value === 'string' ? before + value : (value as Json);
    }
    return {
      text: type === 'text_delta' && typeof delta.text === 'string' ? delta.text : '',
      thinking: type === 'thinking_delta' && typeof delta.thinking === 'string' ? delta.thinking : '',
    };
  }

  /** Some servers leave out the start of a text. Arguments of nobody are dropped. */
  #stray(index: Json | undefined, { type }: JsonObject): Block | undefined {
    if (type !== 'text_delta' && type !== 'thinking_delta') {
      this.#log(`a ${String(type)} of no block was dropped`);
      return undefined;
    }
    this.#begin(index, type === 'text_delta' ? { type: 'text', text: '' } : { type: 'thinking', thinking: '' });
    return this.#byIndex.get(index);
  }

  #call({ raw, json }: Block): RawCall | undefined {
    const { type: _, id, name, input, ...extras } = raw;
    if (typeof name !== 'string' || name.trim() === '') {
      this.#log('a call without a name was dropped');
      return undefined;
    }
    const whole = isObject(input) && Object.keys(input).length > 0 ? JSON.stringify(input) : '';
    return {
      id: typeof id === 'string' ? id : '',
      name,
      arguments: json === '' ? whole : json,
      ...(Object.keys(extras).length > 0 ? { extras } : {}),
    };
  }

  /** Reported more than once, growing: the latest of each figure counts. */
  #keepUsage(usage: Json | undefined): void {
    if (!isObject(usage)) return;
    const said = Object.entries(usage).filter(([, value]) => value !== null);
    this.#usage = { ...this.#usage, ...Object.fromEntries(said) };
  }
}

function textPart(raw: JsonObject): LayoutPart {
  const { text, type: _, citations, ...more } = raw;
  const isPlain = Object.keys(more).length === 0 && (!Array.isArray(citations) || citations.length === 0);
  return { text: typeof text === 'string' ? text : '', ...(isPlain ? {} : { raw }) };
}

function withInput({ raw, json }: Block): JsonObject {
  if (json === '') return raw;
  try {
    return { ...raw, input: JSON.parse(json) as Json };
  } catch {
    return raw;
  }
}

/** Its `input_tokens` are those that no cache had to do with. */
function tokensOf(usage: JsonObject) {
  const cachedInputTokens = count(usage.cache_read_input_tokens);
  const cacheWriteTokens = count(usage.cache_creation_input_tokens);
  const details = isObject(usage.output_tokens_details) ? usage.output_tokens_details : {};
  return {
    inputTokens: count(usage.input_tokens) + cachedInputTokens + cacheWriteTokens,
    outputTokens: count(usage.output_tokens),
    cachedInputTokens,
    reasoningTokens: count(details.thinking_tokens ?? details.reasoning_tokens),
    cacheWriteTokens,
  };
}
