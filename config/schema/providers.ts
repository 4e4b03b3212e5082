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

const usdPerMillion = () => z.number('a price in USD per million tokens').min(0, 'a price of 0 or more').default(0);

const model = z
  .strictObject({
    native_tools: z.boolean().default(true),
    vision: z.boolean().default(false),
    context_tokens: wholeNumber(1, 100_000_000).nullable().default(null),
    price: z.strictObject({ input: usdPerMillion(), output: usdPerMillion() }).prefault({}),
    text_dialects: z.array(z.enum(TEXT_DIALECTS)).default([]),
  })
  .prefault({});

const models = () =>
  z
    .record(z.string().regex(/^\S{1,200}$/, "a model's name as its provider knows it, without blanks"), model)
    .refine((all) => Object.keys(all).length > 0, 'at least one model: { <model>: {} }')
    .meta({ description: 'models by the name that the provider knows', minProperties: 1 });

const limits = {
  idle_timeout: duration('300s'),
  connect_timeout: duration('10s'),
  request_timeout: duration('120s'),
  retries: wholeNumber(0, 20).default(2),
};

const compatible = z.strictObject({
  kind: z.literal('openai-compatible'),
  base_url: httpUrl(),
  api_key: secretRef().optional(),
  ...limits,
  models: models(),
});

const scripted = z.strictObject({
  kind: z.literal('scripted'),
  script: path('the path of a YAML file of responses, relative to this file'),
  retries: limits.retries,
  models: models(),
});

/** A vendor's own protocol; the address is known. */
const vendor = (kind: 'openai' | 'anthropic' | 'google') =>
  z.strictObject({
    kind: z.literal(kind),
    base_url: httpUrl().optional(),
    api_key: secretRef().optional(),
    ...limits,
    models: models(),
  });

export const provider = z.discriminatedUnion('kind', [
  compatible,
  scripted,
  vendor('openai'),
  vendor('anthropic'),
  vendor('google'),
]);
