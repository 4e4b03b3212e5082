/** Which of the known names somebody may have meant. */

const MOST = 20;
const LONGEST = 64;

/** Known names, the nearest to `wanted` first, at most `limit` (20). Ties stay in the order of `names`. */
export function nearestNames(wanted: string, names: Iterable<string>, limit = MOST): string[] {
  const target = flat(wanted);
  return [...names]
    .map((name) => ({ name, distance: distanceOf(target, flat(name)) }))
    .sort((a, b) => a.distance - b.distance)
    .slice(0, limit)
    .map(({ name }) => name);
}

const flat = (name: string): string =>
  name
    .slice(0, LONGEST)
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_');

/** Edits needed, made smaller when the names share a word. */
function distanceOf(a: string, b: string): number {
  const shared = a.split('_').filter((word) => word.length > 2 && b.split('_').includes(word)).length;
  return editDistance(a, b) - 4 * shared;
}

function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const change = (row[j - 1] ?? 0) + Number(a[i - 1] !== b[j - 1]);
      next.push(Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, change));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
