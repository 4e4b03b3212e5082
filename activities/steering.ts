/** Messages that came too late for a turn (C8.3): the session's next message, or refused with an event; none is lost silently. */
import { createHash } from 'node:crypto';
import type { Steer } from '../core/ports.ts';
import type { EngineDeps } from './deps.ts';

export async function turnAway(deps: EngineDeps, input: { turnId: string; steering: Steer[] }): Promise<number> {
  let handedOn = 0;
  for (const { id, text, by } of input.steering) {
    const row = await deps.store.steering.get(id);
    if (!row && text !== undefined) {
      await deps.store.steering.add({
        id,
        turnId: input.turnId,
        text: deps.scrubber.scrub(text),
        by: by ?? 'workflow',
        at: Date.now(),
      });
    }
    if ((await deps.store.steering.get(id))?.state === 'handed_on') handedOn += 1;
  }
  return handedOn;
}

/** A next turn of the session from what was handed on; its id follows from the turn that handed on, so a repeat makes none. */
export async function adoptSteering(
  deps: EngineDeps,
  input: { sessionId: string; turnId: string },
): Promise<string | null> {
  const rows = await deps.store.steering.ofTurn(input.turnId, 'handed_on');
  if (rows.length === 0) return null;
  const turnId = `t${createHash('sha256').update(`${input.turnId}:handed-on`).digest('hex').slice(0, 25)}`;
  const made = await deps.store.steering.adopt({ session: input.sessionId, ids: rows.map(({ id }) => id), turnId });
  return made?.turnId ?? null;
}
