/** `providers`: where models are reached, and what is known of each model. */
import { z } from 'zod';
import { duration, httpUrl, path, secretRef, wholeNumber } from './scalars.ts';

export const PROVIDER_KINDS = ['openai', 'anthropic', 'google', 'openai-compatible', 'scripted'] as const;
export const TEXT_DIALECTS = [
  'fence',
  'invoke',
  'function_call',
  'glm',
  'minimax',
  'deepseek',
  'kimi',
  'mistral',
  'llama',
] as const;

const usdPerMillion = () => z.number('a price in USD per million tokens').min(0, 'a price of 0 or more');

/** Cached tokens cost what fresh input costs, unless these say otherwise. */
const cachePrices = { cached_input: usdPerMillion().optional(), cache_write: usdPerMillion().optional() };
const text_dialects = z.array(z.enum(TEXT_DIALECTS)).default([]);

const model = z
  .strictObject({
    native_tools: z.boolean().default(true),
    vision: z.boolean().default(false),
    context_tokens: wholeNumber(1, 100_000_000).nullable().default(null),
    price: z
      .strictObject({ input: usdPerMillion().default(0), output: usdPerMillion().default(0), ...cachePrices })
      .prefault({}),
    text_dialects,
  })
  .prefault({});

/** What is left out comes from model-facts.ts, where the model is known. */
const vendorModel = z
  .strictObject({
    native_tools: z.boolean().optional(),
    vision: z.boolean().optional(),
    context_tokens: wholeNumber(1, 100_000_000).nullable().optional(),
    price: z
      .strictObject({ input: usdPerMillion().optional(), output: usdPerMillion().optional(), ...cachePrices })
      .optional(),
    text_dialects,
  })
  .prefault({});

const models = <T extends z.ZodType>(of: T) =>
  z
    .record(z.string().regex(/^\S{1,200}$/, "a model's name as its provider knows it, without blanks"), of)
    .refine((all) => Object.keys(all).length > 0, 'at least one model: { <model>: {} }')
    .meta({ description: 'models by the name that the provider knows', minProperties: 1 });

const limitsOf = (idle: string) => ({
  idle_timeout: duration(idle),
  connect_timeout: duration('10s'),
  request_timeout: duration('120s'),
  retries: wholeNumber(0, 20).default(2),
});
const limits = limitsOf('300s');

const compatible = z.strictObject({
  kind: z.literal('openai-compatible'),
  base_url: httpUrl(),
  api_key: secretRef().optional(),
  ...limits,
  models: models(model),
});

const scripted = z.strictObject({
  kind: z.literal('scripted'),
  script: path('the path of a YAML file of responses, relative to this file'),
  retries: limits.retries,
  models: models(model),
});

/** A vendor's own protocol; the address is known, and nothing goes without a key. */
const vendor = <K extends 'openai' | 'anthropic' | 'google'>(kind: K, idle: string) =>
  z.strictObject({
    kind: z.literal(kind),
    base_url: httpUrl().optional(),
    api_key: secretRef(),
    ...limitsOf(idle),
    models: models(vendorModel),
  });

export const provider = z.discriminatedUnion('kind', [
  compatible,
  scripted,
  vendor('openai', '300s'),
  vendor('anthropic', '90s'),
  vendor('google', '120s'),
]);
