/**
 * The seam between what the store means and the database that keeps it.
 *
 * A transaction is a generator that yields what it needs of the database and nothing else, so it cannot wait for
 * anything outside. SQLite runs it in one go without leaving the thread; a driver that must wait for each answer can.
 * A body may be run more than once (the database was busy), so it changes nothing outside itself before it returns.
 */
import type { Query } from './query.ts';

export type Operation =
  | { op: 'all' | 'first' | 'run'; query: Query<never, unknown>; parameters: unknown }
  /** After the commit, whoever watches this turn is woken. */
  | { op: 'wake'; turnId: string }
  /** Nobody else may change this turn's row or the control rows until the commit (a shared row lock where there are row locks). */
  | { op: 'hold'; turnId: string };

export type Tx<T> = Generator<Operation, T, unknown>;

export interface Database {
  /** One consistent view. */
  read<T>(body: () => Tx<T>): Promise<T>;
  /** One transaction, alone. `durable`: on the disk before it is answered. */
  write<T>(body: () => Tx<T>, how?: { durable?: boolean }): Promise<T>;
  wakes: Wakes;
  close(): Promise<void>;
}

export interface Wakes {
  subscribe(turnId: string, wake: () => void): () => void;
  subscribeAll(wake: (turnId: string) => void): () => void;
}

export function* all<P, O>(query: Query<P, O>, parameters: P): Tx<O[]> {
  return (yield { op: 'all', query, parameters }) as O[];
}

export function* first<P, O>(query: Query<P, O>, parameters: P): Tx<O | undefined> {
  return (yield { op: 'first', query, parameters }) as O | undefined;
}

/** The number of rows that were changed. */
export function* run<P, O>(query: Query<P, O>, parameters: P): Tx<number> {
  return (yield { op: 'run', query, parameters }) as number;
}

export function* wake(turnId: string): Tx<void> {
  yield { op: 'wake', turnId };
}

export function* hold(turnId: string): Tx<void> {
  yield { op: 'hold', turnId };
}
