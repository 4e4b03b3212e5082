/** Turns from the first row to the last transaction. */
import { OPEN_STATUSES } from '../../core/outcome.ts';
import type { Turns } from '../api.ts';
import type { Context } from '../context.ts';
import { beginTx } from './begin.ts';
import { cancelTx } from './cancel.ts';
import { endTx } from './end.ts';
import { enqueueTx } from './enqueue.ts';
import { listTurns, openTurns } from './list.ts';
import { loadTurn, loadTurnRow, saveProgress } from './row.ts';
import { slotsOf } from './slots.ts';

export function createTurns(context: Context): Turns {
  const { db, chains, now } = context;
  return {
    enqueue: (input) =>
      db.write(function* () {
        const found = yield* enqueueTx(input, now());
        if (found.kind === 'conflict') return found;
        const turn = yield* loadTurnRow(found.turnId);
        return turn ? { kind: found.kind, turn } : { kind: 'conflict' };
      }),
    get: (turnId) => db.read(() => loadTurnRow(turnId)),
    list: (filter) => db.read(() => listTurns(filter)),
    slots: (turnId) => db.read(() => slotsOf(turnId)),
    open: () => db.read(openTurns),
    async begin(input) {
      const { answer, appended } = await db.write(() => beginTx(context, input));
      for (const { turnId, links } of appended) chains.extend(turnId, links);
      return answer;
    },
    setStatus: (turnId, status, iteration) =>
      db.write(function* () {
        const turn = yield* loadTurn(turnId);
        // Only the last transaction ends a turn.
        if (!turn || turn.closed || !OPEN_STATUSES.includes(status)) return;
        turn.status = status;
        turn.iteration = iteration ?? turn.iteration;
        yield* saveProgress(turn);
      }),
    requestCancel: (turnId, flag) => db.write(() => cancelTx(context, turnId, flag)),
    async end(input) {
      const { ended, links } = await db.write(() => endTx(context, input));
      chains.extend(input.turnId, links);
      return ended;
    },
  };
}
