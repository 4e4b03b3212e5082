/** What the activities are given by the worker, and by nothing else: no globals, no configuration of their own. */
import type { Execution } from '../core/execution.ts';
import type { TurnError } from '../core/outcome.ts';
import type { Scrubber } from '../core/redact.ts';
import type { ProcessGroup, SignedDecision, Store, TurnRow } from '../store/api.ts';
import type { ChainRequest } from './provider/chain.ts';
import type { ProcessRunner, ToolRegistry } from './tools/types.ts';

export type TurnRequest = Pick<TurnRow, 'agent' | 'allowedTools' | 'approvals' | 'origin'>;

export type RunnerOptions = {
  signal: AbortSignal;
  graceMs: number;
  /** Awaited before the command runs; a rejection means that it must not. */
  onGroup: (group: ProcessGroup) => Promise<void>;
};

export type EngineDeps = {
  store: Store;
  /** Resolves a turn's execution from the configuration that is in force now (C2.1). */
  resolve: (turn: TurnRequest) => { kind: 'ok'; execution: Execution } | { kind: 'error'; error: TurnError };
  /** What the configuration in force now takes away from a turn that runs (C2.11): the reason, or undefined. */
  takenAway: (agent: string, tool: string) => string | undefined;
  tools: ToolRegistry;
  adapters: ChainRequest['adapters'];
  cooldowns: ChainRequest['cooldowns'];
  /** Exact scrubbing of every value that the deployment holds (C9.1). */
  scrubber: Scrubber;
  /** Everything scrubbed that is shown (C9.6): held values and patterns. */
  render: (text: string) => string;
  /** Verifies a decision over all of it (C5.5). */
  verifyDecision: (decision: SignedDecision) => boolean;
  createRunner: (options: RunnerOptions) => ProcessRunner;
  /** Kills what is left of a group on this host, after comparing its start time. */
  killGroup: (group: ProcessGroup) => Promise<void>;
  secret: (name: string) => string | undefined;
  /** This worker, as the ledger names it. */
  identity: string;
  host: string;
  /** The search attributes exist. */
  attributes: boolean;
  log: (level: 'info' | 'warn' | 'error', message: string, fields: Record<string, unknown>) => void;
};
