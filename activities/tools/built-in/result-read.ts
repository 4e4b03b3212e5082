/** `result_read`: the part of a long result that was left out (C7.3). */
import { z } from 'zod';
import { cutBefore } from '../../../core/graphemes.ts';
import { ToolFault } from '../tool-fault.ts';
import type { Tool } from '../types.ts';
import { native } from './native.ts';

const DEFAULT_CHARS = 20_000;
const MOST_CHARS = 100_000;

export function resultRead(): Tool {
  return native({
    name: 'result_read',
    description:
      'Reads on in an earlier tool result that was too long to be shown whole. The line in that result that says how many characters were left out names the ref and the offset to use.',
    parameters: z.strictObject({
      ref: z.string().min(1).max(200).describe('The ref named in the shortened result'),
      offset: z.int().min(0).optional().describe('First character to read, counted from 0 (default 0)'),
      limit: z.int().min(1).max(MOST_CHARS).optional().describe(`How many characters (default ${DEFAULT_CHARS})`),
    }),
    effect: 'none',
    async execute({ ref, offset = 0, limit = DEFAULT_CHARS }, context) {
      const whole = await context.readResult(ref);
      if (whole === undefined) {
        throw new ToolFault(
          'there is no result with this ref in this conversation; copy the ref exactly from the shortened result',
        );
      }
      if (offset >= whole.length)
        throw new ToolFault(`the result has ${whole.length} characters; offset must be smaller`);
      const start = cutBefore(whole, offset);
      const nearEnd = cutBefore(whole, Math.min(whole.length, start + limit));
      // One grapheme may be longer than the limit; reading must go on all the same.
      const end = nearEnd > start ? nearEnd : Math.min(whole.length, start + limit);
      const rest = whole.length - end;
      const note = rest === 0 ? '' : `\n[characters ${start}–${end} of ${whole.length}; read on with offset ${end}]`;
      return `${whole.slice(start, end)}${note}`;
    },
  });
}
