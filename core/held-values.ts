/** The values that the deployment holds, ready to be found in text (C9.1). */

/** Shorter values are not scrubbed: they would tear ordinary words apart. `doctor` names them. */
export const SHORTEST_HELD = 8;

export type HeldValues = {
  /** Matches any held value, the longest first; undefined when none is held. */
  pattern: RegExp | undefined;
  placeholderOf(value: string): string;
  /** Where the longest tail that may be the start of a held value begins, not before `from`; the text's length when none does. */
  openFrom(text: string, from: number): number;
};

const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');

/** A value also shows up as JSON and URLs spell it. */
const spellings = (value: string): string[] => [value, JSON.stringify(value).slice(1, -1), percent(value)];

function percent(value: string): string {
  try {
    return encodeURIComponent(value);
  } catch {
    return value; // a lone surrogate has no URL spelling
  }
}

/** Numbers follow the order given (from 1), so that they are the same after a restart. */
export function heldValues(values: readonly string[]): HeldValues {
  const numbers = new Map<string, number>();
  values.forEach((value, index) => {
    if (value.length < SHORTEST_HELD) return;
    for (const spelling of spellings(value)) if (!numbers.has(spelling)) numbers.set(spelling, index + 1);
  });
  const all = [...numbers.keys()].sort((a, b) => b.length - a.length);
  const longest = all[0]?.length ?? 0;
  const byFirst = new Map<number, string[]>();
  for (const value of all) byFirst.set(value.charCodeAt(0), [...(byFirst.get(value.charCodeAt(0)) ?? []), value]);
  const opens = (text: string, at: number): boolean => {
    const left = text.length - at;
    const mayBe = byFirst.get(text.charCodeAt(at)) ?? [];
    return mayBe.some((value) => value.length > left && value.startsWith(text.slice(at)));
  };
  return {
    pattern: all.length === 0 ? undefined : new RegExp(all.map(escaped).join('|'), 'g'),
    placeholderOf: (value) => `[REDACTED:k${numbers.get(value)}]`,
    openFrom(text, from) {
      for (let at = Math.max(from, text.length - longest + 1); at < text.length; at++) if (opens(text, at)) return at;
      return text.length;
    },
  };
}
