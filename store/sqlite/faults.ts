/** SQLite's own errors in words that say what to do. What is not the database's fault is passed on as it is. */
import { StoreUnavailable } from '../errors.ts';

const ADVICE: [code: RegExp, what: string][] = [
  [/^SQLITE_FULL/, 'cannot grow: the disk is full. Free some space; it goes on by itself'],
  [/^SQLITE_READONLY/, 'is read-only. Give the user who runs Everturn the right to write the file and its folder'],
  [/^SQLITE_(CORRUPT|NOTADB)/, 'is damaged or is no SQLite file. Stop Everturn and restore it from a backup'],
  [/^SQLITE_CANTOPEN/, 'cannot be opened. Check that its folder exists and may be written'],
  [/^SQLITE_(BUSY|LOCKED)/, 'is locked by another program for too long. Close whatever holds it (a backup, an editor)'],
  [
    /^SQLITE_(IOERR|PROTOCOL|NOLFS)/,
    'cannot be read or written: the disk reports an error. Check the disk and its free space',
  ],
  [/^SQLITE_(NOMEM|AUTH|PERM)/, 'cannot be used by this process. Check memory and access rights'],
];

export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

export function isBusy(error: unknown): boolean {
  return /^SQLITE_(BUSY|LOCKED)/.test(codeOf(error));
}

export function translated(error: unknown, path: string): unknown {
  const code = codeOf(error);
  const known = ADVICE.find(([pattern]) => pattern.test(code));
  if (known) return new StoreUnavailable(`The store ${path} ${known[1]} (${code}).`, { cause: error });
  if (error instanceof TypeError && /database connection is not open/.test(error.message)) {
    return new StoreUnavailable(`The store ${path} has been closed by this process.`, { cause: error });
  }
  return error;
}
