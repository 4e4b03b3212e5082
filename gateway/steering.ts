/** A message into a running turn (C8.3): first a row in the store, then the turn is told. None is lost silently. */
import type { SteerOutcome } from '../client/types.ts';
import type { SteerRow } from '../store/api.ts';
import type { GatewayDeps } from './deps.ts';

export type SteerRequest = { turnId: string; id: string; text: string; by: string };

export type Steered =
  | { kind: 'steered'; outcome: SteerOutcome }
  | { kind: 'ended' | 'full' | 'missing' }
  /** The id was used for another message. */
  | { kind: 'conflict' };

export async function steerTurn(deps: GatewayDeps, request: SteerRequest): Promise<Steered> {
  const row = await deps.store.steering.add({ ...request, at: deps.now() });
  if (typeof row === 'string') return { kind: row };
  if (row.turnId !== request.turnId || row.text !== request.text) return { kind: 'conflict' };
  if (row.state !== 'pending') return settled(row);
  deps.messenger.due(`steer ${row.id}`);
  const answer = await deps.desk.sendSteering(request.turnId, request.id);
  const state = (state: SteerOutcome['state']): Steered => ({ kind: 'steered', outcome: { id: request.id, state } });
  switch (answer.kind) {
    case 'answered':
      return state('accepted');
    case 'queued':
      return state('queued');
    case 'unsent':
      deps.messenger.forget(`steer ${row.id}`);
      return state('queued');
    case 'refused':
      if (answer.type === 'QueueFull') return { kind: 'full' };
      return afterTheEnd(deps, request);
    case 'gone':
      await deps.reconciler.turn(request.turnId);
      return afterTheEnd(deps, request);
  }
}

/** The turn takes no more: the last transaction hands the message on to the session, or refuses it. */
async function afterTheEnd(deps: GatewayDeps, request: SteerRequest): Promise<Steered> {
  const row = await deps.store.steering.get(request.id);
  if (row && row.state !== 'pending') return settled(row);
  // That transaction is still to come, and it decides by whether there is a session.
  const turn = await deps.store.turns.get(request.turnId);
  if (turn?.session === undefined) return { kind: 'ended' };
  return { kind: 'steered', outcome: { id: request.id, state: 'handed_on' } };
}

function settled(row: SteerRow): Steered {
  if (row.state === 'refused') return { kind: 'ended' };
  const state = row.state === 'pending' ? 'queued' : row.state;
  return { kind: 'steered', outcome: { id: row.id, state } };
}
