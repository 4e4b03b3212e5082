/** Google's `streamGenerateContent`. The key goes in a header; the address never holds one (C9.1). */
import { createGoogle } from '@ai-sdk/google';
import type { Json, JsonObject } from '../../../core/json.ts';
import { isObject } from '../failure-of.ts';
import { laidOut } from '../layout.ts';
import { COMPATIBLE_LIMITS } from '../limits.ts';
import { RawJson } from '../raw-json.ts';
import type { ProviderAdapter } from '../types.ts';
import { GoogleFold } from './google-fold.ts';
import { promptOf, toolsOf } from './prompt.ts';
import { VENDOR_URLS } from './urls.ts';
import { type VendorSettings, vendorAdapter, wroteAs } from './vendor-adapter.ts';
import type { History, Wire } from './wire.ts';

export const google = (settings: VendorSettings): ProviderAdapter => vendorAdapter(settings, WIRE);

const said = (part: object, more: object = {}) => ({ candidates: [{ content: { parts: [part] }, ...more }] });

const WIRE: Wire = {
  dialect: 'google',
  baseUrl: VENDOR_URLS.google,
  limits: { ...COMPATIBLE_LIMITS, idleTimeoutMs: 120_000 },
  ids: /\S/,
  voice: {
    text: (text) => [said({ text })],
    thinking: (text) => [said({ text, thought: true })],
    end: [{ candidates: [{ finishReason: 'STOP' }] }],
  },
  fold: (log) => new GoogleFold(log),
  model: (settings, model) => createGoogle(settings)(model),
  options: (request) => ({
    prompt: promptOf(request, { errorField: true }),
    tools: toolsOf(request, 'google'),
  }),
  rewrite: (body, history) => ({ ...body, contents: contentsOf(body, history), ...toolsIn(body) }),
};

function contentsOf(body: JsonObject, history: History): object[] {
  const contents = Array.isArray(body.contents) ? body.contents.filter((each) => isObject(each)) : [];
  return contents.flatMap((content): object[] => {
    if (content.role !== 'model' || !Array.isArray(content.parts)) return [content];
    const parts = content.parts.flatMap((part) => (isObject(part) ? partsOf(Number(part.text), history) : []));
    // A message without parts is refused.
    return parts.length > 0 ? [{ ...content, parts }] : [];
  });
}

/** Stands for the signature of a call that another model made; newer models refuse a first call without one. */
const NOT_SIGNED = 'skip_thought_signature_validator';
/** Models of before that. */
const SIGNS_NOTHING = /gemini-[12](?:[.-]|$)|gemma/;

function partsOf(place: number, history: History): object[] {
  const message = history.message(place);
  const isSigned = message.calls.some((call) => history.callExtras(call).thoughtSignature !== undefined);
  const standIn = isSigned || SIGNS_NOTHING.test(history.model) ? {} : { thoughtSignature: NOT_SIGNED };
  return laidOut(message, history.layout(place), {
    text: (text, raw) => (text === '' && raw === undefined ? [] : [{ text, ...raw }]),
    call: (call, at) => {
      const { text, fields } = wroteAs(call.arguments, history.callExtras(call));
      const { functionCall: odd, ...more } = fields;
      const functionCall = { id: call.id, name: call.name, args: new RawJson(text), ...(isObject(odd) ? odd : {}) };
      return [{ functionCall, ...more, ...(at === 0 ? standIn : {}) }];
    },
    raw: (raw: Json) => (isObject(raw) ? [raw] : []),
  });
}

/** The SDK writes JSON Schema; ours are in the field whose dialect they are written in. */
function toolsIn({ tools }: JsonObject): JsonObject {
  if (!Array.isArray(tools)) return {};
  return { tools: tools.map((tool) => (isObject(tool) ? { ...tool, ...declarationsIn(tool) } : tool)) };
}

function declarationsIn({ functionDeclarations }: JsonObject): JsonObject {
  if (!Array.isArray(functionDeclarations)) return {};
  return {
    functionDeclarations: functionDeclarations.map((each) => {
      if (!isObject(each)) return each;
      const { parametersJsonSchema: schema, ...declaration } = each;
      // An object without properties is refused; a function without parameters is not.
      const isEmpty = !isObject(schema) || !isObject(schema.properties) || Object.keys(schema.properties).length === 0;
      return { ...declaration, ...(isEmpty ? {} : { parameters: schema as JsonObject }) };
    }),
  };
}
