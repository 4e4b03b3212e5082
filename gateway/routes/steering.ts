/** `/turns/:turnId/steer` and `/cancel`: what a person says to a running turn. */
import { z } from 'zod';
import { cancelTurn } from '../cancel.ts';
import { ApiFailure, noSuchTurn, turnHasEnded } from '../failure.ts';
import { id, message, reason } from '../fields.ts';
import { type Answer, type Route, route } from '../route.ts';
import { steerTurn } from '../steering.ts';
import { turnOf } from './turns.ts';

const steer = route({
  method: 'POST',
  path: '/turns/:turnId/steer',
  scope: 'operate',
  summary: 'A message into the running turn; the agent reads it before its next step.',
  body: z.strictObject({ text: message, id: id('the same id is taken once').optional() }),
  answers: {
    202: {
      description: '`accepted`: the turn has it; `queued`: stored, taken as soon as a worker is there',
      schema: z.object({ id: z.string(), state: z.enum(['accepted', 'queued', 'taken', 'handed_on']) }),
    },
  },
  handle: async ({ deps, params, body, who }): Promise<Answer> => {
    const { turnId } = await turnOf(deps.store, params);
    const steered = await steerTurn(deps, { turnId, id: body.id ?? deps.newId(), text: body.text, by: who.name });
    switch (steered.kind) {
      case 'steered':
        return { status: 202, body: steered.outcome };
      case 'full':
        throw inboxFull();
      case 'conflict':
        throw idUsed();
      case 'missing':
        throw noSuchTurn(turnId);
      case 'ended':
        throw turnHasEnded((await turnOf(deps.store, params)).status);
    }
  },
});

const cancel = route({
  method: 'POST',
  path: '/turns/:turnId/cancel',
  scope: 'operate',
  summary: 'End the turn now. What runs is told within a second; no further tool starts.',
  body: z.strictObject({ reason: reason.optional() }),
  answers: {
    202: {
      description: '`cancelling`: accepted, `turn_ended` follows; `cancelled`: it has ended already',
      schema: z.object({ state: z.enum(['cancelling', 'cancelled']) }),
    },
  },
  handle: async ({ deps, params, body, who }): Promise<Answer> => {
    const { turnId } = await turnOf(deps.store, params);
    const flag = { by: who.name, reason: body.reason ?? '', at: deps.now() };
    const cancelled = await cancelTurn(deps, turnId, flag);
    if (cancelled.kind === 'cancelled') return { status: 202, body: cancelled.outcome };
    if (cancelled.kind === 'missing') throw noSuchTurn(turnId);
    throw turnHasEnded((await turnOf(deps.store, params)).status);
  },
});

const inboxFull = () =>
  new ApiFailure(
    429,
    'queue_full',
    { message: 'The turn has 32 unread messages already.', hint: 'Wait until it has read some, or cancel it.' },
    { headers: { 'retry-after': '5' } },
  );

const idUsed = () =>
  new ApiFailure(409, 'steer_id_used', {
    message: 'This id was used for another message.',
    hint: 'Use a new id for a new message; the same id repeats the same message.',
  });

export const steeringRoutes: Route[] = [steer, cancel];
