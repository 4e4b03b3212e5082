/** The execution (C2.1): everything a turn runs with, resolved once, stored by content hash. */
import type { Effect } from './assessment.ts';
import type { JsonObject } from './json.ts';

export type Autonomy = 'readonly' | 'supervised' | 'full';

/** What a model needs to know of a tool, and what the engine needs to run it. Plain data. */
export type ToolSpec = {
  name: string;
  description: string;
  /** JSON Schema of the arguments, as the tool gave it; this original alone validates. */
  parameters: JsonObject;
  /** The declared effect; the assessment of one call may lower it to `none` (a read-only shell command). */
  effect: Effect;
  /** Who carries it out: an activity on a worker, or the workflow itself (durable questions and timers). */
  executor: 'activity' | 'ask_user' | 'wait';
  /** Milliseconds a call may run (C6.4). */
  timeoutMs: number;
  provenance: 'native' | 'extension';
};

/** One entry of the model chain: the first is asked first, the others are fallbacks. */
export type ModelRef = {
  /** `provider/model`, as configured. */
  name: string;
  provider: string;
  model: string;
  nativeTools: boolean;
  contextTokens: number | null;
};

export type AccessPolicy = {
  autonomy: Autonomy;
  alwaysAsk: string[];
  autoApprove: string[];
  blockHighRisk: boolean;
  askMediumRisk: boolean;
};

export type ShellPolicy = {
  /** null: the default list of C11.2. */
  allowedCommands: string[] | null;
  envPassthrough: string[];
  timeoutMs: number;
};

export type PathPolicy = { workspaceOnly: boolean; read: string[]; write: string[]; forbidden: string[] };

export type Policy = AccessPolicy & { shell: ShellPolicy; paths: PathPolicy; hosts: string[] | null };

export type Knobs = {
  parallelTools: boolean;
  maxParallelTools: number;
  maxToolIterations: number;
  maxToolResultChars: number;
  dedupExempt: string[];
  cancelGraceMs: number;
  /** What to do when nobody can tell whether a call took effect (C6.2). */
  onUnknown: 'report' | 'ask';
};

/** How questions of a turn are put (C5.8). `deny`: nobody is asked, the call is refused as unreachable. */
export type Asking = { mode: 'ask' | 'park' | 'deny'; timeoutMs: number };

export type Execution = {
  version: 1;
  agent: string;
  chain: ModelRef[];
  instructions: string;
  /** Absolute path. */
  workspace: string;
  tools: ToolSpec[];
  policy: Policy;
  knobs: Knobs;
  asking: Asking;
};

/** The small part that the workflow decides on; carried in its state and over continue-as-new. */
export type ExecutionSubset = {
  hash: string;
  policyHash: string;
  access: AccessPolicy;
  knobs: Knobs;
  asking: Asking;
};
