/** Brings a file to the newest schema, in one transaction, however many processes open it at once. */
import type Sqlite from 'better-sqlite3';
import { StoreError, StoreNewer } from '../errors.ts';
import { migrations } from '../migrations/all.ts';
import { sqliteBuilder } from './connection.ts';

export function migrate(raw: Sqlite.Database, path: string): void {
  const known = migrations.length;
  if (versionOf(raw, path) === known) return;
  raw.exec('BEGIN IMMEDIATE');
  try {
    // Read again under the lock: another process may have been first.
    const version = versionOf(raw, path);
    if (version > known) throw new StoreNewer(path, version, known);
    for (const statement of migrations.slice(version).flatMap((build) => build(sqliteBuilder.schema))) {
      raw.exec(statement.compile().sql);
    }
    raw.prepare('DELETE FROM schema_version').run();
    raw.prepare('INSERT INTO schema_version (version, at) VALUES (?, ?)').run(known, Date.now());
    raw.exec('COMMIT');
  } finally {
    if (raw.inTransaction) raw.exec('ROLLBACK');
  }
}

function versionOf(raw: Sqlite.Database, path: string): number {
  const tables = raw.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").pluck().all();
  if (tables.length === 0) return 0;
  if (!tables.includes('schema_version') || !tables.includes('turns')) {
    const hint = 'Nothing was changed. Point `store.url` to a file of its own.';
    throw new StoreError('StoreForeign', `The file ${path} is a database of another program. ${hint}`);
  }
  return raw.prepare('SELECT max(version) FROM schema_version').pluck().get() as number;
}
