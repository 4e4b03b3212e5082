/** The adapters of a worker, by provider name. Secrets have been looked up by then. */
import { openAiCompatible } from './openai-compatible.ts';
import { scripted } from './scripted.ts';
import type { ProviderAdapter } from './types.ts';
import type { Price } from './usage-of.ts';
import { anthropic } from './vendors/anthropic.ts';
import { google } from './vendors/google.ts';
import { openAi } from './vendors/openai.ts';

const VENDORS = { openai: openAi, anthropic, google };
type VendorKind = keyof typeof VENDORS;

type Models = Record<string, { price: Price }>;

type Reached = {
  name: string;
  /** undefined: none is wanted, or it could not be read. */
  apiKey: string | undefined;
  connectTimeoutMs: number;
  idleTimeoutMs: number;
  requestTimeoutMs: number;
  retries: number;
  models: Models;
};

export type ProviderSettings =
  | ({ kind: 'openai-compatible'; baseUrl: string } & Reached)
  | ({ kind: VendorKind; baseUrl: string | undefined } & Reached)
  | { kind: 'scripted'; name: string; script: string; retries: number; models: Models };

export type AdapterTools = {
  /** Applied to every message of a failure: held values, and patterns. */
  scrub: (text: string) => string;
  log: (message: string) => void;
};

export function createAdapters(
  providers: Iterable<ProviderSettings>,
  tools: AdapterTools,
): Map<string, ProviderAdapter> {
  return new Map([...providers].map((each) => [each.name, adapterOf(each, tools)]));
}

function adapterOf(settings: ProviderSettings, { scrub, log }: AdapterTools): ProviderAdapter {
  const { name, retries } = settings;
  const prices = Object.fromEntries(Object.entries(settings.models).map(([model, { price }]) => [model, price]));
  if (settings.kind === 'scripted') return scripted({ name, file: settings.script, prices, retries });
  const { apiKey, connectTimeoutMs, idleTimeoutMs, requestTimeoutMs } = settings;
  const limits = { connectTimeoutMs, idleTimeoutMs, requestTimeoutMs };
  const shared = { name, prices, limits, retries, scrub, log };
  if (settings.kind === 'openai-compatible') {
    return openAiCompatible({ ...shared, baseUrl: settings.baseUrl, ...(apiKey === undefined ? {} : { apiKey }) });
  }
  const { kind, baseUrl } = settings;
  return VENDORS[kind]({ ...shared, apiKey, ...(baseUrl === undefined ? {} : { baseUrl }) });
}
