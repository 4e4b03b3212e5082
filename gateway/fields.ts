/** Fields of requests: what they may hold, in words that stand after the name of the field. */
import { z } from 'zod';
import { OPEN_STATUSES, type TurnStatus } from '../core/outcome.ts';

const ENDED: readonly TurnStatus[] = ['completed', 'failed', 'cancelled'];
const STATUSES = new Set<string>([...OPEN_STATUSES, ...ENDED]);

export const message = z
  .string('must be a text')
  .refine((text) => text.trim() !== '', 'must not be empty')
  .describe('what to tell the agent');

export const id = (what: string) =>
  z
    .string('must be a text')
    .regex(/^[A-Za-z0-9_-]{1,100}$/, 'must be 1 to 100 letters, digits, - or _')
    .describe(what);

export const sessionId = z
  .string('must be a text')
  .regex(/^[A-Za-z0-9._:@+-]{1,128}$/, 'must be 1 to 128 characters of A-Z a-z 0-9 . _ : @ + -')
  .describe('turns of one session run one at a time and share a transcript');

export const reason = z
  .string('must be a text')
  .max(500, 'must be at most 500 characters')
  .describe('why, for whoever looks later');

/** A list in one query parameter: `running,paused`, or `open`. */
export const statusList = z
  .string()
  .transform((text) => text.split(','))
  .refine((names) => names.every((name) => name === 'open' || STATUSES.has(name)), {
    error: `must be a list of: open, ${[...STATUSES].join(', ')}`,
  })
  .transform((names) => names.flatMap((name) => (name === 'open' ? OPEN_STATUSES : [name as TurnStatus])))
  .describe('comma-separated; `open` stands for all that have not ended');

export const eventNumber = z
  .string()
  .regex(/^\d{1,15}$/, 'must be a number from 0')
  .transform(Number);

export const cursor = z.string().min(1, 'must not be empty').max(500).describe('`next` of the page before');
