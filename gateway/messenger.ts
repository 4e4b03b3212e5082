/** Tells turns of flags that stand in the store, and remembers whom it told, so that repeating costs nothing. */
import type { ControlMessage, TemporalDesk, Told } from '../client/temporal.ts';

export type Messenger = {
  /** `again` only when this process has not told that turn within a minute. */
  cancel(turnId: string, flag: { by: string; reason: string }, again?: 'if_due'): Promise<Told | 'not_due'>;
  /** @param since when the flag was set: a flag is told once to each turn */
  control(turnIds: readonly string[], message: ControlMessage, since: number): Promise<void>;
  /** True once for each key within a minute; `forget` takes that back. */
  due(key: string): boolean;
  forget(key: string): void;
};

const AGAIN_MS = 60_000;
const FOR_EVER = Number.POSITIVE_INFINITY;
const MOST_KEYS = 50_000;
const AT_ONCE = 16;

export function createMessenger(desk: Pick<TemporalDesk, 'sendCancel' | 'sendControl'>, now: () => number): Messenger {
  const told = new Map<string, number>();
  const due = (key: string, every = AGAIN_MS) => {
    const last = told.get(key);
    if (last !== undefined && now() - last < every) return false;
    told.delete(key);
    told.set(key, now());
    const oldest = told.keys().next().value;
    if (told.size > MOST_KEYS && oldest !== undefined) told.delete(oldest);
    return true;
  };
  const forget = (key: string) => void told.delete(key);
  return {
    due: (key) => due(key),
    forget,
    cancel: async (turnId, flag, again) => {
      const key = `cancel ${turnId}`;
      if (!due(key) && again === 'if_due') return 'not_due';
      const fate = await desk.sendCancel(turnId, flag.by, flag.reason);
      if (fate === 'unreachable') forget(key);
      return fate;
    },
    control: (turnIds, message, since) =>
      eachOf(turnIds, AT_ONCE, async (turnId) => {
        const key = `${message.state} ${since} ${turnId}`;
        if (!due(key, FOR_EVER)) return;
        if ((await desk.sendControl(turnId, message)) === 'unreachable') forget(key);
      }),
  };
}

/** Runs `work` for all items, so many at a time. */
export async function eachOf<T>(items: readonly T[], atOnce: number, work: (item: T) => Promise<void>): Promise<void> {
  const left = [...items];
  const lane = async () => {
    for (let item = left.shift(); item !== undefined; item = left.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, lane));
}
