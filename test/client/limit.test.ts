// So many at a time for one key, in order of arrival; keys do not hold up each other.
import { describe, expect, it } from 'vitest';
import { createLimit } from '../../client/temporal/limit.ts';

function gates() {
  const opened: ((value?: unknown) => void)[] = [];
  return { opened, gate: () => new Promise((resolve) => opened.push(resolve)) };
}

describe('a limit by key', () => {
  it('lets so many run, and the next in order as one ends, failed ones too', async () => {
    const limit = createLimit(2);
    const { opened, gate } = gates();
    const begun: number[] = [];
    const all = [0, 1, 2, 3].map((n) =>
      limit('a', async () => {
        begun.push(n);
        await gate();
        if (n === 0) throw new Error('failed');
      }).catch(() => undefined),
    );
    const other = limit('b', async () => 'free');
    expect(await other).toBe('free');
    expect(begun).toEqual([0, 1]);
    opened[0]?.();
    await all[0];
    expect(begun).toEqual([0, 1, 2]);
    opened[1]?.();
    await all[1];
    opened[2]?.();
    await all[2];
    expect(begun).toEqual([0, 1, 2, 3]);
    opened[3]?.();
    await Promise.all(all);
    expect(await limit('a', async () => 'again')).toBe('again');
  });
});
