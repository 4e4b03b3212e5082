/** Durations as configuration writes them: a whole number and a unit, `500ms`, `90s`, `10m`, `24h`, `7d`. */

const UNIT_MS: Record<string, number> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

export const DURATION_PATTERN = /^\d{1,9}(ms|s|m|h|d)$/;

/** No setting of ours waits for longer than a year. */
export const LONGEST_MS = 365 * 86_400_000;

/** Milliseconds; undefined when the text is no duration. */
export function durationMs(text: string): number | undefined {
  if (!DURATION_PATTERN.test(text)) return undefined;
  const unit = text.replace(/^\d+/, '');
  return Number.parseInt(text, 10) * (UNIT_MS[unit] ?? Number.NaN);
}
