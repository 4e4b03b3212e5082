/** The one function that says which tools a turn may use (C2.10): shown, parsed for and run are the same set. */

export type ToolLimits = {
  /** Every tool that exists, by name. */
  known: readonly string[];
  /** The agent's list: empty = unrestricted, else exact names (C2.3). */
  allowed: readonly string[];
  /** Always wins; compared trimmed and case-insensitively (C2.3). */
  excluded: readonly string[];
  /** Of this turn alone: undefined = no further limit, [] = no tools (C2.4). */
  perRun?: readonly string[] | undefined;
};

/** The names of `known` that are left, each once, in an order that does not depend on how they were listed (C3.1). */
export function effectiveTools(limits: ToolLimits): string[] {
  const left = [...new Set(limits.known)].filter((name) => whyNot(name, limits) === undefined);
  return left.sort((a, b) => (a < b ? -1 : 1));
}

/** Why a tool may not be used; undefined when it may. Says nothing of whether it exists. */
export function whyNot(
  name: string,
  limits: Omit<ToolLimits, 'known'>,
): 'excluded' | 'not allowed' | 'not in this turn' | undefined {
  if (isExcluded(limits.excluded, name)) return 'excluded';
  if (limits.allowed.length > 0 && !limits.allowed.includes(name)) return 'not allowed';
  if (limits.perRun !== undefined && !limits.perRun.includes(name)) return 'not in this turn';
  return undefined;
}

/** The called name and the resolved one are both to be asked about (C2.3). */
export function isExcluded(excluded: readonly string[], name: string): boolean {
  const wanted = folded(name);
  return excluded.some((entry) => folded(entry) === wanted);
}

function folded(name: string): string {
  return name.trim().toLowerCase();
}
