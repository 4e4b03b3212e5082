/** Pause and emergency stop of the whole deployment (C8.10): durable, and read wherever something is about to begin. */
import type { Control, Flag } from './api.ts';
import { auditTx } from './audit.ts';
import type { Context } from './context.ts';
import { controlTx } from './control-rows.ts';
import { run, type Tx } from './database.ts';
import { appendEvents } from './events.ts';
import { query } from './query.ts';
import { cancelTx } from './turns/cancel.ts';
import { openTurnIds } from './turns/list.ts';
import { loadTurn, saveProgress } from './turns/row.ts';
import { standingOf } from './turns/standing.ts';

const set = query((db, p: { name: string; flag: string }) =>
  db
    .insertInto('control')
    .values({ name: p.name, flag: p.flag })
    // The first one stays: it says since when.
    .onConflict((conflict) => conflict.doNothing()),
);
const lift = query((db, _: Record<never, never>) => db.deleteFrom('control'));

export function createControl(context: Context): Control {
  const { db, sealer } = context;

  function* raise(name: 'paused' | 'estop', flag: Flag): Tx<void> {
    const raised = yield* run(set, { name, flag: JSON.stringify(flag) });
    if (!raised) return;
    yield* auditTx(sealer, { kind: name, body: { by: flag.by, reason: flag.reason }, at: flag.at });
    yield* tellTurns(name, flag);
  }

  /** Shown on every surface: each turn that has begun hears of it and stands accordingly. */
  function* tellTurns(state: 'paused' | 'resumed' | 'estop', { by, at }: Flag): Tx<void> {
    for (const turnId of yield* openTurnIds()) {
      const turn = yield* loadTurn(turnId);
      if (!turn || turn.started_at === null) continue;
      yield* appendEvents(turn, [{ key: `control:${state}:${at}`, body: { type: 'control', state, by } }], at);
      turn.status = yield* standingOf(turn);
      yield* saveProgress(turn);
    }
  }

  return {
    get: () => db.read(controlTx),
    pause: (flag) => db.write(() => raise('paused', flag)),
    resume: (flag) =>
      db.write(function* () {
        const lifted = yield* run(lift, {});
        if (!lifted) return;
        yield* auditTx(sealer, { kind: 'resumed', body: { by: flag.by, reason: flag.reason }, at: flag.at });
        yield* tellTurns('resumed', flag);
      }),
    estop: (flag) =>
      db.write(function* () {
        yield* raise('estop', flag);
        const turnIds = yield* openTurnIds();
        for (const turnId of turnIds) yield* cancelTx(context, turnId, flag);
        return turnIds;
      }),
  };
}
