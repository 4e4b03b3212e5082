/** How a running turn stands, as lists show it: held by a pause, waiting for a person, or at work. */
import type { TurnStatus } from '../../core/outcome.ts';
import { controlTx } from '../control-rows.ts';
import type { Tx } from '../database.ts';
import { openQuestionsOf } from '../questions/rows.ts';
import type { Turn } from './row.ts';

/** Within the transaction that changed it; the caller writes the row back. */
export function* standingOf(turn: Turn): Tx<TurnStatus> {
  if ((yield* controlTx()).paused) return 'paused';
  const asked = yield* openQuestionsOf(turn.turn_id);
  if (asked.some(({ kind }) => kind !== 'question')) return 'waiting_approval';
  return asked.length > 0 ? 'waiting_user' : 'running';
}
