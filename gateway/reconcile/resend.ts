/** Sends again what stands in the store and was not taken: decisions, steering, cancel and control flags. */
import type { ControlState, TurnRow } from '../../store/api.ts';
import { eachOf } from '../messenger.ts';
import type { ReconcilerDeps } from './types.ts';

/** Younger ones are still under way by the call that made them. */
const SETTLING_MS = 7_000;
const AT_ONCE = 8;

export async function resend(deps: ReconcilerDeps, open: readonly TurnRow[]): Promise<void> {
  const before = deps.now() - SETTLING_MS;
  await resendFlags(deps, open, before);
  await resendDecisions(deps, before);
  await resendSteering(deps, before);
}

async function resendFlags(deps: ReconcilerDeps, open: readonly TurnRow[], before: number): Promise<void> {
  const begun = open.filter((row) => row.status !== 'queued');
  const flagged = begun.filter((row) => row.cancel && row.cancel.at < before);
  await eachOf(flagged, AT_ONCE, async (row) => {
    if (row.cancel) await deps.messenger.cancel(row.turnId, row.cancel, 'if_due');
  });
  const message = messageOf(await deps.store.control.get());
  if (message && message.at < before) {
    const { at, ...control } = message;
    await deps.messenger.control(
      begun.map((row) => row.turnId),
      control,
      at,
    );
  }
}

function messageOf({ estop, paused }: ControlState) {
  if (estop) return { state: 'estop' as const, by: estop.by, at: estop.at };
  if (paused) return { state: 'paused' as const, by: paused.by, at: paused.at };
  return undefined;
}

async function resendDecisions(deps: ReconcilerDeps, before: number): Promise<void> {
  const decisions = await deps.store.questions.unsettled(before);
  await eachOf(decisions, AT_ONCE, async ({ turnId, approvalId, decisionId }) => {
    const key = `decision ${decisionId}`;
    if (!deps.messenger.due(key)) return;
    const answer = await deps.desk.sendDecision(turnId, { approvalId, decisionId });
    if (answer.kind === 'unsent') deps.messenger.forget(key);
  });
}

async function resendSteering(deps: ReconcilerDeps, before: number): Promise<void> {
  const messages = await deps.store.steering.unsent(before);
  await eachOf(messages, AT_ONCE, async ({ turnId, id }) => {
    const key = `steer ${id}`;
    // One that was taken stays pending until the next boundary of its turn, which may be long.
    if (!deps.messenger.due(key)) return;
    const answer = await deps.desk.sendSteering(turnId, id);
    if (answer.kind === 'unsent') deps.messenger.forget(key);
  });
}
