// Asks each model server for its list of models: it costs nothing and shows whether address and key are right.
import type { Config, OpenAiCompatibleConfig } from '../../config/config.ts';
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

async function ask({ name, baseUrl }: OpenAiCompatibleConfig, secrets: Secrets): Promise<Finding> {
  const key = secrets.apiKey(name);
  const headers = key?.kind === 'value' ? { authorization: `Bearer ${key.value}` } : {};
  const effect = 'turns of its agents fail, or fall back';
  try {
    const response = await fetch(`${baseUrl.replace(/\/+$/, '')}/models`, {
      headers,
      signal: AbortSignal.timeout(WAIT_MS),
    });
    await response.body?.cancel();
    if (response.ok) return ok('provider', `${name} answers`);
    if (response.status === 401 || response.status === 403) {
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
