/** From a message to a turn: which agent, what a busy session makes of it, the row, the start (C12.3). */
import { createHash } from 'node:crypto';
import type { StartedTurn, StartTurn } from '../client/types.ts';
import { nearest } from '../config/nearest.ts';
import type { Origin, Store, TurnRow } from '../store/api.ts';
import { cancelTurn } from './cancel.ts';
import type { GatewayDeps } from './deps.ts';
import { ApiFailure, shown } from './failure.ts';
import { launchPatiently } from './launch.ts';
import { steerTurn } from './steering.ts';

export type StartRequest = StartTurn & { origin: Origin; idempotencyKey?: string };

const SESSION_QUEUE = 32;

/** @throws ApiFailure 409 idempotency conflict, 422 unknown agent, 429 the session's queue is full */
export async function startTurn(deps: GatewayDeps, request: StartRequest): Promise<StartedTurn> {
  const agent = await agentFor(deps, request);
  const id = idOf(deps, request.idempotencyKey);
  // A repeat must find what the first one did, whatever the session does by now.
  const isRepeat = request.idempotencyKey !== undefined && (await deps.store.turns.get(id)) !== undefined;
  const busy = isRepeat ? undefined : await meetBusySession(deps, request, id);
  if (busy) return busy;
  const { origin, idempotencyKey, ...content } = request;
  const row = { ...content, agent, turnId: id, origin };
  const made = await deps.store.turns.enqueue(idempotencyKey === undefined ? row : { ...row, idempotencyKey });
  if (made.kind === 'conflict') throw keyUsed(idempotencyKey ?? '');
  const { turn } = made;
  if (turn.status === 'queued') await start(deps, turn);
  return { turnId: turn.turnId, workflowId: turn.workflowId };
}

/** The id of the turn, or of the steering message that it becomes: the same for the same key. */
function idOf(deps: GatewayDeps, key: string | undefined): string {
  return key === undefined ? deps.newId() : `k${createHash('sha256').update(key).digest('hex').slice(0, 31)}`;
}

async function start(deps: GatewayDeps, turn: TurnRow): Promise<void> {
  const fate = await launchPatiently(deps.desk, deps.render, turn);
  if (fate.kind !== 'unreachable') return;
  deps.log('warn', 'turn is queued, Temporal did not take it yet', { turnId: turn.turnId, why: fate.why });
}

async function agentFor(deps: GatewayDeps, request: StartRequest): Promise<string> {
  const { names } = deps.agents;
  const session = request.session === undefined ? undefined : await deps.store.sessions.get(request.session);
  const wanted = request.agent ?? session?.agent ?? deps.agents.default;
  if (wanted === undefined) {
    throw new ApiFailure(422, 'agent_needed', {
      message: 'Several agents are configured and none is called "main": say which.',
      hint: `Agents: ${names.join(', ')}.`,
    });
  }
  if (!names.includes(wanted)) {
    const near = nearest(wanted, names);
    throw new ApiFailure(422, 'unknown_agent', {
      message: `There is no agent "${shown(wanted)}".`,
      hint: `${near === undefined ? '' : `Did you mean "${near}"? `}Agents: ${names.join(', ')}.`,
    });
  }
  if (session && session.agent !== wanted) {
    throw new ApiFailure(422, 'session_of_another_agent', {
      message: `The session "${request.session}" belongs to the agent "${session.agent}".`,
      hint: 'Leave `agent` out, or use another session.',
    });
  }
  return wanted;
}

/** A running turn of the session may take the message as steering, or make way. Else the message queues. */
async function meetBusySession(deps: GatewayDeps, request: StartRequest, id: string): Promise<StartedTurn | undefined> {
  const { session, idempotencyKey } = request;
  if (session === undefined) return undefined;
  const earlier = idempotencyKey === undefined ? undefined : await deps.store.steering.get(id);
  const running = await (earlier ? deps.store.turns.get(earlier.turnId) : runningTurn(deps.store, session));
  if (running && (earlier || steers(deps, request, running))) {
    const steered = await steerTurn(deps, { turnId: running.turnId, id, text: request.text, by: request.origin.by });
    if (steered.kind === 'conflict') throw keyUsed(idempotencyKey ?? '');
    if (steered.kind === 'steered') return { turnId: running.turnId, workflowId: running.workflowId, steered: true };
  }
  if (running && deps.onBusy === 'interrupt') {
    const flag = { by: request.origin.by, reason: 'a newer message of the session', at: deps.now() };
    await cancelTurn(deps, running.turnId, flag);
  }
  const queued = await deps.store.turns.list({ session, status: ['queued'], limit: SESSION_QUEUE });
  if (queued.items.length >= SESSION_QUEUE) throw queueFull(session);
  return undefined;
}

/** C12.3: only a message of the same surface steers. */
function steers(deps: GatewayDeps, request: StartRequest, running: TurnRow): boolean {
  return deps.onBusy === 'steer' && running.origin.surface === request.origin.surface;
}

async function runningTurn(store: Store, session: string): Promise<TurnRow | undefined> {
  const status = ['running', 'waiting_approval', 'waiting_user', 'paused'] as const;
  const { items } = await store.turns.list({ session, status: [...status], limit: 1 });
  return items[0];
}

const queueFull = (session: string) =>
  new ApiFailure(
    429,
    'queue_full',
    {
      message: `${SESSION_QUEUE} messages wait in the session "${session}" already.`,
      hint: 'Wait until some have been answered, or cancel the running turn.',
    },
    { headers: { 'retry-after': '10' } },
  );

const keyUsed = (key: string) =>
  new ApiFailure(409, 'idempotency_conflict', {
    message: `The Idempotency-Key "${shown(key)}" was used for another turn.`,
    hint: 'Use a new key for new content; the same key repeats the same request.',
  });
