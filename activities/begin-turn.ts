/** `beginTurn`: resolves the execution, stores the user message, writes the first event; what the workflow decides on goes back. */
import type { Execution, ExecutionSubset } from '../core/execution.ts';
import { canonicalJson, type Json } from '../core/json.ts';
import type { BeginInput, Begun } from '../core/ports.ts';
import type { EngineDeps, TurnRequest } from './deps.ts';
import { sha256 } from './records.ts';
import { storeBehind } from './store-behind.ts';

export async function beginTurn(deps: EngineDeps, input: BeginInput): Promise<Begun> {
  const asked = await requestOf(deps, input);
  if (!asked) {
    throw storeBehind(`Turn ${input.turnId}`);
  }
  const resolved = deps.resolve(asked);
  if (resolved.kind === 'error') return { kind: 'failed', error: resolved.error };
  const executionHash = await deps.store.executions.put(resolved.execution);
  const origin = { surface: 'workflow', by: input.start?.by ?? 'workflow' };
  const start = input.start ? { start: { ...input.start, origin } } : {};
  const begun = await deps.store.turns.begin({ turnId: input.turnId, ...start, executionHash, at: Date.now() });
  if (begun.kind === 'missing') throw storeBehind(`Turn ${input.turnId}`);
  if (begun.kind === 'closed') return begun;
  const { estop, paused } = begun.control;
  const cancel = begun.cancel ?? estop;
  return {
    kind: 'begun',
    subset: subsetOf(resolved.execution, executionHash),
    head: begun.head,
    attributes: deps.attributes,
    ...(cancel ? { cancel: { by: cancel.by, reason: cancel.reason } } : {}),
    ...(paused ? { pausedAt: paused.at } : {}),
  };
}

async function requestOf(deps: EngineDeps, { turnId, start }: BeginInput): Promise<TurnRequest | undefined> {
  const row = await deps.store.turns.get(turnId);
  if (row) return row;
  if (!start) return undefined;
  const { agent, allowedTools, approvals, by } = start;
  return { agent, allowedTools, approvals, origin: { surface: 'workflow', by: by ?? 'workflow' } };
}

export const policyHashOf = (execution: Execution): string =>
  sha256(canonicalJson(execution.policy as unknown as Json));

function subsetOf(execution: Execution, hash: string): ExecutionSubset {
  const { autonomy, alwaysAsk, autoApprove, blockHighRisk, askMediumRisk } = execution.policy;
  return {
    hash,
    policyHash: policyHashOf(execution),
    access: { autonomy, alwaysAsk, autoApprove, blockHighRisk, askMediumRisk },
    knobs: execution.knobs,
    asking: execution.asking,
  };
}
