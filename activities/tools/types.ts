/** What a tool is (C1): name, schema, effect, how to judge one call, how to run it. It never asks, logs, signs or retries. */
import type { Assessment, Effect } from '../../core/assessment.ts';
import type { Policy } from '../../core/execution.ts';
import type { Json, JsonObject } from '../../core/json.ts';

/** Text for the model, plus optional structured data that the model never sees (C1.2). */
export type ToolResult = { success: boolean; output: string; error?: string; data?: Json };

/** Runs a command in its own process group; given to tools that start processes, so that nothing is left running. */
export type ProcessRunner = (request: ProcessRequest) => Promise<ProcessResult>;

export type ProcessRequest = {
  /** argv; run without a shell. */
  command: readonly [string, ...string[]];
  cwd: string;
  env: Record<string, string>;
  timeoutMs: number;
  /** Bytes kept of each stream. */
  maxOutputBytes: number;
  onOutput?: (stream: 'stdout' | 'stderr', text: string) => void;
};

export type ProcessResult = {
  exitCode: number | null;
  signal: string | null;
  stdout: string;
  stderr: string;
  /** Bytes beyond the cap that were dropped. */
  dropped: { stdout: number; stderr: number };
  ended: 'exit' | 'timeout' | 'cancelled';
};

export type ToolContext = {
  /** Absolute path. */
  workspace: string;
  policy: Policy;
  signal: AbortSignal;
  /** `<turnId>/<step>/<slot>`: the same for every attempt of this call. */
  idempotencyKey: string;
  turnId: string;
  callId: string;
  /** Milliseconds this call may run. */
  timeoutMs: number;
  /** A line of progress for whoever watches; restarts the time-out (10 min in all). */
  progress: (text: string) => void;
  /** Secrets by name, for tools that are configured with some. */
  secret: (name: string) => string | undefined;
  /** An operator approved this very call (C4.3). */
  approved: boolean;
  /** Starts processes through the launcher: group recorded in the ledger before the command runs. */
  run: ProcessRunner;
  /** Reads a stored result or artifact (for `result_read`): undefined when no result of this turn or its session named it. */
  readResult: (ref: string) => Promise<string | undefined>;
};

/** What an assessment may look at. It must not touch the world except to resolve paths. */
export type AssessContext = { workspace: string; policy: Policy };

export type Tool = {
  name: string;
  description: string;
  /** JSON Schema with an object at its root. */
  parameters: JsonObject;
  effect: Effect;
  provenance: 'native' | 'extension';
  executor: 'activity' | 'ask_user' | 'wait';
  timeoutMs: number;
  assess: (args: JsonObject, context: AssessContext) => Assessment | Promise<Assessment>;
  execute: (args: JsonObject, context: ToolContext) => Promise<ToolResult>;
  /** Did the call with this key take effect? Asked only when its outcome is unknown. */
  probe?: (idempotencyKey: string, args: JsonObject) => Promise<{ happened: boolean; output?: string } | 'unknown'>;
};

/** Every tool of this worker by name. */
export type ToolRegistry = ReadonlyMap<string, Tool>;
