/** An adapter for a vendor's own protocol, through its SDK's `doStream` on our fetch. The SDK's types stay in this folder. */
import type { Json, JsonObject } from '../../../core/json.ts';
import { argumentsBack } from '../../../core/schema-convert/convert-tool.ts';
import { abortError } from '../abort.ts';
import type { MessageFold } from '../event-fold.ts';
import { isObject } from '../failure-of.ts';
import { providerFetch } from '../fetch.ts';
import { shortened, worthKeeping } from '../layout.ts';
import type { Limits } from '../limits.ts';
import { extrasFor, sealedExtras } from '../provider-extras.ts';
import { writeJson } from '../raw-json.ts';
import { failureIn, pump } from '../sdk-stream.ts';
import {
  type CallOptions,
  type ProviderAdapter,
  ProviderFailure,
  type ProviderReply,
  type ProviderRequest,
  type RawCall,
} from '../types.ts';
import { type Price, priced } from '../usage-of.ts';
import { fitIds } from './fit-ids.ts';
import type { History, Wire } from './wire.ts';

export type VendorSettings = {
  /** As configured. */
  name: string;
  /** Default: the vendor's own. */
  baseUrl?: string;
  /** undefined when the reference could not be read: then every call fails and says so. */
  apiKey: string | undefined;
  limits?: Partial<Limits>;
  /** By model. */
  prices?: Record<string, Price>;
  retries?: number;
  /** Applied to every message of a failure. */
  scrub: (text: string) => string;
  log?: (message: string) => void;
};

export function vendorAdapter(settings: VendorSettings, wire: Wire): ProviderAdapter {
  const { name, scrub, retries, log = () => {} } = settings;
  return {
    name,
    label: name,
    ...(retries === undefined ? {} : { retries }),
    async call(asked, options) {
      const request = { ...asked, messages: fitIds(asked.messages, wire.ids) };
      const model = `${name}/${request.model}`;
      const fold = wire.fold((message) => log(`${model}: ${message}`));
      try {
        const said = await ask({ settings, wire, fold, model }, request, options);
        return replyOf(fold, { ...said, model, request, wire, price: settings.prices?.[request.model] });
      } catch (error) {
        if (options.signal.aborted) throw abortError(options.signal);
        const { failureClass, message, retryAfterMs } = failureIn(error);
        throw new ProviderFailure(failureClass, scrub(message), retryAfterMs, fold.ranOwnCall);
      }
    },
  };
}

type Asked = { settings: VendorSettings; wire: Wire; fold: MessageFold; model: string };

async function ask({ settings, wire, fold, model }: Asked, request: ProviderRequest, { signal, onPart }: CallOptions) {
  const { apiKey, baseUrl = wire.baseUrl } = settings;
  // Without one the SDK would look for a key of its own in the environment.
  if (apiKey === undefined)
    throw new ProviderFailure('fatal', 'its api_key could not be read; `everturn doctor` says why.');
  const fetch = providerFetch({
    limits: { ...wire.limits, ...settings.limits },
    signal,
    onBytes: () => onPart({ type: 'activity' }),
    fold,
    voice: wire.voice,
    rewrite: (body) => writeJson(wire.rewrite(body, historyOf(request, model))),
  });
  const answer = await wire.model({ baseURL: baseUrl, apiKey, fetch }, request.model).doStream({
    ...wire.options(request),
    toolChoice: { type: request.toolChoice },
    abortSignal: signal,
  });
  return pump(answer.stream, onPart);
}

/** @param model only its own extras come back (C3.6) */
function historyOf({ messages, model: bare }: ProviderRequest, model: string): History {
  return {
    model: bare,
    message: (place) => {
      const found = messages[place];
      if (found?.role !== 'assistant') throw new Error(`there is no message of the assistant at ${place}`);
      return found;
    },
    layout: (place) => {
      const found = messages[place];
      return found?.role === 'assistant' ? extrasFor(model, found.extras).layout : undefined;
    },
    callExtras: ({ extras }) => extrasFor(model, extras),
  };
}

type Said = {
  text: string;
  thinking: string;
  model: string;
  request: ProviderRequest;
  wire: Wire;
  price: Price | undefined;
};

function replyOf(fold: MessageFold, { text, thinking, model, request, wire, price }: Said): ProviderReply {
  const { calls, providerCalls, finish, tokens, layout } = fold.end();
  const extras = worthKeeping(layout)
    ? sealedExtras(model, { layout: shortened(layout) as unknown as Json })
    : undefined;
  return {
    text,
    thinking,
    calls: calls.map((call) => callOf(call, { model, request, wire })),
    providerCalls,
    finish,
    usage: priced(tokens, price),
    ...(extras === undefined ? {} : { extras }),
  };
}

/** Where the provider's dialect changed a schema, its arguments are changed back; what it wrote itself is kept beside. */
function callOf(
  { extras, ...call }: RawCall,
  { model, request, wire }: Pick<Said, 'model' | 'request' | 'wire'>,
): RawCall {
  const meant = meantArguments(call, request, wire);
  const fields: JsonObject = {
    ...(extras as JsonObject | undefined),
    ...(meant === call.arguments ? {} : { wrote: { meant, as: call.arguments } }),
  };
  const sealed = sealedExtras(model, fields);
  return { ...call, arguments: meant, ...(sealed === undefined ? {} : { extras: sealed }) };
}

function meantArguments({ name, arguments: text }: RawCall, { tools }: ProviderRequest, { dialect }: Wire): string {
  const spec = tools.find((tool) => tool.name === name);
  if (!spec || dialect !== 'google') return text;
  try {
    const args = JSON.parse(text) as Json;
    const back = argumentsBack(dialect, spec.parameters, args);
    return back === args ? text : JSON.stringify(back);
  } catch {
    return text;
  }
}

/** The arguments of a call as its model wrote them, and what else it put beside them. */
export function wroteAs(argumentsText: string, extras: JsonObject): { text: string; fields: JsonObject } {
  const { wrote, ...fields } = extras;
  const same = isObject(wrote) && wrote.meant === argumentsText && typeof wrote.as === 'string';
  return { text: same ? (wrote.as as string) : argumentsText, fields };
}
