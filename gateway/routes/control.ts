/** `/pause`, `/resume`, `/estop`, `/status`: the whole deployment at once (C8.10). */
import { z } from 'zod';
import type { Flag } from '../../store/api.ts';
import type { GatewayDeps } from '../deps.ts';
import { reason } from '../fields.ts';
import { eachOf } from '../messenger.ts';
import { ok, type Route, route } from '../route.ts';
import * as answer from '../schemas.ts';
import { statusJson } from '../status.ts';
import { iso } from '../turn-json.ts';

const body = z.strictObject({ reason: reason.optional() });
const AT_ONCE = 8;

const flagOf = (deps: GatewayDeps, by: string, why: string | undefined): Flag => ({
  by,
  reason: why ?? '',
  at: deps.now(),
});

const pause = route({
  method: 'POST',
  path: '/pause',
  scope: 'operate',
  summary: 'Running calls end, the next step of every turn waits for `resume`.',
  body,
  answers: { 200: { description: 'the flag stands, and open turns are being told', schema: answer.held } },
  handle: async ({ deps, body, who }) => {
    const flag = flagOf(deps, who.name, body.reason);
    await deps.store.control.pause(flag);
    inBackground(deps, tellAll(deps, 'paused', flag));
    return ok({ by: flag.by, reason: flag.reason, at: iso(flag.at) });
  },
});

// Stopping is for whoever operates; letting everything run again is not.
const resume = route({
  method: 'POST',
  path: '/resume',
  scope: 'admin',
  summary: 'Lifts pause and emergency stop.',
  body,
  answers: { 200: { description: 'nothing is held any more', schema: z.object({ state: z.literal('running') }) } },
  handle: async ({ deps, body, who }) => {
    const flag = flagOf(deps, who.name, body.reason);
    await deps.store.control.resume(flag);
    inBackground(deps, tellAll(deps, 'resumed', flag));
    return ok({ state: 'running' });
  },
});

const estop = route({
  method: 'POST',
  path: '/estop',
  scope: 'operate',
  summary: 'Emergency stop: cancels every open turn; nothing runs until `resume`.',
  body,
  answers: {
    200: {
      description: 'the flag stands, and open turns are being cancelled',
      schema: z.object({ state: z.literal('estop'), cancelled: z.array(z.string()) }),
    },
  },
  handle: async ({ deps, body, who }) => {
    const flag = flagOf(deps, who.name, body.reason ?? 'emergency stop');
    const cancelled = await deps.store.control.estop(flag);
    inBackground(
      deps,
      eachOf(cancelled, AT_ONCE, async (turnId) => void (await deps.messenger.cancel(turnId, flag))),
    );
    return ok({ state: 'estop', cancelled });
  },
});

const status = route({
  method: 'GET',
  path: '/status',
  scope: 'read',
  summary: 'How the deployment stands: open turns and questions, flags, workers, Temporal.',
  answers: { 200: { description: 'the state of the deployment', schema: answer.status } },
  handle: async ({ deps }) => ok(await statusJson(deps)),
});

async function tellAll(deps: GatewayDeps, state: 'paused' | 'resumed', flag: Flag): Promise<void> {
  const open = await deps.store.turns.open();
  const begun = open.filter((row) => row.status !== 'queued').map((row) => row.turnId);
  await deps.messenger.control(begun, { state, by: flag.by }, flag.at);
}

/** The flag is committed, so nobody waits until a thousand turns have heard of it; the reconciler repeats what fails. */
function inBackground(deps: GatewayDeps, work: Promise<void>): void {
  work.catch((error: unknown) => deps.log('warn', 'not every turn could be told of a flag', { why: String(error) }));
}

export const controlRoutes: Route[] = [pause, resume, estop, status];
