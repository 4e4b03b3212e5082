/** Time-outs and retries of everything a turn asks of the world (design "Time-outs"); one place, one screen. */
import { ActivityCancellationType, type ActivityOptions, proxyActivities } from '@temporalio/workflow';
import type { SessionPorts, ToolInput, TurnPorts } from '../core/ports.ts';

const HEARTBEAT = '15s';

/** Store only: short, and tried until the store is there again. */
const STORE: ActivityOptions = {
  startToCloseTimeout: '5s',
  retry: { initialInterval: '100ms', backoffCoefficient: 2, maximumInterval: '5s' },
};

/** Retries and fallbacks live inside; attempts here are for lost workers alone. */
const PROVIDER: ActivityOptions = {
  startToCloseTimeout: '6h',
  heartbeatTimeout: HEARTBEAT,
  cancellationType: ActivityCancellationType.TRY_CANCEL,
  retry: { maximumAttempts: 3, initialInterval: '100ms', maximumInterval: '2s' },
};

export const { beginTurn, announce, settleQuestion, resolveCall, recordResults, endTurn, turnAway } =
  proxyActivities<Omit<TurnPorts, 'callProvider' | 'runTool'>>(STORE);

export const { adoptSteering } = proxyActivities<SessionPorts>(STORE);

export const { callProvider } = proxyActivities<Pick<TurnPorts, 'callProvider'>>(PROVIDER);

const tools = proxyActivities<Pick<TurnPorts, 'runTool'>>({ startToCloseTimeout: '1h', retry: { maximumAttempts: 1 } });

/** Beyond a tool's own time-out: its record, and a worker that drains. */
const MARGIN_MS = 30_000;
/** A tool that reports progress restarts its own clock, up to this (C6.4). */
const PROGRESS_MAX_MS = 600_000;

/**
 * One call, exactly one activity attempt: what became of a lost one is the ledger's to say.
 * Its activity id is the ledger's key, so that a supervisor can fail it by name.
 */
export function runTool(input: ToolInput, call: { timeoutMs: number; graceMs: number; summary: string }) {
  const options: ActivityOptions = {
    activityId: activityIdOf(input),
    startToCloseTimeout: Math.max(call.timeoutMs, PROGRESS_MAX_MS) + call.graceMs + MARGIN_MS,
    heartbeatTimeout: HEARTBEAT,
    cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
    retry: { maximumAttempts: 1 },
    summary: call.summary,
  };
  return tools.runTool.executeWithOptions(options, [input]);
}

export function activityIdOf({
  turnId,
  step,
  slot,
  attempt,
}: Pick<ToolInput, 'turnId' | 'step' | 'slot' | 'attempt'>): string {
  return `${turnId}-s${step}-${slot}-a${attempt}`;
}
