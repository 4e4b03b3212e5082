/** A call whose intent is in the ledger: it may have its effect from now on. */
import type { Execution } from '../../core/execution.ts';
import type { CallKey, CallRow } from '../../store/api.ts';

export type Begun = {
  execution: Execution;
  call: CallRow;
  key: CallKey & { attempt: number };
  approved: boolean;
  signal: AbortSignal;
};
