/** Fills in what a configuration leaves out of its models: from the table of facts, else the general defaults. */
import { modelFacts } from './model-facts.ts';
import type { RawConfig } from './schema.ts';

type RawProvider = RawConfig['providers'][string];
type RawModel = RawProvider['models'][string];

export type WholeModel = {
  native_tools: boolean;
  vision: boolean;
  context_tokens: number | null;
  price: { input: number; output: number; cached_input?: number; cache_write?: number };
  text_dialects: RawModel['text_dialects'];
};

/** For `config show`: the models as they are in force. */
export function withModelFacts(raw: RawConfig): RawConfig {
  const providers = Object.entries(raw.providers).map(([name, provider]) => {
    const models = Object.entries(provider.models).map(([id, model]) => [id, wholeModel(provider.kind, id, model)]);
    return [name, { ...provider, models: Object.fromEntries(models) }];
  });
  return { ...raw, providers: Object.fromEntries(providers) };
}

export function wholeModel(kind: RawProvider['kind'], id: string, raw: RawModel): WholeModel {
  const facts = modelFacts(kind, id);
  const cachedInput = raw.price?.cached_input ?? facts?.price.cachedInput;
  const cacheWrite = raw.price?.cache_write ?? facts?.price.cacheWrite;
  return {
    native_tools: raw.native_tools ?? facts?.nativeTools ?? true,
    vision: raw.vision ?? facts?.vision ?? false,
    context_tokens: raw.context_tokens === undefined ? (facts?.contextTokens ?? null) : raw.context_tokens,
    price: {
      input: raw.price?.input ?? facts?.price.input ?? 0,
      output: raw.price?.output ?? facts?.price.output ?? 0,
      ...(cachedInput === undefined ? {} : { cached_input: cachedInput }),
      ...(cacheWrite === undefined ? {} : { cache_write: cacheWrite }),
    },
    text_dialects: raw.text_dialects,
  };
}
