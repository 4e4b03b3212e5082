/** What the model is told when it called a tool that it does not have (C4.4). */
import { nearestNames } from './nearest.ts';

const WRAPPERS = /^(?:multi_tool_use[._])?parallel$|^multi_tool_use|^(?:call_tools?|use_tools?|run_tools?|batch)$/i;

/** A name as it may be shown and stored: short, printable. */
export function displayName(name: string): string {
  return name
    .replace(/[\p{Cc}\p{Cf}]+/gu, '')
    .trim()
    .slice(0, 64);
}

/** @param known the effective names */
export function unknownToolText(name: string, known: readonly string[]): string {
  const shown = /^[a-zA-Z0-9_.:-]{1,64}$/.test(name) ? `"${name}"` : 'of that name';
  if (known.length === 0) return `There is no tool ${shown}: this turn has no tools. Answer in text.`;
  if (WRAPPERS.test(name)) {
    return `There is no tool ${shown}. Call the tools directly, several in one response if you like: ${list(name, known)}.`;
  }
  return `There is no tool ${shown}. Tools that exist: ${list(name, known)}.`;
}

function list(name: string, known: readonly string[]): string {
  const names = nearestNames(name, known);
  const more = known.length - names.length;
  return more > 0 ? `${names.join(', ')} (and ${more} more)` : names.join(', ');
}
