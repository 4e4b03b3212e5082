/** What the reconciler needs, and what it offers to the rest of the gateway. */
import type { TemporalDesk } from '../../client/temporal.ts';
import type { Store } from '../../store/api.ts';
import type { Messenger } from '../messenger.ts';
import type { Log, Renderer } from '../ports.ts';

export type ReconcilerDeps = {
  store: Store;
  desk: TemporalDesk;
  messenger: Messenger;
  render: Renderer;
  now(): number;
  newId(): string;
  log: Log;
  /** Names this process in the lease. */
  holder: string;
  everyMs?: number;
};

export type ReconcilerStatus = { leader: boolean; lastRunAt: number | undefined; held: string | undefined };

export type Reconciler = {
  /** Runs at once, then every 10 s. */
  start(): void;
  /** Waits for a run under way and gives the lease back. */
  stop(): Promise<void>;
  /** One round; nothing when another process leads. Never throws. */
  run(): Promise<void>;
  /** Looks at one turn now: `ended` when its row has ended by now, `held` when nothing may be ended. */
  turn(turnId: string): Promise<'ended' | 'open' | 'held'>;
  status(): ReconcilerStatus;
};
