/** Pause and emergency stop of the whole deployment (C8.10): durable, and read wherever something is about to begin. */
import type { Control, ControlState, Flag } from './api.ts';
import { auditTx } from './audit.ts';
import type { Context } from './context.ts';
import { all, run, type Tx } from './database.ts';
import { query } from './query.ts';
import { cancelTx } from './turns/cancel.ts';
import { openTurnIds } from './turns/list.ts';

const select = query((db, _: Record<never, never>) => db.selectFrom('control').selectAll());
const set = query((db, p: { name: string; flag: string }) =>
  db
    .insertInto('control')
    .values({ name: p.name, flag: p.flag })
    // The first one stays: it says since when.
    .onConflict((conflict) => conflict.doNothing()),
);
const lift = query((db, _: Record<never, never>) => db.deleteFrom('control'));

export function* controlTx(): Tx<ControlState> {
  const state: ControlState = {};
  for (const row of yield* all(select, {})) state[row.name as 'paused' | 'estop'] = JSON.parse(row.flag) as Flag;
  return state;
}

export function createControl(context: Context): Control {
  const { db, sealer } = context;

  function* raise(name: 'paused' | 'estop', flag: Flag): Tx<void> {
    const raised = yield* run(set, { name, flag: JSON.stringify(flag) });
    if (raised) yield* auditTx(sealer, { kind: name, body: { by: flag.by, reason: flag.reason }, at: flag.at });
  }

  return {
    get: () => db.read(controlTx),
    pause: (flag) => db.write(() => raise('paused', flag)),
    resume: (flag) =>
      db.write(function* () {
        const lifted = yield* run(lift, {});
        if (lifted)
          yield* auditTx(sealer, { kind: 'resumed', body: { by: flag.by, reason: flag.reason }, at: flag.at });
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
