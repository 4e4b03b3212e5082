/** Compares open rows with Temporal: starts again what never started, ends what is closed there. */
import type { WorkflowFate } from '../../client/temporal.ts';
import { OPEN_STATUSES } from '../../core/outcome.ts';
import type { TurnRow } from '../../store/api.ts';
import { launch } from '../launch.ts';
import { eachOf } from '../messenger.ts';
import { type ClosedFate, endingOf } from './ending.ts';
import { resultsOfOpenSlots } from './open-slots.ts';
import type { ReconcilerDeps } from './types.ts';

const QUEUED_MS = 10_000;
const AT_ONCE = 8;

export type RowsReport = { started: number; ended: number; held: string | undefined };

export async function reconcileRows(deps: ReconcilerDeps, rows: readonly TurnRow[]): Promise<RowsReport> {
  const old = rows.filter((row) => row.status !== 'queued' || deps.now() - row.createdAt >= QUEUED_MS);
  const running = old.length === 0 ? new Set<string>() : await deps.desk.openTurnIds();
  const fates = new Map<TurnRow, WorkflowFate>();
  // The listing may lag; what it does not show is asked for by name.
  await eachOf(
    old.filter((row) => !running.has(row.turnId)),
    AT_ONCE,
    async (row) => void fates.set(row, await deps.desk.turnFate(row.turnId)),
  );
  const report: RowsReport = { started: 0, ended: 0, held: undefined };
  const gone: TurnRow[] = [];
  const unstarted: TurnRow[] = [];
  // In the order of the rows, oldest first, not in that of the answers.
  for (const row of old) {
    const fate = fates.get(row);
    if (fate === undefined || fate.kind === 'open') continue;
    if (fate.kind !== 'missing') report.ended += await endRow(deps, row, fate);
    else if (row.status === 'queued') unstarted.push(row);
    else gone.push(row);
  }
  report.started = await startAgain(deps, unstarted);
  const begun = old.filter((row) => row.status !== 'queued').length;
  if (gone.length > 0 && gone.length === begun) report.held = noneKnown(gone.length);
  else for (const row of gone) report.ended += await endRow(deps, row, { kind: 'missing' });
  return report;
}

/** One of them known to Temporal, open or closed, shows that it is the right one; none at all is no evidence. */
const noneKnown = (count: number) =>
  `None of the ${count} open turns is known to Temporal. Nothing is ended: it may be another server or an older file. ` +
  'Bring the old one back, or cancel these turns.';

/** Turns of one session in their order; different sessions, and turns alone, side by side. */
async function startAgain(deps: ReconcilerDeps, rows: readonly TurnRow[]): Promise<number> {
  const lanes = new Map<string, TurnRow[]>();
  for (const row of rows) {
    const lane = row.session ?? `turn ${row.turnId}`;
    lanes.set(lane, [...(lanes.get(lane) ?? []), row]);
  }
  let started = 0;
  await eachOf([...lanes.values()], AT_ONCE, async (lane) => {
    for (const row of lane) {
      const fate = await launch(deps.desk, deps.render, row);
      if (fate.kind === 'started') started += 1;
      if (fate.kind === 'queue_full' || fate.kind === 'unreachable') return;
    }
  });
  return started;
}

/** The last transaction of the turn, conditional on the row being open still. Answers how many it ended (0 or 1). */
export async function endRow(deps: ReconcilerDeps, row: TurnRow, fate: ClosedFate): Promise<number> {
  const outcome = endingOf(fate, row.usage);
  const { first, handedOn } = await deps.store.turns.end({
    turnId: row.turnId,
    outcome,
    entries: [],
    events: [],
    results: await resultsOfOpenSlots(deps.store, deps.render, row.turnId),
    at: deps.now(),
    onlyIf: [...OPEN_STATUSES],
  });
  if (!first) return 0;
  deps.log('warn', 'ended a turn whose workflow is closed', {
    turnId: row.turnId,
    why: fate.kind,
    status: outcome.status,
  });
  if (row.session !== undefined && handedOn.length > 0) await handOn(deps, row.session, handedOn);
  return 1;
}

/** Steering that the turn could not take becomes the session's next message. */
async function handOn(deps: ReconcilerDeps, session: string, ids: string[]): Promise<void> {
  const next = await deps.store.steering.adopt({ session, ids, turnId: deps.newId() });
  if (next) await launch(deps.desk, deps.render, next);
}
