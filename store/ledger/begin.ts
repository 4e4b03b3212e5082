/** The intent of an attempt: a conditional insert, on the disk before the effect (L1, L2, L4 in `ledger.ts`). */
import type { Ledger } from '../api.ts';
import { controlTx } from '../control-rows.ts';
import { hold, type Tx } from '../database.ts';
import { appendEvents } from '../events.ts';
import { resultOfSlot } from '../results.ts';
import { loadTurn, saveProgress, type Turn } from '../turns/row.ts';
import { type Attempt, attemptsOf, insertAttempt } from './attempts.ts';

type Input = Parameters<Ledger['begin']>[0];
type Answer = Awaited<ReturnType<Ledger['begin']>>;
type Why = Extract<Answer, { kind: 'refused' }>['why'];

export function* beginTx(input: Input, at: number): Tx<Answer> {
  yield* hold(input.turnId);
  const result = yield* resultOfSlot(input);
  if (result) return { kind: 'outcome', result };
  const turn = yield* loadTurn(input.turnId);
  if (!turn || turn.closed) return { kind: 'refused', why: 'closed' };
  const why = standsAgainst(input.attempt, yield* attemptsOf(input)) ?? (yield* flagAgainst(turn));
  if (why) return { kind: 'refused', why };
  const { worker, activityId } = input;
  yield* insertAttempt(input, { worker, activity_id: activityId, began_at: at });
  yield* appendEvents(turn, input.events, at);
  yield* saveProgress(turn);
  return { kind: 'accepted' };
}

function standsAgainst(attempt: number, rows: Attempt[]): Why | undefined {
  const own = rows.find((row) => row.attempt === attempt);
  if (own?.voided_at != null) return 'void';
  if (own) return 'began';
  if (rows.some((row) => row.attempt > attempt)) return 'later_exists';
  // An earlier one without a row never began and, with this row here, never will.
  return rows.some((row) => row.attempt < attempt && row.voided_at === null) ? 'earlier_open' : undefined;
}

function* flagAgainst(turn: Turn): Tx<Why | undefined> {
  const control = yield* controlTx();
  if (control.estop) return 'estop';
  if (turn.cancel !== null) return 'cancelled';
  return control.paused ? 'paused' : undefined;
}
