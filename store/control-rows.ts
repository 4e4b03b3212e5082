/** The flags of the whole deployment, as whatever is about to begin reads them. */
import type { ControlState, Flag } from './api.ts';
import { all, type Tx } from './database.ts';
import { query } from './query.ts';

const select = query((db, _: Record<never, never>) => db.selectFrom('control').selectAll());

export function* controlTx(): Tx<ControlState> {
  const state: ControlState = {};
  for (const row of yield* all(select, {})) state[row.name as 'paused' | 'estop'] = JSON.parse(row.flag) as Flag;
  return state;
}
