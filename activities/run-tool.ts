/**
 * `runTool`: one call, one attempt. It believes only the store and the decision (C5.5): call and policy are read from the
 * store, access is evaluated again, the decision verified; the intent is written before the effect, the outcome after it.
 */
import { Context } from '@temporalio/activity';
import { evaluateAccess } from '../core/access.ts';
import { factsOf } from '../core/assessment.ts';
import type { Execution } from '../core/execution.ts';
import type { ToolAnswer, ToolInput } from '../core/ports.ts';
import type { CallRow } from '../store/api.ts';
import { policyHashOf } from './begin-turn.ts';
import type { EngineDeps } from './deps.ts';
import type { ExecutionCache } from './executions.ts';
import { withHeartbeat } from './heartbeat.ts';
import { storedDecision } from './questions/stored-decision.ts';
import { callEvent, recordFill } from './records.ts';
import { execute } from './tools/execute.ts';

export async function runTool(deps: EngineDeps, executions: ExecutionCache, input: ToolInput): Promise<ToolAnswer> {
  const execution = await executions(input.executionHash);
  const call = await deps.store.transcript.call(input.turnId, `c${input.step}-${input.slot}`);
  if (!call)
    return {
      kind: 'unavailable',
      why: `Call c${input.step}-${input.slot} of turn ${input.turnId} is not in this store.`,
    };
  // Whether it may be tried again is being asked (C6.2): no turn asks for it meanwhile.
  if (input.attempt > 1 && (await isAsked(deps, input.turnId, call.callId)))
    return { kind: 'unavailable', why: 'A question about this call is open.' };
  const refusal = await refusalOf(deps, { execution, call, input });
  if (refusal !== undefined) {
    // While its question stands open, no turn has asked for this: somebody else has, and that must not fill the slot.
    if (await isAsked(deps, input.turnId, call.callId)) return { kind: 'unavailable', why: refusal };
    const record = recordFill(deps, call, { callId: call.callId, status: 'blocked', by: 'policy', reason: refusal });
    await deps.store.results.record(input.turnId, [record]);
    return { kind: 'result', result: record.result };
  }
  return begin(deps, { execution, call, input });
}

async function isAsked(deps: EngineDeps, turnId: string, callId: string): Promise<boolean> {
  const { items } = await deps.store.questions.list({ turnId, state: 'open' });
  return items.some((question) => question.callId === callId);
}

type Running = { execution: Execution; call: CallRow; input: ToolInput };

/** Why this call may not run now; undefined when it may. */
async function refusalOf(deps: EngineDeps, { execution, call, input }: Running): Promise<string | undefined> {
  const spec = execution.tools.find(({ name }) => name === call.tool);
  const gone = deps.takenAway(execution.agent, call.tool);
  if (gone !== undefined) return gone;
  const access = evaluateAccess({
    policy: execution.policy,
    name: call.tool,
    inEffectiveSet: spec !== undefined,
    facts: factsOf(call.assessment),
    estopped: false,
  });
  if (access.kind === 'blocked') return access.reason;
  if (access.kind === 'allowed') return undefined;
  if (!input.decisionId) return 'It needs an approval and there is none.';
  return decisionFault(deps, { execution, call, input }, input.decisionId);
}

/** The decision is of the deployment, of this very call, of these very bytes, under this very policy, and was accepted. */
async function decisionFault(
  deps: EngineDeps,
  { execution, call, input }: Running,
  decisionId: string,
): Promise<string | undefined> {
  const stored = await storedDecision(deps, decisionId);
  if (stored.kind !== 'found' || !deps.verifyDecision(stored.signed)) return 'Its approval could not be verified.';
  const { body } = stored.signed;
  const approves = body.choice === 'approve' || body.choice === 'edit';
  const bytes = body.choice === 'edit' ? body.newArgumentHash : body.argumentHash;
  const fits =
    approves &&
    body.kind === 'tool' &&
    body.turnId === input.turnId &&
    body.callId === call.callId &&
    bytes === call.argumentHash &&
    body.policyHash === policyHashOf(execution);
  if (!fits) return 'Its approval is for something else.';
  const question = await deps.store.questions.get(body.approvalId);
  return question?.state === 'decided' && question.decision?.decisionId === decisionId
    ? undefined
    : 'Its approval was not accepted.';
}

async function begin(deps: EngineDeps, running: Running): Promise<ToolAnswer> {
  const { input, call } = running;
  const { activityId } = Context.current().info;
  const begun = await deps.store.ledger.begin({
    turnId: input.turnId,
    step: input.step,
    slot: input.slot,
    attempt: input.attempt,
    worker: deps.identity,
    activityId,
    events: [callEvent(deps, call)],
  });
  switch (begun.kind) {
    case 'outcome':
      return { kind: 'result', result: begun.result };
    case 'refused':
      return held(deps, begun.why);
    case 'accepted': {
      const key = { turnId: input.turnId, step: input.step, slot: input.slot, attempt: input.attempt };
      return withHeartbeat(
        () => null,
        (signal) => execute(deps, { ...running, key, approved: input.decisionId !== undefined, signal }),
      );
    }
  }
}

async function held(deps: EngineDeps, why: string): Promise<ToolAnswer> {
  if (why === 'cancelled' || why === 'closed') return { kind: 'held', why: 'cancelled', at: 0 };
  if (why !== 'paused' && why !== 'estop') return { kind: 'lost' };
  const control = await deps.store.control.get();
  const flag = why === 'paused' ? control.paused : control.estop;
  return { kind: 'held', why, at: flag?.at ?? 0 };
}
