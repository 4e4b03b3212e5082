/** Puts the chunks of a generation together: parts in their order; the finish reason is the end. */
import type { Json, JsonObject } from '../../../core/json.ts';
import { type Folded, type MessageFold, NOTHING, type Shown } from '../event-fold.ts';
import { failureOfError, isObject } from '../failure-of.ts';
import { finishKind } from '../finish-kind.ts';
import type { LayoutPart } from '../layout.ts';
import { ProviderFailure, type RawCall } from '../types.ts';
import { exactJson, plainJson } from './exact-json.ts';
import { googleTokens } from './google-tokens.ts';

/** Code and tools that run at the provider. */
const OWN = ['executableCode', 'codeExecutionResult', 'toolCall', 'toolResponse'];

export class GoogleFold implements MessageFold {
  readonly doneEnds = false;
  readonly parse = exactJson;
  readonly #parts: JsonObject[] = [];
  readonly #log: (message: string) => void;
  #usage: Json | undefined;
  #finish: string | undefined;
  #ended = false;

  constructor(log: (message: string) => void) {
    this.#log = log;
  }

  get finished(): boolean {
    return this.#finish !== undefined;
  }

  get ended(): boolean {
    return this.#ended;
  }

  get ranOwnCall(): boolean {
    return this.#parts.some(isOwn);
  }

  isWhole(body: JsonObject): boolean {
    return body.candidates !== undefined;
  }

  push(chunk: JsonObject): Shown {
    if (isObject(chunk.error) && !this.finished) throw failureOfError(plainJson(chunk.error));
    const candidate = firstOf(chunk.candidates);
    if (isObject(chunk.usageMetadata)) this.#usage = chunk.usageMetadata;
    if (this.finished) {
      this.#ended = isObject(chunk.usageMetadata);
      return NOTHING;
    }
    if (!candidate) return this.#blocked(chunk.promptFeedback);
    const content = isObject(candidate.content) ? candidate.content : {};
    const parts = Array.isArray(content.parts) ? content.parts.filter((part) => isObject(part)) : [];
    const shown = parts.map((part) => this.#part(part));
    const { finishReason } = candidate;
    if (typeof finishReason === 'string' && finishReason !== '' && finishReason !== 'FINISH_REASON_UNSPECIFIED') {
      this.#finish = finishReason;
      this.#ended = isObject(chunk.usageMetadata);
    }
    return {
      text: shown.map(({ text }) => text).join(''),
      thinking: shown.map(({ thinking }) => thinking).join(''),
    };
  }

  end(): Folded {
    const calls: RawCall[] = [];
    const layout: LayoutPart[] = [];
    for (const part of this.#parts) {
      if (isObject(part.functionCall)) {
        const call = this.#call(part, part.functionCall);
        if (call) layout.push({ call: calls.push(call) - 1 });
      } else if (typeof part.text === 'string' && part.thought !== true) {
        const { text, ...more } = part;
        if (text !== '' || Object.keys(more).length > 0)
          layout.push({ text, ...(Object.keys(more).length > 0 ? { raw: more } : {}) });
      } else layout.push({ raw: part });
    }
    const said = finishKind(this.#finish ?? '');
    const finish = said === 'stop' && calls.length > 0 ? 'calls' : said;
    return { calls, providerCalls: this.#parts.filter(isOwn), finish, tokens: googleTokens(this.#usage), layout };
  }

  /** Texts grow together unless something (a signature) hangs on one of them: that part stays what it is. */
  #part(part: JsonObject): Shown {
    const last = this.#parts.at(-1);
    const { text } = part;
    if (typeof text === 'string' && last && isBare(part) && isBare(last) && part.thought === last.thought) {
      last.text = `${last.text}${text}`;
    } else {
      const { functionCall, ...more } = part;
      const plain = plainJson(more) as JsonObject;
      // Arguments keep the spelling of their numbers until they are text.
      this.#parts.push(functionCall === undefined ? plain : { ...plain, functionCall });
    }
    if (typeof text !== 'string') return NOTHING;
    return part.thought === true ? { text: '', thinking: text } : { text, thinking: '' };
  }

  #call(part: JsonObject, { id, name, args, ...odd }: JsonObject): RawCall | undefined {
    const { functionCall: _, ...more } = part;
    if (typeof name !== 'string' || name.trim() === '') {
      this.#log('a call without a name was dropped');
      return undefined;
    }
    const extras = { ...more, ...(Object.keys(odd).length > 0 ? { functionCall: plainJson(odd) } : {}) };
    return {
      id: typeof id === 'string' ? id : '',
      name,
      arguments: args === undefined || args === null ? '' : JSON.stringify(args),
      ...(Object.keys(extras).length > 0 ? { extras } : {}),
    };
  }

  #blocked(feedback: Json | undefined): Shown {
    const why = isObject(feedback) ? feedback.blockReason : undefined;
    if (typeof why !== 'string' || why === 'BLOCK_REASON_UNSPECIFIED') return NOTHING;
    throw new ProviderFailure(
      'fatal',
      `the provider refuses this conversation (${why}); it was not given to the model.`,
    );
  }
}

const isOwn = (part: JsonObject): boolean => OWN.some((key) => part[key] !== undefined);

const isBare = (part: JsonObject): boolean =>
  typeof part.text === 'string' && Object.keys(part).every((key) => key === 'text' || key === 'thought');

function firstOf(candidates: Json | undefined): JsonObject | undefined {
  const all = Array.isArray(candidates) ? candidates.filter((each) => isObject(each)) : [];
  return all.find(({ index }) => (index ?? 0) === 0);
}
