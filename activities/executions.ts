/** Executions by hash: immutable, so a worker reads each once. */
import type { Execution } from '../core/execution.ts';
import type { Store } from '../store/api.ts';
import { storeBehind } from './store-behind.ts';

const KEPT = 256;

export type ExecutionCache = (hash: string) => Promise<Execution>;

export function executionCache(store: Store): ExecutionCache {
  const known = new Map<string, Execution>();
  return async (hash) => {
    const cached = known.get(hash);
    if (cached) return cached;
    const execution = await store.executions.get(hash);
    if (!execution) {
      throw storeBehind(`Execution ${hash.slice(0, 12)}`);
    }
    if (known.size >= KEPT) known.delete(known.keys().next().value as string);
    known.set(hash, execution);
    return execution;
  };
}
