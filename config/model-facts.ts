/**
 * What is known of vendors' models, so that nobody has to write it down. As of the date below, from what the vendors
 * publish; what a configuration says of a model replaces it, key by key. A model that is not here has no facts.
 */
export const FACTS_DATE = '2026-04-30';

export type FactsKind = 'openai' | 'anthropic' | 'google';

export type ModelFacts = {
  /** Tokens that a request may hold. */
  contextTokens: number;
  /**
   * USD per million tokens, at the vendor's standard rate; a surcharge for very long requests is not in it. Without a
   * figure of their own, cached tokens are counted as fresh input: rather too dear than too cheap.
   */
  price: { input: number; output: number; cachedInput?: number; cacheWrite?: number };
  vision: boolean;
  nativeTools: boolean;
};

type Row = [context: number, input: number, output: number, cachedInput?: number];

/** Every model below sees images and calls tools. */
const OPENAI: Record<string, Row> = {
  'gpt-5.4': [272_000, 2.5, 15],
  'gpt-5.1': [272_000, 1.25, 10, 0.125],
  'gpt-5': [272_000, 1.25, 10, 0.125],
  'gpt-5-mini': [272_000, 0.25, 2, 0.025],
  'gpt-5-nano': [272_000, 0.05, 0.4, 0.005],
  'gpt-4.1': [1_047_576, 2, 8, 0.5],
  'gpt-4.1-mini': [1_047_576, 0.4, 1.6, 0.1],
  'gpt-4.1-nano': [1_047_576, 0.1, 0.4, 0.025],
  'gpt-4o': [128_000, 2.5, 10, 1.25],
  'gpt-4o-mini': [128_000, 0.15, 0.6, 0.075],
  o3: [200_000, 2, 8, 0.5],
  'o4-mini': [200_000, 1.1, 4.4, 0.275],
};

const ANTHROPIC: Record<string, Row> = {
  'claude-opus-4-7': [1_000_000, 5, 25],
  'claude-opus-4-6': [200_000, 5, 25],
  'claude-opus-4-5': [200_000, 5, 25],
  'claude-opus-4-1': [200_000, 15, 75],
  'claude-sonnet-4-6': [1_000_000, 3, 15],
  'claude-sonnet-4-5': [200_000, 3, 15],
  'claude-haiku-4-5': [200_000, 1, 5],
};

const GOOGLE: Record<string, Row> = {
  'gemini-3.1-pro': [1_048_576, 2, 12],
  'gemini-3-pro': [1_048_576, 2, 12],
  'gemini-3-flash': [1_048_576, 0.5, 3],
  'gemini-2.5-pro': [1_048_576, 1.25, 10, 0.125],
  'gemini-2.5-flash': [1_048_576, 0.3, 2.5, 0.03],
  'gemini-2.5-flash-lite': [1_048_576, 0.1, 0.4, 0.01],
};

const TABLES: Record<FactsKind, Record<string, Row>> = { openai: OPENAI, anthropic: ANTHROPIC, google: GOOGLE };

/** A dated or preview name of a model is that model; a longer name is another one. */
const VERSION = /^(?:[-@](?:\d{4,8}|\d{4}-\d{2}-\d{2}|latest|preview(?:-[\d-]+)?))?$/;

export function modelFacts(kind: string, model: string): ModelFacts | undefined {
  const table = Object.hasOwn(TABLES, kind) ? TABLES[kind as FactsKind] : {};
  const known = Object.entries(table).find(
    ([name]) => model.startsWith(name) && VERSION.test(model.slice(name.length)),
  );
  if (!known) return undefined;
  const [contextTokens, input, output, cachedInput] = known[1];
  const price = kind === 'anthropic' ? withCachePrices(input, output) : { input, output };
  return {
    contextTokens,
    price: { ...price, ...(cachedInput === undefined ? {} : { cachedInput }) },
    vision: true,
    nativeTools: true,
  };
}

/** Anthropic's cache has one rule for every model: a tenth to read, a quarter more to write. */
function withCachePrices(input: number, output: number): ModelFacts['price'] {
  return { input, output, cachedInput: rounded(input * 0.1), cacheWrite: rounded(input * 1.25) };
}

const rounded = (price: number): number => Math.round(price * 10_000) / 10_000;
