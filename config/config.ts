/** The configuration as the program uses it: camelCase, durations in milliseconds, paths absolute. Holds no secret. */
import type { Autonomy, Policy } from '../core/execution.ts';

/** Where a secret is to be found; `file` is absolute. */
export type SecretRef = { env: string } | { file: string };

export type ModelConfig = {
  nativeTools: boolean;
  vision: boolean;
  contextTokens: number | null;
  /** USD per million tokens. */
  price: { input: number; output: number; cachedInput?: number; cacheWrite?: number };
};

export type OpenAiCompatibleConfig = {
  kind: 'openai-compatible';
  name: string;
  baseUrl: string;
  apiKey: SecretRef | undefined;
  idleTimeoutMs: number;
  connectTimeoutMs: number;
  requestTimeoutMs: number;
  retries: number;
  models: Record<string, ModelConfig>;
};

/** A vendor's own protocol. */
export type VendorConfig = {
  kind: 'openai' | 'anthropic' | 'google';
  name: string;
  /** undefined: where the vendor answers. */
  baseUrl: string | undefined;
  apiKey: SecretRef;
  idleTimeoutMs: number;
  connectTimeoutMs: number;
  requestTimeoutMs: number;
  retries: number;
  models: Record<string, ModelConfig>;
};

export type ScriptedConfig = {
  kind: 'scripted';
  name: string;
  /** Absolute path of the YAML file of responses. */
  script: string;
  retries: number;
  models: Record<string, ModelConfig>;
};

export type ProviderConfig = OpenAiCompatibleConfig | VendorConfig | ScriptedConfig;

export type AgentConfig = {
  name: string;
  /** The model chain as `provider/model`: the first is asked first. */
  models: [string, ...string[]];
  instructions: string;
  workspace: string;
  /** [] = unrestricted (C2.3). */
  allowedTools: string[];
  excludedTools: string[];
  dedupExempt: string[];
  policy: Policy & { autonomy: Autonomy };
  parallelTools: boolean;
  maxParallelTools: number;
  /** At least 1: 0 in the file means the default (C8.2). */
  maxToolIterations: number;
  /** At least 1: 0 in the file means the engine's cap (C7.3). */
  maxToolResultChars: number;
  cancelGraceMs: number;
};

export type ApprovalsConfig = {
  timeoutMs: number;
  unattended: 'park' | 'deny';
  unattendedTimeoutMs: number;
  onUnknown: 'report' | 'ask';
};

/** What is undefined comes from the embedded server under `dev`, from TEMPORAL_* and temporal.toml elsewhere. */
export type TemporalConfig = { address: string | undefined; namespace: string | undefined; taskQueue: string };

export type Config = {
  /** Absolute path of the file this came from. */
  file: string;
  /** Absolute path of the state folder. */
  data: string;
  temporal: TemporalConfig;
  store: { kind: 'sqlite'; path: string };
  security: { deploymentKey: SecretRef; retiredKeys: SecretRef[]; encryption: boolean };
  providers: Record<string, ProviderConfig>;
  agents: Record<string, AgentConfig>;
  /** C11.3: absolute paths of the product's own files and folders; part of every agent's forbidden paths. */
  ownPlaces: string[];
  /** Absolute paths of modules that export tools. */
  toolModules: string[];
  approvals: ApprovalsConfig;
  worker: { shutdownGraceMs: number; maxConcurrentActivities: number; maxCachedWorkflows: number | null };
  session: { onBusy: 'queue' | 'steer' | 'interrupt' };
  gateway: { host: string; port: number };
};

/** The agent of a turn that names none: `main`, else the only one, else undefined (I4). */
export function defaultAgent(config: Config): string | undefined {
  const names = Object.keys(config.agents);
  if (names.includes('main')) return 'main';
  return names.length === 1 ? names[0] : undefined;
}

/** Own properties only: a name such as `constructor` is no agent. */
export function agentOf(config: Config, name: string): AgentConfig | undefined {
  return Object.hasOwn(config.agents, name) ? config.agents[name] : undefined;
}

export function modelOf(
  config: Config,
  ref: string,
): { provider: ProviderConfig; model: string; facts: ModelConfig } | undefined {
  const slash = ref.indexOf('/');
  const [providerName, model] = [ref.slice(0, slash), ref.slice(slash + 1)];
  const provider = Object.hasOwn(config.providers, providerName) ? config.providers[providerName] : undefined;
  const facts = provider && Object.hasOwn(provider.models, model) ? provider.models[model] : undefined;
  return provider && facts ? { provider, model, facts } : undefined;
}
