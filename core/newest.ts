/** Lists that a turn carries for ever are bounded in count and in size, whoever fills them (C8.9). */

/** The last entries: at most `count` of them, and at most `size` characters of JSON in all. */
export function newest<T>(list: readonly T[], count: number, size: number): T[] {
  const kept: T[] = [];
  let room = size;
  for (const each of list.slice(-count).reverse()) {
    room -= JSON.stringify(each).length + 1;
    if (room < 0) break;
    kept.push(each);
  }
  return kept.reverse();
}
