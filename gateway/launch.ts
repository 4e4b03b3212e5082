/** Starts the workflow of a row that was committed. Safe to repeat: the reconciler does it with the very same start. */
import type { StartFate, TemporalDesk } from '../client/temporal.ts';
import type { TurnRow } from '../store/api.ts';
import type { Renderer } from './ports.ts';

const SUMMARY_TEXT = 120;

export function launch(desk: TemporalDesk, render: Renderer, row: TurnRow): Promise<StartFate> {
  const text = render.text(row.text.slice(0, 4 * SUMMARY_TEXT)).replace(/\s+/g, ' ');
  return desk.start({
    turnId: row.turnId,
    agent: row.agent,
    ...(row.session === undefined ? {} : { session: row.session }),
    origin: row.origin.surface,
    summary: `${row.agent}: ${text.slice(0, SUMMARY_TEXT)}`,
  });
}

/** The answer to whoever posted a turn waits no longer than this for Temporal: the row is committed, so it will run. */
const PATIENCE_MS = 2_000;

export async function launchPatiently(
  desk: TemporalDesk,
  render: Renderer,
  row: TurnRow,
): Promise<StartFate | { kind: 'pending' }> {
  const started = launch(desk, render, row);
  let timer: NodeJS.Timeout | undefined;
  const patience = new Promise<{ kind: 'pending' }>((resolve) => {
    timer = setTimeout(() => resolve({ kind: 'pending' }), PATIENCE_MS);
  });
  try {
    return await Promise.race([started, patience]);
  } finally {
    clearTimeout(timer);
  }
}
