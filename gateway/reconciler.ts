/**
 * Brings rows and workflows together (design: "Turns"): one leader by lease, at the start and every 10 s. Each step is
 * conditional on the row's state, so that two leaders for a moment, or a turn that ends by itself meanwhile, do no harm.
 */
import { OPEN_STATUSES } from '../core/outcome.ts';
import { resend } from './reconcile/resend.ts';
import { endRow, reconcileRows } from './reconcile/rows.ts';
import { otherTemporal } from './reconcile/same-temporal.ts';
import type { Reconciler, ReconcilerDeps, ReconcilerStatus } from './reconcile/types.ts';

const LEASE = 'reconciler';
const EVERY_MS = 10_000;
const STOP_MS = 1_000;

export function createReconciler(deps: ReconcilerDeps): Reconciler {
  const everyMs = deps.everyMs ?? EVERY_MS;
  const status: ReconcilerStatus = { leader: false, lastRunAt: undefined, held: undefined };
  let timer: NodeJS.Timeout | undefined;
  let under: Promise<void> = Promise.resolve();

  const round = async () => {
    try {
      status.leader = await deps.store.leases.acquire(LEASE, deps.holder, 3 * everyMs);
      if (!status.leader) return;
      const held = await oneRound(deps);
      if (held !== undefined && held !== status.held) deps.log('error', held);
      status.held = held;
      status.lastRunAt = deps.now();
    } catch (error) {
      deps.log('warn', 'the reconciler could not finish a round', { why: String(error) });
    }
  };
  // One at a time: who asks while one runs gets one that begins after it.
  const run = () => {
    under = under.then(round);
    return under;
  };
  return {
    start: () => {
      void run();
      timer = setInterval(() => void run(), everyMs);
      timer.unref();
    },
    stop: async () => {
      clearInterval(timer);
      // A round that waits for a Temporal that is away is not waited for; each of its steps is conditional anyway.
      await Promise.race([under, new Promise((resolve) => setTimeout(resolve, STOP_MS).unref())]);
      if (status.leader) await deps.store.leases.release(LEASE, deps.holder);
    },
    run,
    turn: (turnId) => lookAt(deps, turnId),
    status: () => ({ ...status }),
  };
}

async function oneRound(deps: ReconcilerDeps): Promise<string | undefined> {
  const open = await deps.store.turns.open();
  const other = await foreign(deps, open.length);
  if (other !== undefined) return other;
  const report = await reconcileRows(deps, open);
  await resend(deps, open);
  return report.held;
}

async function foreign(deps: ReconcilerDeps, openTurns: number): Promise<string | undefined> {
  const current = { ...deps.desk.target, id: await deps.desk.namespaceId() };
  return otherTemporal(deps.store.meta, current, openTurns);
}

async function lookAt(deps: ReconcilerDeps, turnId: string): Promise<'ended' | 'open' | 'held'> {
  const row = await deps.store.turns.get(turnId);
  if (!row || !OPEN_STATUSES.includes(row.status)) return 'ended';
  try {
    if ((await foreign(deps, 1)) !== undefined) return 'held';
    const fate = await deps.desk.turnFate(turnId);
    if (fate.kind === 'open') return 'open';
    // Whether a missing one is the exception or the rule, only a whole round can tell.
    if (fate.kind === 'missing') return 'held';
    await endRow(deps, row, fate);
    return 'ended';
  } catch (error) {
    deps.log('warn', 'could not look at a turn in Temporal', { turnId, why: String(error) });
    return 'held';
  }
}
