/** Turns a validated file into the configuration that the program uses. */
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import type { AgentConfig, Config, ModelConfig, ProviderConfig, SecretRef } from './config.ts';
import { durationMs } from './duration.ts';
import type { RawConfig } from './schema.ts';
import { type WholeModel, wholeModel } from './with-model-facts.ts';

/** C8.2 and C7.3: what 0 stands for. */
const DEFAULT_ITERATIONS = 10;
const ENGINE_RESULT_CAP = 1_048_576;

type Resolve = (path: string) => string;

/** @param dataFrom the folder that `data` is relative to, if another than the file's (a command line flag) */
export function toConfig(raw: RawConfig, file: string, dataFrom = dirname(file)): Config {
  const at: Resolve = (path) => absolute(dirname(file), path);
  const data = absolute(dataFrom, raw.data);
  const config: Config = {
    file,
    data,
    temporal: {
      address: raw.temporal.address,
      namespace: raw.temporal.namespace,
      taskQueue: raw.temporal.task_queue,
    },
    store: { kind: 'sqlite', path: storePath(raw.store.url, data, at) },
    security: securityOf(raw, data, at),
    providers: mapped(raw.providers, (name, provider) => providerOf(name, provider, at)),
    agents: {},
    ownPlaces: [],
    toolModules: raw.tools.modules.map(at),
    approvals: {
      timeoutMs: ms(raw.approvals.timeout),
      unattended: raw.approvals.unattended,
      unattendedTimeoutMs: ms(raw.approvals.unattended_timeout),
      onUnknown: raw.approvals.on_unknown,
    },
    worker: {
      shutdownGraceMs: ms(raw.worker.shutdown_grace),
      maxConcurrentActivities: raw.worker.max_concurrent_activities,
      maxCachedWorkflows: raw.worker.max_cached_workflows,
    },
    session: { onBusy: raw.session.on_busy },
    gateway: raw.gateway,
  };
  const ours = ownPlacesOf(config);
  const agents = mapped(raw.agents, (name, agent) => agentOf(name, agent, { at, ours }));
  return { ...config, ownPlaces: ours, agents };
}

type RawProvider = RawConfig['providers'][string];

function providerOf(name: string, raw: RawProvider, at: Resolve): ProviderConfig {
  const models = mapped(raw.models, (id, model) => modelOf(wholeModel(raw.kind, id, model)));
  if (raw.kind === 'scripted') return { kind: raw.kind, name, script: at(raw.script), retries: raw.retries, models };
  const shared = {
    name,
    idleTimeoutMs: ms(raw.idle_timeout),
    connectTimeoutMs: ms(raw.connect_timeout),
    requestTimeoutMs: ms(raw.request_timeout),
    retries: raw.retries,
    models,
  };
  const baseUrl = raw.base_url?.replace(/\/+$/, '');
  const apiKey = secretOf(raw.api_key, at);
  if (raw.kind === 'openai-compatible') return { ...shared, kind: raw.kind, baseUrl: baseUrl ?? raw.base_url, apiKey };
  if (!apiKey) throw new Error('a reference that was not checked');
  return { ...shared, kind: raw.kind, baseUrl, apiKey };
}

function modelOf({ native_tools, vision, context_tokens, price }: WholeModel): ModelConfig {
  const { input, output, cached_input: cachedInput, cache_write: cacheWrite } = price;
  return {
    nativeTools: native_tools,
    vision,
    contextTokens: context_tokens,
    price: {
      input,
      output,
      ...(cachedInput === undefined ? {} : { cachedInput }),
      ...(cacheWrite === undefined ? {} : { cacheWrite }),
    },
  };
}

type RawAgent = RawConfig['agents'][string];

function agentOf(name: string, raw: RawAgent, { at, ours }: { at: Resolve; ours: string[] }): AgentConfig {
  return {
    name,
    models: [raw.model, ...raw.fallbacks],
    instructions: raw.instructions,
    workspace: at(raw.workspace),
    allowedTools: raw.allowed_tools,
    excludedTools: raw.excluded_tools,
    dedupExempt: raw.tool_call_dedup_exempt,
    policy: policyOf(raw.policy, at, ours),
    parallelTools: raw.parallel_tools,
    maxParallelTools: raw.max_parallel_tools,
    maxToolIterations: raw.max_tool_iterations || DEFAULT_ITERATIONS,
    maxToolResultChars: raw.max_tool_result_chars || ENGINE_RESULT_CAP,
    cancelGraceMs: ms(raw.cancel_grace),
  };
}

function policyOf(raw: RawAgent['policy'], at: Resolve, ours: string[]): AgentConfig['policy'] {
  return {
    autonomy: raw.autonomy,
    alwaysAsk: raw.always_ask,
    autoApprove: raw.auto_approve,
    blockHighRisk: raw.block_high_risk_commands,
    askMediumRisk: raw.require_approval_for_medium_risk,
    shell: {
      allowedCommands: raw.shell.allowed_commands,
      envPassthrough: raw.shell.env_passthrough,
      timeoutMs: ms(raw.shell.timeout),
    },
    paths: {
      workspaceOnly: raw.paths.workspace_only,
      read: raw.paths.read.map(at),
      write: raw.paths.write.map(at),
      forbidden: [...new Set([...raw.paths.forbidden.map(at), ...ours])],
    },
    hosts: raw.hosts,
  };
}

function securityOf(raw: RawConfig, data: string, at: Resolve): Config['security'] {
  const { retired, ...key } = raw.security.deployment_key;
  return {
    deploymentKey: secretOf(key, at) ?? { file: join(data, 'deployment.key') },
    retiredKeys: retired.flatMap((ref) => secretOf(ref, at) ?? []),
    encryption: raw.security.encryption,
  };
}

/** C11.3: configuration, state, keys and tool modules are the product's own; no tool may touch them. */
function ownPlacesOf(config: Config): string[] {
  const secrets = [config.security.deploymentKey, ...config.security.retiredKeys];
  const scripts: string[] = [];
  for (const provider of Object.values(config.providers)) {
    if (provider.kind === 'scripted') scripts.push(provider.script);
    else if (provider.apiKey) secrets.push(provider.apiKey);
  }
  const files = secrets.flatMap((ref) => ('file' in ref ? [ref.file] : []));
  const store = ['', '-wal', '-shm', '-journal'].map((end) => config.store.path + end);
  return [config.file, config.data, ...store, ...files, ...scripts, ...config.toolModules];
}

function storePath(url: string | undefined, data: string, at: Resolve): string {
  if (url === undefined) return join(data, 'everturn.db');
  return at(url.replace(/^sqlite:(\/\/)?/, ''));
}

type RawSecret = { env?: string | undefined; file?: string | undefined };

function secretOf(raw: RawSecret | undefined, at: Resolve): SecretRef | undefined {
  if (raw?.env !== undefined) return { env: raw.env };
  return raw?.file === undefined ? undefined : { file: at(raw.file) };
}

function absolute(folder: string, path: string): string {
  return resolve(folder, path.replace(/^~(?=\/|$)/, homedir()));
}

/** The schema let only durations through. */
function ms(text: string): number {
  const value = durationMs(text);
  if (value === undefined) throw new Error('a duration that was not checked');
  return value;
}

/** Without a prototype, so that only what was configured is there. */
function mapped<A, B>(from: Record<string, A>, make: (name: string, value: A) => B): Record<string, B> {
  const to: Record<string, B> = Object.create(null);
  for (const [name, value] of Object.entries(from)) to[name] = make(name, value);
  return to;
}
