/** What a tool may be called (C1.7, C2.5). */

const NAME = /^[a-zA-Z0-9_-]{1,64}$/;

/** @returns what is wrong with the name and what is allowed; undefined when it is fine */
export function nameFault(name: unknown): string | undefined {
  if (typeof name !== 'string' || !NAME.test(name)) {
    return 'a tool name has 1 to 64 letters, digits, "_" or "-"';
  }
  if (name.includes('__')) return '"__" in a name is kept for tools of MCP servers; use one underscore';
  return undefined;
}
