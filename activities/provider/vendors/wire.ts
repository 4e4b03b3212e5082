/** What differs from vendor to vendor; everything else is in vendor-adapter.ts. */
import type { LanguageModelV4, LanguageModelV4CallOptions } from '@ai-sdk/provider';
import type { Json, JsonObject } from '../../../core/json.ts';
import type { SchemaDialect } from '../../../core/schema-convert/types.ts';
import type { MessageFold } from '../event-fold.ts';
import type { Voice } from '../fetch.ts';
import type { Assistant } from '../layout.ts';
import type { Limits } from '../limits.ts';
import type { ProviderRequest } from '../types.ts';

/** A message of the assistant with the extras that its own model gets back. */
export type History = {
  /** As the vendor knows it. */
  model: string;
  /** By its place among the request's messages. */
  message: (place: number) => Assistant;
  layout: (place: number) => Json | undefined;
  callExtras: (call: Assistant['calls'][number]) => JsonObject;
};

export type Wire = {
  dialect: SchemaDialect;
  /** Where the vendor answers unless the configuration says otherwise. */
  baseUrl: string;
  limits: Limits;
  /** Ids of calls that the vendor takes. */
  ids: RegExp;
  voice: Voice;
  fold: (log: (message: string) => void) => MessageFold;
  model: (
    settings: { baseURL: string; apiKey: string; fetch: typeof globalThis.fetch },
    model: string,
  ) => LanguageModelV4;
  options: (request: ProviderRequest) => Pick<LanguageModelV4CallOptions, 'prompt' | 'tools' | 'providerOptions'>;
  /** The SDK's body with the assistant's messages as the vendor wrote them. */
  rewrite: (body: JsonObject, history: History) => object;
};
