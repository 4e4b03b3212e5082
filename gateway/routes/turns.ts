/** `/turns`: start, list, look, and the texts of one turn. */
import { z } from 'zod';
import type { Store, TurnRow } from '../../store/api.ts';
import { ApiFailure, noSuchTurn, notBuilt } from '../failure.ts';
import { cursor, message, sessionId, statusList } from '../fields.ts';
import { ok, type Route, route } from '../route.ts';
import * as answer from '../schemas.ts';
import { startTurn } from '../start-turn.ts';
import { transcriptJson } from '../transcript-json.ts';
import { listedTurnJson, turnJson } from '../turn-json.ts';

const startBody = z.strictObject({
  agent: z.string('must be a text').min(1, 'must not be empty').max(200).optional(),
  text: message,
  session: sessionId.optional(),
  allowedTools: z
    .array(z.string().min(1, 'must not be empty').max(200), 'must be a list of tool names')
    .max(1_000)
    .optional()
    .describe('narrows the agent’s tools further; [] means none'),
  approvals: z.enum(['ask', 'park', 'deny'], 'must be one of: ask, park, deny').optional(),
  attachments: z.array(z.unknown()).optional().describe('not built yet: leave it out'),
});

const KEY = /^[\x21-\x7e]{1,255}$/;

const start = route({
  method: 'POST',
  path: '/turns',
  scope: 'operate',
  summary: 'Start a turn. It is durable as soon as this answers, also while Temporal is away.',
  headers: { 'Idempotency-Key': 'the same key with the same content gives the same turn' },
  body: startBody,
  answers: {
    201: {
      description: 'the turn is queued or running',
      schema: z.object({ turnId: z.string(), workflowId: z.string(), steered: z.literal(true).optional() }),
    },
  },
  handle: async ({ deps, body, who, surface, header }) => {
    const { attachments, ...content } = body;
    if (attachments?.length)
      throw notBuilt('`attachments`', 'Put the file into the workspace and name it in the text.');
    const key = header('idempotency-key');
    if (key !== undefined && !KEY.test(key)) throw badKey();
    const started = await startTurn(deps, {
      ...withoutUndefined(content),
      origin: { surface, by: who.name },
      ...(key === undefined ? {} : { idempotencyKey: key }),
    });
    return { status: 201, body: started };
  },
});

const list = route({
  method: 'GET',
  path: '/turns',
  scope: 'read',
  summary: 'Turns, newest first; long texts cut, the last 100 slots of each.',
  query: z.strictObject({
    status: statusList.optional(),
    agent: z.string().max(200).optional(),
    session: z.string().max(200).optional(),
    q: z.string().max(500).optional().describe('part of the first message or the answer'),
    cursor: cursor.optional(),
  }),
  answers: { 200: { description: 'a page of turns', schema: answer.page(answer.turn) } },
  handle: async ({ deps, query }) => {
    const page = await deps.store.turns.list({ ...withoutUndefined(query), limit: 50 });
    const items = await Promise.all(page.items.map((row) => listedTurnJson(deps.store, deps.render, row)));
    return ok({ items, ...(page.next === undefined ? {} : { next: page.next }) });
  },
});

const show = route({
  method: 'GET',
  path: '/turns/:turnId',
  scope: 'read',
  summary: 'One turn with its slots.',
  answers: { 200: { description: 'the turn', schema: answer.turn } },
  handle: async ({ deps, params }) => ok(await turnJson(deps.store, deps.render, await turnOf(deps.store, params))),
});

const transcript = route({
  method: 'GET',
  path: '/turns/:turnId/transcript',
  scope: 'read',
  summary: 'What the model was told and said in this turn.',
  answers: { 200: { description: 'the messages of this turn', schema: answer.transcript } },
  handle: async ({ deps, params }) => {
    const { turnId } = await turnOf(deps.store, params);
    const { entries, head } = await deps.store.transcript.ofTurn(turnId);
    return ok({ messages: transcriptJson(entries, deps.render), head });
  },
});

const result = route({
  method: 'GET',
  path: '/turns/:turnId/results/:callId',
  scope: 'read',
  summary: 'The whole stored result of one call.',
  answers: { 200: { description: 'the result', schema: answer.callResult } },
  handle: async ({ deps, params }) => {
    const { turnId } = await turnOf(deps.store, params);
    const callId = params.callId ?? '';
    const stored = await deps.store.results.get(turnId, callId);
    if (!stored) throw noSuchResult();
    const { ref: _ref, preview: _preview, ...facts } = stored.result;
    return ok({ callId, ...facts, text: deps.render.text(stored.text) });
  },
});

/** @throws ApiFailure 404 */
export async function turnOf(store: Store, params: Record<string, string>): Promise<TurnRow> {
  const turnId = params.turnId ?? '';
  const row = await store.turns.get(turnId);
  if (!row) throw noSuchTurn(turnId);
  return row;
}

type Defined<T> = { [K in keyof T]: Exclude<T[K], undefined> };

/** Optional fields are absent, never undefined, from here on. */
function withoutUndefined<T extends object>(value: T): Defined<T> {
  return Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined)) as Defined<T>;
}

const noSuchResult = () =>
  new ApiFailure(404, 'result_not_found', {
    message: 'There is no result of such a call in this turn (yet).',
    hint: 'The slots of the turn (GET /api/v1/turns/ID) name its calls and how they stand.',
  });

const badKey = () =>
  new ApiFailure(400, 'invalid_request', {
    message: 'The header Idempotency-Key is not valid.',
    hint: 'Use 1 to 255 printable ASCII characters without blanks, for example a UUID.',
  });

export const turnRoutes: Route[] = [start, list, show, transcript, result];
