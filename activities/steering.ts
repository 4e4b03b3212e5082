/** Messages that came too late for a turn (C8.3): the session's next message, or refused with an event; none is lost silently. */
import { createHash } from 'node:crypto';
import type { Steer } from '../core/ports.ts';
import type { KeyedEvent } from '../store/api.ts';
import type { EngineDeps } from './deps.ts';

export async function turnAway(deps: EngineDeps, input: { turnId: string; steering: Steer[] }): Promise<number> {
  let handedOn = 0;
  for (const { id, text, by } of input.steering) {
    const row =
      text === undefined
        ? await deps.store.steering.get(id)
        : await deps.store.steering.addLate(rowOf(deps, input.turnId, { id, text, by }));
    if (typeof row === 'object' && row.state === 'handed_on') handedOn += 1;
  }
  return handedOn;
}

/**
 * Messages that came with their text and have no row yet, just before the turn ends: with a row, its last transaction
 * settles them. Answers events for those that the store takes none of any more.
 */
export async function keepUntaken(deps: EngineDeps, turnId: string, steering: Steer[]): Promise<KeyedEvent[]> {
  const given = steering.flatMap(({ id, text, by }) => (text === undefined ? [] : [{ id, text, by }]));
  if (given.length === 0) return [];
  const taken = await takenIn(deps, turnId);
  const refused: KeyedEvent[] = [];
  for (const steer of given.filter(({ id }) => !taken.has(id))) {
    const row = rowOf(deps, turnId, steer);
    if (typeof (await deps.store.steering.add(row)) === 'object') continue;
    const { id, text, by } = row;
    const body = { type: 'steering', id, state: 'refused', text: deps.render(text).slice(0, 4096), by } as const;
    refused.push({ key: `steering:${id}:refused`, body });
  }
  return refused;
}

/** A provider call that was cut may have brought them into the transcript already. */
async function takenIn(deps: EngineDeps, turnId: string): Promise<Set<string>> {
  const events = await deps.store.events.after(turnId, 0);
  return new Set(events.flatMap((event) => (event.type === 'steering' && event.state === 'taken' ? [event.id] : [])));
}

const rowOf = (
  deps: EngineDeps,
  turnId: string,
  { id, text, by }: { id: string; text: string; by: string | undefined },
) => ({
  ...{ id, turnId, text: deps.scrubber.scrub(text) },
  by: by ?? 'workflow',
  at: Date.now(),
});

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
