/** OpenAI's responses, without anything kept on its side: reasoning comes encrypted and goes back as it came. */
import { createOpenAI } from '@ai-sdk/openai';
import type { Json, JsonObject } from '../../../core/json.ts';
import { isObject } from '../failure-of.ts';
import { laidOut } from '../layout.ts';
import { COMPATIBLE_LIMITS } from '../limits.ts';
import type { ProviderAdapter } from '../types.ts';
import { OpenAiFold } from './openai-fold.ts';
import { promptOf, toolsOf } from './prompt.ts';
import { VENDOR_URLS } from './urls.ts';
import { type VendorSettings, vendorAdapter } from './vendor-adapter.ts';
import type { History, Wire } from './wire.ts';

export const openAi = (settings: VendorSettings): ProviderAdapter => vendorAdapter(settings, WIRE);

const WIRE: Wire = {
  dialect: 'openai',
  baseUrl: VENDOR_URLS.openai,
  limits: COMPATIBLE_LIMITS,
  ids: /^[a-zA-Z0-9_-]{1,64}$/,
  voice: {
    text: (delta) => [{ type: 'response.output_text.delta', item_id: 't', delta }],
    thinking: (delta) => [{ type: 'response.reasoning_summary_text.delta', item_id: 'r', summary_index: 0, delta }],
    end: [{ type: 'response.completed', response: { usage: { input_tokens: 0, output_tokens: 0 } } }],
  },
  fold: (log) => new OpenAiFold(log),
  model: (settings, model) => createOpenAI(settings).responses(model),
  options: (request) => ({
    prompt: promptOf(request, { errorField: false }),
    tools: toolsOf(request, 'openai'),
    providerOptions: { openai: { store: false } },
  }),
  rewrite: (body, history) => ({ ...body, input: inputOf(body, history) }),
};

function inputOf(body: JsonObject, history: History): object[] {
  const input = Array.isArray(body.input) ? body.input.filter((each) => isObject(each)) : [];
  return input.flatMap((item) => (item.role === 'assistant' ? itemsOf(placeIn(item), history) : [item]));
}

function placeIn({ content }: JsonObject): number {
  const [part] = Array.isArray(content) ? content : [];
  return Number(isObject(part) ? part.text : content);
}

function itemsOf(place: number, history: History): object[] {
  return laidOut(history.message(place), history.layout(place), {
    text: (text, raw) => (text === '' ? [] : [messageItem(text, raw)]),
    call: (call) => [
      {
        type: 'function_call',
        ...history.callExtras(call),
        call_id: call.id,
        name: call.name,
        arguments: call.arguments,
      },
    ],
    // Without its content a reasoning item could only be looked up, and nothing is stored there.
    raw: (raw: Json) =>
      isObject(raw) && (raw.type !== 'reasoning' || typeof raw.encrypted_content === 'string') ? [raw] : [],
  });
}

function messageItem(text: string, raw: JsonObject | undefined): object {
  if (raw === undefined) return { role: 'assistant', content: [{ type: 'output_text', text }] };
  const [part, ...more] = Array.isArray(raw.content) ? raw.content : [];
  const isWithoutText = more.length === 0 && isObject(part) && part.type === 'output_text' && part.text === undefined;
  return isWithoutText ? { ...raw, content: [{ ...part, text }] } : raw;
}
