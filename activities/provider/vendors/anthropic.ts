/** Anthropic's messages. Cache breakpoints: the system text, the last tool, the last two messages that were added. */
import { createAnthropic } from '@ai-sdk/anthropic';
import type { Json, JsonObject } from '../../../core/json.ts';
import { isObject } from '../failure-of.ts';
import { laidOut } from '../layout.ts';
import { COMPATIBLE_LIMITS } from '../limits.ts';
import { RawJson } from '../raw-json.ts';
import type { ProviderAdapter, ProviderRequest } from '../types.ts';
import { AnthropicFold } from './anthropic-fold.ts';
import { promptOf, toolsOf } from './prompt.ts';
import { VENDOR_URLS } from './urls.ts';
import { type VendorSettings, vendorAdapter } from './vendor-adapter.ts';
import type { History, Wire } from './wire.ts';

export const anthropic = (settings: VendorSettings): ProviderAdapter => vendorAdapter(settings, WIRE);

const delta = (index: number, body: object) => ({ type: 'content_block_delta', index, delta: body });

const WIRE: Wire = {
  dialect: 'anthropic',
  baseUrl: VENDOR_URLS.anthropic,
  limits: { ...COMPATIBLE_LIMITS, idleTimeoutMs: 90_000 },
  ids: /^[a-zA-Z0-9_-]+$/,
  voice: {
    text: (text) => [delta(1, { type: 'text_delta', text })],
    thinking: (thinking) => [delta(0, { type: 'thinking_delta', thinking })],
    end: [{ type: 'message_stop' }],
  },
  fold: (log) => new AnthropicFold(log),
  model: (settings, model) => createAnthropic(settings)(model),
  options: (request) => {
    const breakpoints = lastAdded(request);
    const tools = toolsOf(request, 'anthropic');
    const last = tools.at(-1);
    if (last) Object.assign(last, CACHED);
    return {
      prompt: promptOf(request, {
        errorField: true,
        mark: (place) => (place === 'system' || breakpoints.includes(place) ? CACHED : {}),
      }),
      tools,
      // Nothing is run before the end of the stream, so arguments may be checked there before they are sent.
      providerOptions: { anthropic: { toolStreaming: false } },
    };
  },
  rewrite: (body, history) => ({ ...body, messages: messagesOf(body, history) }),
};

const CACHED = { providerOptions: { anthropic: { cacheControl: { type: 'ephemeral' } } } };

/** The last message is where the next request reads from; the one before, where this one does. */
function lastAdded({ messages }: ProviderRequest): number[] {
  const places = messages.flatMap(({ role }, place) => (role === 'assistant' ? [] : [place]));
  return places.slice(-2);
}

function messagesOf(body: JsonObject, history: History): object[] {
  const messages = Array.isArray(body.messages) ? body.messages.filter((each) => isObject(each)) : [];
  return messages.flatMap((message): object[] => {
    if (message.role !== 'assistant' || !Array.isArray(message.content)) return [message];
    const content = message.content.flatMap((block) => (isObject(block) ? blocksOf(Number(block.text), history) : []));
    // An empty message is refused.
    return content.length > 0 ? [{ ...message, content }] : [];
  });
}

function blocksOf(place: number, history: History): object[] {
  return laidOut(history.message(place), history.layout(place), {
    // A blank text is refused.
    text: (text, raw) => (text.trim() === '' ? [] : [{ type: 'text', ...raw, text }]),
    call: (call) => [
      {
        type: 'tool_use',
        id: call.id,
        name: call.name,
        input: new RawJson(call.arguments),
        ...history.callExtras(call),
      },
    ],
    raw: (raw: Json) => (isObject(raw) ? [raw] : []),
  });
}
