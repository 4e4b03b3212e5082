/** One SQLite connection: pragmas, prepared statements, and running a transaction body on it in one go. */
import Sqlite from 'better-sqlite3';
import { DummyDriver, Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely';
import type { Operation, Tx } from '../database.ts';
import { type Builder, type CompiledQuery, compile, type Query } from '../query.ts';
import type { Schema } from '../schema.ts';

/** Longer waits block the event loop; the caller tries again instead. */
const BUSY_TIMEOUT_MS = 100;

/** Builds SQLite's SQL; it never runs anything itself. */
export const sqliteBuilder: Builder = new Kysely<Schema>({
  dialect: {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  },
});

export interface Connection {
  raw: Sqlite.Database;
  /** BEGIN IMMEDIATE (or a plain BEGIN to read), the body, COMMIT; adds to `woken` the turns the body named. */
  transact<T>(mode: 'read' | 'write', body: Tx<T>, woken: Set<string>): T;
  close(): void;
}

type Prepared = { statement: Sqlite.Statement; values: CompiledQuery['values'] };

export function openConnection(path: string, synchronous: 'NORMAL' | 'FULL'): Connection {
  const raw = new Sqlite(path, { timeout: BUSY_TIMEOUT_MS });
  raw.pragma('journal_mode = WAL');
  raw.pragma(`synchronous = ${synchronous}`);
  raw.pragma('cache_size = -16000');
  raw.pragma('temp_store = MEMORY');
  raw.pragma('journal_size_limit = 67108864');
  const perform = createPerformer(raw);
  const begin = { read: raw.prepare('BEGIN'), write: raw.prepare('BEGIN IMMEDIATE') };
  const commit = raw.prepare('COMMIT');
  let unclean = false;

  function rollback(): void {
    if (raw.open && raw.inTransaction) raw.exec('ROLLBACK');
    unclean = false;
  }

  return {
    raw,
    transact(mode, body, woken) {
      // After an error of the disk even the rollback may have failed.
      if (unclean) rollback();
      begin[mode].run();
      try {
        let step = body.next();
        while (!step.done) step = body.next(perform(step.value, woken));
        commit.run();
        return step.value;
      } catch (error) {
        unclean = true;
        rollback();
        throw error;
      }
    },
    close: () => void raw.close(),
  };
}

/** Each query is compiled and prepared once for a connection. */
function createPerformer(raw: Sqlite.Database) {
  const statements = new WeakMap<Query<never, unknown>, Prepared>();

  function prepared(query: Query<never, unknown>): Prepared {
    let found = statements.get(query);
    if (!found) {
      const { sql, values } = compile(sqliteBuilder, query as Query<unknown, unknown>);
      found = { statement: raw.prepare(sql), values };
      statements.set(query, found);
    }
    return found;
  }

  return (operation: Operation, woken: Set<string>): unknown => {
    if (operation.op === 'wake') return woken.add(operation.turnId);
    // The whole database is held by BEGIN IMMEDIATE.
    if (operation.op === 'hold') return undefined;
    const { statement, values } = prepared(operation.query);
    const bound = values(operation.parameters as Record<string, unknown>);
    if (operation.op === 'all') return statement.all(bound);
    return operation.op === 'first' ? statement.get(bound) : statement.run(bound).changes;
  };
}
