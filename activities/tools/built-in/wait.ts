/** `wait`: a durable timer. The workflow carries it out; a worker may come and go meanwhile. */
import { z } from 'zod';
import type { JsonObject } from '../../../core/json.ts';
import type { Tool } from '../types.ts';
import { carriedOutElsewhere } from './carried-out-elsewhere.ts';
import { native } from './native.ts';

const LONGEST_S = 30 * 24 * 3600;

export function wait(): Tool {
  return native(
    {
      name: 'wait',
      description:
        'Waits for a number of seconds before going on, up to 30 days. The wait is durable: it outlives restarts and costs nothing meanwhile. Use it to look at something again later.',
      parameters: z.strictObject({
        seconds: z.number().min(0).max(LONGEST_S).describe(`How long to wait, in seconds (0 to ${LONGEST_S})`),
      }),
      effect: 'none',
      execute: carriedOutElsewhere,
    },
    'wait',
  );
}

/** Milliseconds that a checked call of `wait` asks for. */
export function waitMsOf(args: JsonObject): number {
  const seconds = typeof args.seconds === 'number' ? args.seconds : 0;
  return Math.round(Math.min(Math.max(seconds, 0), LONGEST_S) * 1000);
}
