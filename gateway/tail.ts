/** Follows the events of one turn by number. Never holds more than one batch; sleeps until the store wakes it. */
import type { TurnEvent } from '../core/events.ts';
import { OPEN_STATUSES } from '../core/outcome.ts';
import type { Store } from '../store/api.ts';
import { createAlarm } from './alarm.ts';

export type Tail = {
  /** The next events; `quiet` when none came for `ms`; `ended` when none will come any more. */
  next(ms: number): Promise<TurnEvent[] | 'quiet' | 'ended'>;
  close(): void;
};

const BATCH = 256;

export function followTurn(store: Store, turnId: string, after: number): Tail {
  const alarm = createAlarm();
  const close = store.events.subscribe(turnId, alarm.ring);
  let last = after;
  let ended = false;
  let quiet = true;

  const read = async (): Promise<TurnEvent[]> => {
    const events = await store.events.after(turnId, last, BATCH);
    last = events.at(-1)?.number ?? last;
    ended = events.some((event) => event.type === 'turn_ended');
    return events;
  };

  const next = async (ms: number) => {
    const until = Date.now() + ms;
    for (;;) {
      if (ended) return 'ended';
      alarm.clear();
      let events = await read();
      // A reader that comes after `turn_ended` has nothing to wait for: looked at first, and after each silence.
      if (events.length === 0 && quiet && (await hasEnded(store, turnId))) {
        events = await read();
        if (events.length === 0) return 'ended';
      }
      quiet = false;
      if (events.length > 0) return events;
      if (Date.now() >= until) {
        quiet = true;
        return 'quiet';
      }
      await alarm.sleep(until - Date.now());
    }
  };
  return { next, close };
}

async function hasEnded(store: Store, turnId: string): Promise<boolean> {
  const turn = await store.turns.get(turnId);
  return !turn || !OPEN_STATUSES.includes(turn.status);
}
