/** A store on a real file in a folder of its own, and the few moves that most tests of it begin with. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Entry } from '../../core/transcript.ts';
import type { NewTurn, Store } from '../../store/api.ts';
import { openStore, type StoreOptions } from '../../store/open.ts';
import { assistant, callRow, closeInput, keysOf, newTurn, openInput, T0 } from './store-data.ts';

export * from './store-data.ts';

export function tempFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'ev-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export function tempFile(): string {
  return join(tempFolder(), 'everturn.db');
}

/** Closed when the test is over. */
export async function openTestStore(path = tempFile(), options: Partial<StoreOptions> = {}): Promise<Store> {
  const store = await openStore({ url: `sqlite:${path}`, keys: keysOf(1), ...options });
  onTestFinished(() => store.close());
  return store;
}

/** Enqueued and begun; answers the head. */
export async function begunTurn(store: Store, turnId: string, more: Partial<NewTurn> = {}): Promise<string> {
  await store.turns.enqueue(newTurn(turnId, more));
  const begun = await store.turns.begin({ turnId, executionHash: 'execution', at: T0 });
  if (begun.kind !== 'begun') throw new Error(`the turn did not begin: ${begun.kind}`);
  return begun.head;
}

/** One whole step with calls to these tools; answers the head. */
export async function doneStep(
  store: Store,
  turnId: string,
  step: number,
  more: { head: string; tools?: string[]; entries?: Entry[] },
) {
  const tools = more.tools ?? [];
  const opened = await store.transcript.openStep(openInput(turnId, step, more.head, more.entries));
  if (opened.kind !== 'open') throw new Error(`the step did not open: ${opened.kind}`);
  const rows = tools.map((tool, slot) => callRow(step, slot, tool));
  const closed = await store.transcript.closeStep({
    ...closeInput(turnId, step, opened.head, assistant(step, tools)),
    calls: rows,
  });
  if (closed.kind !== 'stored') throw new Error(`the step was not stored: ${closed.kind}`);
  return closed.head;
}
