/** What every part of the store works with. */
import type { Database } from './database.ts';
import type { Sealer } from './seals.ts';
import type { Chains } from './transcript/link.ts';

export type Context = {
  db: Database;
  sealer: Sealer;
  now: () => number;
  /** Applied to texts of events that the store words itself. */
  render: (text: string) => string;
  chains: Chains;
};
