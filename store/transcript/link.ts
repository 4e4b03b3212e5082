/** One entry in its place, and transcripts as they are asked for. */
import type { Entry } from '../../core/transcript.ts';
import type { Tx } from '../database.ts';

export type Link = { n: number; parentHead: string; head: string; entry: Entry };

export interface Chains {
  /** All entries up to a head. undefined: the turn or the head is not there. */
  upTo(turnId: string, head: string): Tx<Entry[] | undefined>;
  /** After a commit: what was appended need not be read again. */
  extend(turnId: string, links: readonly Link[]): void;
}
