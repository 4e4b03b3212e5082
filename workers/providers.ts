/** The adapters of the configured providers, by name. */
import { openAiCompatible } from '../activities/provider/openai-compatible.ts';
import { scripted } from '../activities/provider/scripted.ts';
import type { ProviderAdapter } from '../activities/provider/types.ts';
import type { Config, ProviderConfig } from '../config/config.ts';
import type { Secrets } from '../config/secrets.ts';
import type { Log } from './log.ts';

type Given = { secrets: Secrets; scrub: (text: string) => string; log: Log };

export function providerAdapters(config: Config, given: Given): Map<string, ProviderAdapter> {
  return new Map(Object.values(config.providers).map((provider) => [provider.name, adapterOf(provider, given)]));
}

function adapterOf(provider: ProviderConfig, { secrets, scrub, log }: Given): ProviderAdapter {
  const prices = Object.fromEntries(Object.entries(provider.models).map(([model, facts]) => [model, facts.price]));
  if (provider.kind === 'scripted') return scripted({ name: provider.name, script: provider.script, prices });
  const key = secrets.apiKey(provider.name);
  return openAiCompatible({
    name: provider.name,
    baseUrl: provider.baseUrl,
    limits: {
      connectMs: provider.connectTimeoutMs,
      idleMs: provider.idleTimeoutMs,
      requestMs: provider.requestTimeoutMs,
    },
    prices,
    scrub,
    log: (message) => log('warn', message, { provider: provider.name }),
    ...(key?.kind === 'value' ? { apiKey: key.value } : {}),
  });
}
