/** `/approvals`: the one inbox of questions to a person, and their answers. */
import { z } from 'zod';
import { CHOICES } from '../../core/question.ts';
import { approvalJson } from '../approval-json.ts';
import { decideApproval, noSuchApproval } from '../decide.ts';
import { notBuilt } from '../failure.ts';
import { cursor, id } from '../fields.ts';
import { ok, type Route, route } from '../route.ts';
import * as answer from '../schemas.ts';

const PAGE = 100;

const list = route({
  method: 'GET',
  path: '/approvals',
  scope: 'read',
  summary: 'Questions to a person, oldest first, 100 a page.',
  query: z.strictObject({
    state: z.enum(['open', 'decided'], 'must be one of: open, decided').optional(),
    turn: z.string().max(200).optional(),
    cursor: cursor.optional(),
  }),
  answers: { 200: { description: 'a page of approvals', schema: answer.page(answer.approval) } },
  handle: async ({ deps, query }) => {
    const page = await deps.store.questions.list({
      ...(query.state === undefined ? {} : { state: query.state }),
      ...(query.turn === undefined ? {} : { turnId: query.turn }),
      ...(query.cursor === undefined ? {} : { cursor: query.cursor }),
      limit: PAGE,
    });
    const items = page.items.map((row) => approvalJson(row, deps.render));
    return ok({ items, ...(page.next === undefined ? {} : { next: page.next }) });
  },
});

const show = route({
  method: 'GET',
  path: '/approvals/:approvalId',
  scope: 'read',
  summary: 'One question: exactly what would run, and what an answer may say.',
  answers: { 200: { description: 'the approval', schema: answer.approval } },
  handle: async ({ deps, params }) => {
    const row = await deps.store.questions.get(params.approvalId ?? '');
    if (!row) throw noSuchApproval();
    return ok(approvalJson(row, deps.render));
  },
});

const ALL_CHOICES = [...new Set(Object.values(CHOICES).flat())] as [string, ...string[]];

const decisionBody = z.strictObject({
  argumentHash: z.string('must be the argumentHash that was shown').max(200).describe('of the call as it was shown'),
  choice: z.enum(ALL_CHOICES, `must be one of: ${ALL_CHOICES.join(', ')}`).describe(
    Object.entries(CHOICES)
      .map(([kind, choices]) => `${kind}: ${choices.join(', ')}`)
      .join('; '),
  ),
  decisionId: id('the same id again gets the first outcome').optional(),
  note: z.string('must be a text').optional().describe('reaches the model; at most 4 KiB'),
  arguments: z.record(z.string(), z.unknown(), 'must be an object').optional().describe('edit: all the new arguments'),
  text: z.string('must be a text').optional().describe('replace, answer: at most 65,536 bytes'),
  remember: z.unknown().optional().describe('not built yet: leave it out'),
});

const decide = route({
  method: 'POST',
  path: '/approvals/:approvalId/decision',
  scope: 'approve',
  summary: 'Answer a question. The first valid answer counts.',
  body: decisionBody,
  answers: {
    200: {
      description: 'the turn has taken this answer',
      schema: z.object({ state: z.literal('accepted'), decisionId: z.string() }),
    },
    202: {
      description: 'stored and sent; it is taken as soon as a worker is there',
      schema: z.object({ state: z.literal('queued'), decisionId: z.string() }),
    },
    409: {
      description: 'somebody was first',
      schema: z.object({
        state: z.literal('already_decided'),
        by: z.string(),
        at: z.string(),
        ...answer.failure.shape,
      }),
    },
    410: {
      description: 'nobody answered in time, or the question was withdrawn',
      schema: z.object({ state: z.enum(['expired', 'withdrawn']), ...answer.failure.shape }),
    },
  },
  handle: async ({ deps, params, body, who, surface }) => {
    const { remember, ...given } = body;
    if (remember !== undefined && remember !== null) {
      throw notBuilt('`remember`', 'Leave it out: the answer is then for this one call.');
    }
    const request = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
    const decided = await decideApproval(deps, params.approvalId ?? '', request as never, { by: who.name, surface });
    return { status: decided.status, body: decided.outcome };
  },
});

export const approvalRoutes: Route[] = [list, show, decide];
