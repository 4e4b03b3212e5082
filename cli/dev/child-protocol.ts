// What the supervisor and its processes say to each other over the pipe between them. A process ends when that
// pipe closes, so nothing outlives its supervisor.
import type { LoadOptions } from '../../config/load.ts';

/** Given to a process at its start. It loads the configuration itself, the same way. */
export type ChildOrder = {
  load: Pick<LoadOptions, 'path' | 'flags'>;
  /** The embedded server; undefined: as configured. */
  temporal?: { address: string; namespace: string };
  /** Worker: its name at Temporal; without one it loads everything and waits to be told. */
  identity?: string;
  /** Worker: the supervisor has seen to the search attributes. */
  attributesReady?: boolean;
  /** Gateway: 0 is any free one. */
  port?: number;
  logLevel: string;
};

export type FromChild =
  | { type: 'ready'; url?: string }
  | { type: 'beat' }
  | { type: 'failed'; message: string; hint?: string; exitCode: number };

export type ToChild = { type: 'drain' } | { type: 'go'; identity: string };

export const BEAT_MS = 500;
