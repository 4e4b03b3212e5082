/** At most so many calls at a time for one key; the others wait in order of arrival. */
export type Limit = <T>(key: string, call: () => Promise<T>) => Promise<T>;

export function createLimit(atOnce: number): Limit {
  const lanes = new Map<string, { running: number; waiting: (() => void)[] }>();
  return async (key, call) => {
    const lane = lanes.get(key) ?? { running: 0, waiting: [] };
    lanes.set(key, lane);
    // The one who leaves hands its place over, so `running` stays as it is.
    if (lane.running >= atOnce) await new Promise<void>((go) => lane.waiting.push(go));
    else lane.running += 1;
    try {
      return await call();
    } finally {
      const next = lane.waiting.shift();
      if (next) next();
      else {
        lane.running -= 1;
        if (lane.running === 0) lanes.delete(key);
      }
    }
  };
}
