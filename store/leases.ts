/** One leader at a time, by a lease that runs out by the clock of whoever asks. */
import type { Leases } from './api.ts';
import type { Context } from './context.ts';
import { run } from './database.ts';
import { query } from './query.ts';

const take = query((db, p: { name: string; holder: string; until: number; now: number }) =>
  db
    .insertInto('leases')
    .values({ name: p.name, holder: p.holder, expires_at: p.until })
    .onConflict((conflict) =>
      conflict
        .column('name')
        .doUpdateSet({ holder: p.holder, expires_at: p.until })
        .where((eb) => eb.or([eb('leases.holder', '=', p.holder), eb('leases.expires_at', '<=', p.now)])),
    ),
);

const drop = query((db, p: { name: string; holder: string }) =>
  db.deleteFrom('leases').where('name', '=', p.name).where('holder', '=', p.holder),
);

export function createLeases({ db, now }: Context): Leases {
  return {
    async acquire(name, holder, ttlMs) {
      const at = now();
      return (await db.write(() => run(take, { name, holder, until: at + ttlMs, now: at }))) > 0;
    },
    async release(name, holder) {
      await db.write(() => run(drop, { name, holder }));
    },
  };
}
