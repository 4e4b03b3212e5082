/**
 * The audit log (C5.10): append-only, each row's hash over the one before and its own content. The newest hash is sealed
 * with the deployment key, so that a chain that was cut short or written anew is noticed too.
 */
import { canonicalJson, type JsonObject } from '../core/json.ts';
import type { Audit } from './api.ts';
import { refOf } from './blobs.ts';
import type { Context } from './context.ts';
import { all, first, run, type Tx } from './database.ts';
import { getMeta, setMeta } from './meta.ts';
import { plainJson } from './plain.ts';
import { query } from './query.ts';
import type { Sealer } from './seals.ts';

const HEAD = 'audit_head';
const SEAL = 'audit';
const PAGE = 1000;

const newest = query((db, _: Record<never, never>) =>
  db.selectFrom('audit').select(['seq', 'hash']).orderBy('seq', 'desc').limit(1),
);
const insert = query((db, p: { seq: number; kind: string; body: string; at: number; hash: string }) =>
  db.insertInto('audit').values({ seq: p.seq, kind: p.kind, body: p.body, at: p.at, hash: p.hash }),
);
const page = query((db, p: { after: number; limit: number }) =>
  db.selectFrom('audit').selectAll().where('seq', '>', p.after).orderBy('seq').limit(p.limit),
);

export type AuditRecord = { kind: string; body: JsonObject; at: number };

function linked(previous: string, row: { seq: number; kind: string; body: string; at: number }): string {
  return refOf(canonicalJson([previous, row.seq, row.kind, row.at, row.body]));
}

/** Within a transaction. Members of the body that are undefined are left out. */
export function* auditTx(sealer: Sealer, record: AuditRecord): Tx<void> {
  const last = yield* first(newest, {});
  const body = plainJson(record.body);
  const row = { seq: (last?.seq ?? 0) + 1, kind: record.kind, body, at: record.at };
  const hash = linked(last?.hash ?? '', row);
  yield* run(insert, { ...row, hash });
  const seal = sealer.sign(SEAL, `${row.seq} ${hash}`);
  yield* setMeta(HEAD, `${row.seq} ${hash} ${seal.keyId} ${seal.signature}`);
}

export function createAudit({ db, sealer }: Context): Audit {
  return {
    append: (kind, body, at) => db.write(() => auditTx(sealer, { kind, body, at })),
    async list(after, limit) {
      const rows = await db.read(() => all(page, { after, limit: Math.min(limit, PAGE) }));
      return rows.map((row) => ({ ...row, body: JSON.parse(row.body) as JsonObject }));
    },
    async verify() {
      // The head first: what is appended meanwhile is checked as part of the chain only.
      const head = await db.read(() => getMeta(HEAD));
      const [seq = '0', hash = '', keyId = '', signature = ''] = (head ?? '').split(' ');
      let last = { seq: 0, hash: '' };
      let sealed = head === undefined;
      for (;;) {
        const rows = await db.read(() => all(page, { after: last.seq, limit: PAGE }));
        for (const row of rows) {
          if (row.seq !== last.seq + 1 || row.hash !== linked(last.hash, row)) return { ok: false, at: last.seq + 1 };
          last = row;
          if (String(row.seq) === seq)
            sealed = row.hash === hash && sealer.verify(SEAL, `${seq} ${hash}`, { keyId, signature });
        }
        if (rows.length < PAGE) break;
      }
      if (head === undefined && last.seq > 0) return { ok: false, at: last.seq };
      return sealed ? { ok: true, count: last.seq } : { ok: false, at: Number(seq) };
    },
  };
}
