/** Tokens of the API. The token itself is told once; the database holds its hash, so a lookup reveals nothing by its time. */
import { randomBytes } from 'node:crypto';
import { ulid } from 'ulid';
import type { Scope, Tokens } from './api.ts';
import { auditTx } from './audit.ts';
import { refOf } from './blobs.ts';
import type { Context } from './context.ts';
import { all, first, run } from './database.ts';
import { query } from './query.ts';

const insert = query((db, p: { id: string; name: string; scopes: string; hash: string; at: number }) =>
  db
    .insertInto('tokens')
    .values({ id: p.id, name: p.name, scopes: p.scopes, hash: p.hash, created_at: p.at, revoked_at: null }),
);
const listAll = query((db, _: Record<never, never>) => db.selectFrom('tokens').selectAll().orderBy('id'));
const byHash = query((db, p: { hash: string }) =>
  db.selectFrom('tokens').select(['id', 'name', 'scopes']).where('hash', '=', p.hash).where('revoked_at', 'is', null),
);
const markRevoked = query((db, p: { id: string; at: number }) =>
  db.updateTable('tokens').set({ revoked_at: p.at }).where('id', '=', p.id).where('revoked_at', 'is', null),
);

export function createTokens({ db, sealer }: Context): Tokens {
  return {
    async create({ name, scopes, at }) {
      const token = `evt_${randomBytes(32).toString('base64url')}`;
      const id = ulid(at);
      await db.write(function* () {
        yield* run(insert, { id, name, scopes: JSON.stringify(scopes), hash: refOf(token), at });
        yield* auditTx(sealer, { kind: 'token_created', body: { id, name, scopes }, at });
      });
      return { id, token };
    },
    async list() {
      const rows = await db.read(() => all(listAll, {}));
      return rows.map((row) => ({
        id: row.id,
        name: row.name,
        scopes: JSON.parse(row.scopes) as Scope[],
        createdAt: row.created_at,
        revokedAt: row.revoked_at ?? undefined,
      }));
    },
    revoke: (id, at) =>
      db.write(function* () {
        const revoked = (yield* run(markRevoked, { id, at })) > 0;
        if (revoked) yield* auditTx(sealer, { kind: 'token_revoked', body: { id }, at });
        return revoked;
      }),
    async verify(token) {
      const row = await db.read(() => first(byHash, { hash: refOf(token) }));
      return row && { id: row.id, name: row.name, scopes: JSON.parse(row.scopes) as Scope[] };
    },
  };
}
