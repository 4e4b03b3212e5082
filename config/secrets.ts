/** The secrets of a deployment: read by reference (C11.7), and as the list of values to scrub everywhere (C9.1). */
import type { Config, SecretRef } from './config.ts';
import type { SealKeys } from './deployment-key.ts';
import type { Env } from './locate.ts';
import { readSecret, type SecretRead } from './secret-source.ts';

export type SecretProblem = {
  /** Dotted path of the reference, `providers.local.api_key`. */
  path: string;
  kind: 'missing' | 'empty' | 'unreadable' | 'open_mode' | 'short';
  message: string;
};

export type Secrets = {
  /** The key of a provider; `none` says what is wrong; undefined when the provider has no reference. */
  apiKey: (provider: string) => SecretRead | undefined;
  /** For `doctor` and the log: no values in it. */
  problems: SecretProblem[];
  /** Every value that was read, short ones too. Never to be shown. */
  values: string[];
};

/** Shorter values would scrub ordinary text, so they are named instead (C9.1). */
export const SHORTEST_HELD = 8;

/** What the program's own connections are given through the environment. */
const HELD_ENV = ['TEMPORAL_API_KEY'];

/** Reads every reference of the configuration but the deployment keys. A missing one is a problem, not a failure. */
export async function loadSecrets(config: Config, env: Env = process.env): Promise<Secrets> {
  const keys = new Map<string, SecretRead>();
  const problems: SecretProblem[] = [];
  for (const [provider, ref] of apiKeys(config)) {
    const read = await readSecret(ref, env);
    keys.set(provider, read);
    problems.push(...problemsOf(`providers.${provider}.api_key`, read));
  }
  const values = [...keys.values()].flatMap((read) => (read.kind === 'value' ? [read.value] : []));
  const fromEnv = HELD_ENV.flatMap((name) => env[name]?.trim() || []);
  return { apiKey: (provider) => keys.get(provider), problems, values: [...values, ...fromEnv] };
}

/**
 * Every text that must never be shown (C9.1), longest first: the secrets as they are, and as they look inside JSON, in
 * a URL, or line by line.
 */
export function heldValues(secrets: Secrets, keys?: SealKeys): string[] {
  const keyTexts = keys
    ? [keys.current, ...keys.retired].flatMap(({ key }) =>
        (['base64', 'base64url', 'hex'] as const).map((encoding) => key.toString(encoding)),
      )
    : [];
  const all = [...secrets.values.flatMap(spellings), ...keyTexts];
  return [...new Set(all)].filter((value) => value.length >= SHORTEST_HELD).sort((a, b) => b.length - a.length);
}

function spellings(value: string): string[] {
  if (value.length < SHORTEST_HELD) return [];
  const lines = value.includes('\n')
    ? value.split(/\r?\n/).filter((line) => line.length >= 16 && !line.startsWith('--'))
    : [];
  return [value, JSON.stringify(value).slice(1, -1), encodeURIComponent(value), ...lines];
}

function apiKeys(config: Config): [provider: string, ref: SecretRef][] {
  return Object.values(config.providers).flatMap((provider) =>
    provider.kind !== 'scripted' && provider.apiKey ? [[provider.name, provider.apiKey]] : [],
  );
}

function problemsOf(path: string, read: SecretRead): SecretProblem[] {
  if (read.kind === 'none') return [{ path, kind: read.why, message: read.message }];
  const problems: SecretProblem[] = [];
  if (read.warning !== undefined) problems.push({ path, kind: 'open_mode', message: read.warning });
  if (read.value.length < SHORTEST_HELD) {
    const message = `shorter than ${SHORTEST_HELD} characters, so it is not scrubbed from what is shown`;
    problems.push({ path, kind: 'short', message });
  }
  return problems;
}
