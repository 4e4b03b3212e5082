// Small numbers: medians, percentiles, a figure with its limit.
export type Figure = { what: string; value: string; limit: string; ok: boolean | null };

export function quantile(values: readonly number[], q: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.max(0, Math.ceil(q * sorted.length) - 1))] ?? Number.NaN;
}

export const median = (values: readonly number[]): number => quantile(values, 0.5);

export const atMost = (what: string, value: number, limit: number, unit: string): Figure => ({
  what,
  value: `${Number(value.toFixed(2))} ${unit}`.trim(),
  limit: `≤ ${limit} ${unit}`.trim(),
  ok: value <= limit,
});

export const atLeast = (what: string, value: number, limit: number, unit = ''): Figure => ({
  what,
  value: `${value.toFixed(2)} ${unit}`.trim(),
  limit: `≥ ${limit} ${unit}`.trim(),
  ok: value >= limit,
});

export const reported = (what: string, value: string): Figure => ({ what, value, limit: 'reported', ok: null });

export async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}
