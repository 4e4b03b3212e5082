// Asks each model server for its list of models: it costs nothing and shows whether address and key are right.
import { VENDOR_URLS } from '../../activities/provider/vendors/urls.ts';
import type { Config, ProviderConfig } from '../../config/config.ts';
import { loadSecrets, type Secrets } from '../../config/secrets.ts';
import { type Finding, fault, ok, reasonOf, warning } from './finding.ts';

const WAIT_MS = 10_000;

export async function providers(config: Config): Promise<Finding[]> {
  const secrets = await loadSecrets(config);
  return Promise.all(
    Object.values(config.providers).map((provider) =>
      provider.kind === 'scripted'
        ? ok('provider', `${provider.name} (scripted) answers from ${provider.script}`)
        : ask(provider, secrets),
    ),
  );
}

type Reached = Exclude<ProviderConfig, { kind: 'scripted' }>;

async function ask(provider: Reached, secrets: Secrets): Promise<Finding> {
  const { name, kind } = provider;
  const baseUrl =
    provider.kind === 'openai-compatible' ? provider.baseUrl : (provider.baseUrl ?? VENDOR_URLS[provider.kind]);
  const key = secrets.apiKey(name);
  const effect = 'turns of its agents fail, or fall back';
  try {
    const response = await fetch(`${baseUrl.replace(/\/+$/, '')}/models`, {
      headers: key?.kind === 'value' ? keyHeaders(kind, key.value) : {},
      // A key is for the address that was configured, and for no other.
      redirect: 'manual',
      signal: AbortSignal.timeout(WAIT_MS),
    });
    await response.body?.cancel();
    if (response.ok) return ok('provider', `${name} answers`);
    if (refusesKey(kind, response.status)) {
      return fault('provider', `${name} refuses the key (${response.status})`, {
        effect,
        fix: `mend providers.${name}.api_key`,
      });
    }
    return warning('provider', `${name} answers ${response.status} to a list of its models`, {
      effect: 'perhaps none: not every server has such a list',
      fix: `check providers.${name}.base_url, then try a turn`,
    });
  } catch (error) {
    const why = error instanceof Error && error.cause instanceof Error ? error.cause.message : reasonOf(error);
    return fault('provider', `${name} cannot be reached: ${why}`, {
      effect,
      fix: `start it, or mend providers.${name}.base_url`,
    });
  }
}

function keyHeaders(kind: Reached['kind'], key: string): Record<string, string> {
  if (kind === 'anthropic') return { 'x-api-key': key, 'anthropic-version': '2023-06-01' };
  return kind === 'google' ? { 'x-goog-api-key': key } : { authorization: `Bearer ${key}` };
}

/** Google calls a wrong key a wrong request. */
const refusesKey = (kind: Reached['kind'], status: number): boolean =>
  status === 401 || status === 403 || (kind === 'google' && status === 400);
