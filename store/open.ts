/** Opens the store: picks the database by URL and puts the parts together. */
import { dirname, isAbsolute, join } from 'node:path';
import type { Store } from './api.ts';
import { createAudit } from './audit.ts';
import { createBlobs } from './blobs.ts';
import type { Context } from './context.ts';
import { createControl } from './control.ts';
import { StoreError, StoreUnavailable } from './errors.ts';
import { createEvents } from './events.ts';
import { createExecutions } from './executions.ts';
import { makeFolder } from './folders.ts';
import { createLeases } from './leases.ts';
import { createLedger } from './ledger/ledger.ts';
import { createMeta } from './meta.ts';
import { createQuestions } from './questions/questions.ts';
import { createResults } from './results.ts';
import { createSealer, type SealKeys } from './seals.ts';
import { createSessions } from './sessions.ts';
import { openSqlite } from './sqlite/database.ts';
import { createSteering } from './steering.ts';
import { createTokens } from './tokens.ts';
import { createChains } from './transcript/chains.ts';
import { createTranscript } from './transcript/transcript.ts';
import { createTurns } from './turns/turns.ts';

export type StoreOptions = {
  /** `sqlite:/absolute/path.db`. */
  url: string;
  keys: SealKeys;
  /** Where processes of one host tell each other of commits; default: `wake` beside the file. */
  wakeSocketDir?: string;
  /** How much of transcripts is kept in memory; default 64 MiB. */
  cacheBytes?: number;
  /** Milliseconds since the epoch; for tests. */
  now?: () => number;
  /** Scrubs text of events that the store words itself (first message, steering, answer). */
  render?: (text: string) => string;
};

/** Errors: `StoreNewer`, `StoreForeign`, `StoreNotBuilt`, `StoreUnavailable`. */
export async function openStore(options: StoreOptions): Promise<Store> {
  const path = pathOf(options.url);
  prepareFolder(path);
  const db = await openSqlite(path, options.wakeSocketDir ?? join(dirname(path), 'wake'));
  const context: Context = {
    db,
    sealer: createSealer(options.keys),
    now: options.now ?? Date.now,
    render: options.render ?? ((text) => text),
    chains: createChains(options.cacheBytes ?? 64 * 1024 * 1024),
  };
  const meta = createMeta(context);
  return {
    blobs: createBlobs(context),
    executions: createExecutions(context),
    turns: createTurns(context),
    transcript: createTranscript(context),
    events: createEvents(context),
    ledger: createLedger(context),
    results: createResults(context),
    questions: createQuestions(context),
    steering: createSteering(context),
    sessions: createSessions(context),
    control: createControl(context),
    audit: createAudit(context),
    tokens: createTokens(context),
    leases: createLeases(context),
    meta,
    check: () => meta.set('check', String(context.now())),
    close: () => db.close(),
  };
}

function pathOf(url: string): string {
  if (/^postgres(ql)?:/.test(url)) {
    throw new StoreError(
      'StoreNotBuilt',
      'PostgreSQL as the store is not built yet. Set `store.url` to `sqlite:` and the path of a file.',
    );
  }
  const path = url.startsWith('sqlite:') ? url.slice('sqlite:'.length) : '';
  if (!isAbsolute(path)) {
    throw new StoreError('StoreUnavailable', `\`store.url\` must be \`sqlite:\` and an absolute path; it is "${url}".`);
  }
  return path;
}

function prepareFolder(path: string): void {
  try {
    makeFolder(dirname(path), 0o700);
  } catch (cause) {
    const hint = 'Check that the folder above it exists and may be written, or set `store.url` to another place.';
    throw new StoreUnavailable(`The folder of the store, ${dirname(path)}, cannot be made. ${hint}`, { cause });
  }
}
