/** `/health`: whether this process can serve. The one call without a token, so it tells nothing else. */
import { z } from 'zod';
import { ApiFailure } from '../failure.ts';
import { ok, type Route, route } from '../route.ts';

const health = route({
  method: 'GET',
  path: '/health',
  scope: 'none',
  summary: 'Whether the gateway and its store work.',
  answers: {
    200: { description: 'it serves', schema: z.object({ status: z.literal('ok'), service: z.literal('everturn') }) },
  },
  handle: async ({ deps }) => {
    try {
      await deps.store.check();
    } catch {
      throw new ApiFailure(503, 'store_unavailable', {
        message: 'The store cannot be written.',
        hint: 'See the log of the gateway; check that the disk is not full and the data folder is writable.',
      });
    }
    return ok({ status: 'ok', service: 'everturn' });
  },
});

export const healthRoutes: Route[] = [health];
