/** What a model provider is to the engine: one streamed call in, one whole reply out (C10.1). */

import type { ToolSpec } from '../../core/execution.ts';
import type { Json } from '../../core/json.ts';
import type { Message } from '../../core/transcript.ts';
import type { Usage } from '../../core/usage.ts';

export type ProviderRequest = {
  model: string;
  /** The one system message (C3.8). */
  system: string;
  messages: Message[];
  /** In a stable order; [] when the model may not call. */
  tools: ToolSpec[];
  toolChoice: 'auto' | 'none';
};

/** What a stream says while it runs. `activity` is any sign of life; it re-arms timers and feeds the heartbeat. */
export type StreamPart = { type: 'text'; text: string } | { type: 'thinking'; text: string } | { type: 'activity' };

/** A call as it came: `arguments` is text as sent (object arguments are given as their JSON text). */
export type RawCall = { id: string; name: string; arguments: string; extras?: Json };

export type FinishKind = 'stop' | 'calls' | 'length' | 'filter' | 'refusal' | 'other';

export type ProviderReply = {
  text: string;
  thinking: string;
  calls: RawCall[];
  /** Calls that the provider ran by itself (C3.9). */
  providerCalls: Json[];
  finish: FinishKind;
  usage: Usage;
  extras?: Json;
};

export type CallOptions = { signal: AbortSignal; onPart: (part: StreamPart) => void };

export interface ProviderAdapter {
  /** As configured; shown to people. A scripted provider says so in `label`. */
  readonly name: string;
  readonly label: string;
  /** How often a failed call is made again, of this provider's configuration; else C3.7's 2. */
  readonly retries?: number;
  /**
   * One call. Resolves only after the protocol's terminal event (C10.2).
   * @throws ProviderFailure; an abort of `signal` rejects with an AbortError
   */
  call(request: ProviderRequest, options: CallOptions): Promise<ProviderReply>;
}

export type ProviderFailureClass = 'retryable' | 'rate_limited' | 'overflow' | 'fatal';

/** Why a call failed (C3.7). `message` is scrubbed and says which limit fired; the chain puts `provider/model` before it. */
export class ProviderFailure extends Error {
  readonly failureClass: ProviderFailureClass;
  readonly retryAfterMs: number | undefined;
  /** The provider ran a call of its own before it failed: never asked again (C3.9). */
  readonly ranOwnCall: boolean;
  constructor(failureClass: ProviderFailureClass, message: string, retryAfterMs?: number, ranOwnCall = false) {
    super(message);
    this.name = 'ProviderFailure';
    this.failureClass = failureClass;
    this.retryAfterMs = retryAfterMs;
    this.ranOwnCall = ranOwnCall;
  }
}
