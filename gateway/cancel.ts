/** Cancel has one meaning everywhere: the flag in the store first, then the turn is told (design: "Cancel"). */
import type { CancelOutcome } from '../client/types.ts';
import { OPEN_STATUSES, outcomeOf } from '../core/outcome.ts';
import type { Flag } from '../store/api.ts';
import type { GatewayDeps } from './deps.ts';

export type Cancelled = { kind: 'cancelled'; outcome: CancelOutcome } | { kind: 'ended' | 'missing' };

export async function cancelTurn(deps: GatewayDeps, turnId: string, flag: Flag): Promise<Cancelled> {
  const flagged = await deps.store.turns.requestCancel(turnId, flag);
  if (flagged === 'missing') return { kind: 'missing' };
  if (flagged === 'has_ended') return { kind: 'ended' };
  const told = deps.messenger.cancel(turnId, flag);
  if (flagged === 'ended_now') {
    // A workflow may have been started for it and not begun: it is told, and nobody waits for that.
    told.catch(() => undefined);
    return { kind: 'cancelled', outcome: { state: 'cancelled' } };
  }
  if ((await told) === 'gone') return { kind: 'cancelled', outcome: { state: await endGone(deps, turnId) } };
  return { kind: 'cancelled', outcome: { state: 'cancelling' } };
}

/**
 * The turn has no workflow any more (ended by other means, or Temporal is another one now). The reconciler says how it
 * ended when it can; when it must not judge, the operator's word is enough to end the row.
 */
async function endGone(deps: GatewayDeps, turnId: string): Promise<CancelOutcome['state']> {
  if ((await deps.reconciler.turn(turnId)) === 'ended') return 'cancelled';
  const row = await deps.store.turns.get(turnId);
  if (!row || row.status === 'queued') return 'cancelling';
  await deps.store.turns.end({
    turnId,
    outcome: outcomeOf('cancelled', row.usage),
    entries: [],
    events: [],
    results: [],
    at: deps.now(),
    onlyIf: [...OPEN_STATUSES],
  });
  return 'cancelled';
}
