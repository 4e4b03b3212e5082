/**
 * `resolveCall`: what became of a call whose activity was lost (C6.2). What is left of it on this host is killed first;
 * "never began" is claimed only of a voided attempt; an effect that may be repeated is repeated, an unknown one never.
 */
import type { CallFate, ResolveInput } from '../core/ports.ts';
import type { CallRow } from '../store/api.ts';
import type { EngineDeps } from './deps.ts';
import { type ResultOf, recordOf } from './records.ts';
import { storeBehind } from './store-behind.ts';

/** C6.2: attempts of a call whose effect may be repeated. */
const MAX_REPEATS = 3;

export async function resolveCall(deps: EngineDeps, input: ResolveInput): Promise<CallFate> {
  const key = { turnId: input.turnId, step: input.step, slot: input.slot, attempt: input.attempt };
  const callId = `c${input.step}-${input.slot}`;
  const recorded = await deps.store.results.get(input.turnId, callId);
  if (recorded) return { kind: 'filled', result: recorded.result };
  const first = await deps.store.ledger.resolve({ ...key, voidIt: false });
  if (first.kind === 'outcome') return { kind: 'filled', result: first.result };
  if (first.kind === 'never_began') return { kind: 'again' };
  if (first.group && first.group.host === deps.host) await deps.killGroup(first.group);
  const call = await deps.store.transcript.call(input.turnId, callId);
  if (!call) throw storeBehind(`Call ${callId} of turn ${input.turnId}`);

  const probed = input.mode === 'cancel' ? 'unknown' : await probe(deps, call, key);
  const now = await deps.store.ledger.resolve({ ...key, voidIt: true });
  if (now.kind === 'outcome') return { kind: 'filled', result: now.result };
  if (probed !== 'unknown')
    return probed.happened ? record(deps, input, call, happened(probed.output)) : { kind: 'again' };
  if (input.mode === 'cancel') return { kind: 'unknown' };
  if (call.assessment.effect !== 'once') {
    return input.attempt < MAX_REPEATS ? { kind: 'again', began: true } : record(deps, input, call, GIVEN_UP);
  }
  return input.mode === 'ask' ? { kind: 'unknown' } : record(deps, input, call, UNKNOWN);
}

const GIVEN_UP: ResultOf = {
  status: 'failed',
  text: `Error: ${MAX_REPEATS} times the worker was lost while this call ran, or its result could not be recorded.`,
};

const UNKNOWN: ResultOf = {
  status: 'unknown',
  text: 'The outcome of this call is unknown: its worker was lost while it ran. It may have taken effect, or may never have begun. It was not repeated. Verify what happened before you repeat it.',
};

const happened = (output = ''): ResultOf => ({
  status: 'done',
  text: output === '' ? 'It took effect; its output was lost.' : output,
});

async function probe(deps: EngineDeps, call: CallRow, key: { turnId: string; step: number; slot: number }) {
  const tool = deps.tools.get(call.tool);
  if (!tool?.probe) return 'unknown' as const;
  try {
    return await tool.probe(`${key.turnId}/${key.step}/${key.slot}`, JSON.parse(call.arguments));
  } catch {
    return 'unknown' as const;
  }
}

async function record(deps: EngineDeps, input: ResolveInput, call: CallRow, result: ResultOf): Promise<CallFate> {
  const made = recordOf(deps, call, result);
  await deps.store.results.record(input.turnId, [made]);
  const kept = await deps.store.results.get(input.turnId, call.callId);
  return { kind: 'filled', result: kept?.result ?? made.result };
}
