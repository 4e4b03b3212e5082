/** Small facts of the deployment by name: the namespace's id, the last check. */
import type { Meta } from './api.ts';
import type { Context } from './context.ts';
import { first, run, type Tx } from './database.ts';
import { query } from './query.ts';

const upsert = query((db, p: { key: string; value: string }) =>
  db
    .insertInto('meta')
    .values({ key: p.key, value: p.value })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value: p.value })),
);

const select = query((db, p: { key: string }) => db.selectFrom('meta').select('value').where('key', '=', p.key));

export function* getMeta(key: string): Tx<string | undefined> {
  return (yield* first(select, { key }))?.value;
}

export function* setMeta(key: string, value: string): Tx<void> {
  yield* run(upsert, { key, value });
}

export function createMeta({ db }: Context): Meta {
  return {
    get: (key) => db.read(() => getMeta(key)),
    set: (key, value) => db.write(() => setMeta(key, value)),
  };
}
