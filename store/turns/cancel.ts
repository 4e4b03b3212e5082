/** The cancel flag of a turn: set once, read by whatever is about to begin. A turn that never began ends here and now. */
import { outcomeOf } from '../../core/outcome.ts';
import type { Usage } from '../../core/usage.ts';
import type { Flag } from '../api.ts';
import type { Context } from '../context.ts';
import type { Tx } from '../database.ts';
import { endTx } from './end.ts';
import { loadTurn, saveTurn } from './row.ts';

type Answer = 'flagged' | 'already_flagged' | 'ended_now' | 'has_ended' | 'missing';

export function* cancelTx(context: Context, turnId: string, flag: Flag): Tx<Answer> {
  const turn = yield* loadTurn(turnId);
  if (!turn) return 'missing';
  if (turn.closed) return 'has_ended';
  if (turn.cancel !== null) return 'already_flagged';
  turn.cancel = JSON.stringify(flag);
  yield* saveTurn(turn);
  if (turn.started_at !== null) return 'flagged';
  const outcome = outcomeOf('cancelled', JSON.parse(turn.usage) as Usage);
  yield* endTx(context, { turnId, outcome, entries: [], events: [], results: [], at: flag.at });
  return 'ended_now';
}
