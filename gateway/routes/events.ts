/** `/turns/:turnId/events`: live as server-sent events, or a page of them. */
import { z } from 'zod';
import type { TurnEvent } from '../../core/events.ts';
import type { Json } from '../../core/json.ts';
import { ApiFailure } from '../failure.ts';
import { eventNumber } from '../fields.ts';
import type { Renderer } from '../ports.ts';
import { ok, type Route, route } from '../route.ts';
import * as answer from '../schemas.ts';
import { streamEvents } from '../sse.ts';
import { followTurn } from '../tail.ts';
import { turnOf } from './turns.ts';

const PAGE = 500;

const events = route({
  method: 'GET',
  path: '/turns/:turnId/events',
  scope: 'read',
  summary: 'Events of a turn after a number. With "Accept: text/event-stream" it stays open until `turn_ended`.',
  headers: { 'Last-Event-ID': 'go on after this number (streams); counts more than `after`' },
  query: z.strictObject({ after: eventNumber.optional().describe('default 0: from the beginning') }),
  answers: {
    200: {
      description: 'a page of events and the number to ask on from, or a stream of them',
      schema: z.object({ items: z.array(answer.event), next: z.number().int() }),
      stream: true,
    },
  },
  handle: async ({ deps, params, query, header, method, signal }) => {
    const { turnId } = await turnOf(deps.store, params);
    const after = lastSeen(header('last-event-id')) ?? query.after ?? 0;
    const render = (event: TurnEvent) => eventJson(event, deps.render);
    // HEAD has no body, so nobody would ever close the stream.
    if (method === 'GET' && /\btext\/event-stream\b/i.test(header('accept') ?? '')) {
      const tail = followTurn(deps.store, turnId, after);
      return streamEvents({ tail, render, heartbeatMs: deps.heartbeatMs, signal });
    }
    const items = await deps.store.events.after(turnId, after, PAGE);
    return ok({ items: items.map(render), next: items.at(-1)?.number ?? after });
  },
});

function lastSeen(header: string | undefined): number | undefined {
  if (header === undefined || header === '') return undefined;
  if (/^\d{1,15}$/.test(header)) return Number(header);
  throw new ApiFailure(400, 'invalid_request', {
    message: 'The header Last-Event-ID is not the number of an event.',
    hint: 'Send the `id` of the last event that you have, or leave the header out.',
  });
}

/**
 * Deltas are scrubbed as a stream when they are written: scrubbing the pieces once more could cut them otherwise than
 * the recorded answer (C10.5), so they go out as they are.
 */
export function eventJson(event: TurnEvent, render: Renderer): unknown {
  if (event.type === 'text_delta' || event.type === 'thinking_delta') return event;
  return render.json(event as unknown as Json);
}

export const eventRoutes: Route[] = [events];
