/** Executions by content hash, sealed (C2.1). A few are kept in memory, verified once. */

import type { Execution } from '../core/execution.ts';
import type { Executions } from './api.ts';
import { refOf } from './blobs.ts';
import type { Context } from './context.ts';
import { first, run } from './database.ts';
import { SealBroken } from './errors.ts';
import { plainJson } from './plain.ts';
import { query } from './query.ts';

const KEPT = 32;
const SEAL = 'execution';

const upsert = query((db, p: { hash: string; body: string; keyId: string; signature: string; at: number }) =>
  db
    .insertInto('executions')
    .values({ hash: p.hash, body: p.body, key_id: p.keyId, signature: p.signature, at: p.at })
    // The content is what the hash says, so that writing it again can only repair the row.
    .onConflict((conflict) =>
      conflict.column('hash').doUpdateSet({ body: p.body, key_id: p.keyId, signature: p.signature }),
    ),
);

const select = query((db, p: { hash: string }) => db.selectFrom('executions').selectAll().where('hash', '=', p.hash));

export function createExecutions({ db, sealer, now }: Context): Executions {
  const known = new Map<string, string>();

  function remember(hash: string, body: string): void {
    known.delete(hash);
    known.set(hash, body);
    const oldest = known.keys().next();
    if (known.size > KEPT && !oldest.done) known.delete(oldest.value);
  }

  return {
    async put(execution) {
      const body = plainJson(execution);
      const hash = refOf(body);
      if (known.has(hash)) return hash;
      const seal = sealer.sign(SEAL, body);
      await db.write(() => run(upsert, { hash, body, ...seal, at: now() }));
      remember(hash, body);
      return hash;
    },
    async get(hash) {
      const kept = known.get(hash);
      if (kept !== undefined) return JSON.parse(kept) as Execution;
      const row = await db.read(() => first(select, { hash }));
      if (!row) return undefined;
      const seal = { keyId: row.key_id, signature: row.signature };
      if (refOf(row.body) !== hash || !sealer.verify(SEAL, row.body, seal)) throw new SealBroken(`execution ${hash}`);
      remember(hash, row.body);
      return JSON.parse(row.body) as Execution;
    },
  };
}
