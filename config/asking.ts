/** How the questions of a turn are put (C5.8). Never is anything approved because nobody was there. */
import type { Asking } from '../core/execution.ts';
import type { ApprovalsConfig } from './config.ts';

/** Surfaces where a person is looking at the turn that they started. HTTP and API starts say `ask` if somebody is. */
const ATTENDED = ['cli', 'dashboard', 'acp'];

export function askingOf(
  approvals: ApprovalsConfig,
  turn: { approvals?: Asking['mode'] | undefined; surface: string },
): Asking {
  const mode = turn.approvals ?? (ATTENDED.includes(turn.surface) ? 'ask' : approvals.unattended);
  const timeoutMs = { ask: approvals.timeoutMs, park: approvals.unattendedTimeoutMs, deny: 0 }[mode];
  return { mode, timeoutMs };
}
