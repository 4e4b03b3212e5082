/** Whatever else a provider puts into its message (reasoning signatures …), put together from a stream for the round trip (C3.6). */
import type { Json, JsonObject } from '../../core/json.ts';

/** Adds one delta's field. Texts and lists grow, list items of the same type and index too; anything else is replaced. */
export function addExtra(extras: JsonObject, key: string, value: Json): void {
  if (value === null || value === '' || key === '__proto__') return;
  const before = extras[key];
  if (typeof value === 'string' && typeof before === 'string') extras[key] = before + value;
  else if (Array.isArray(value) && Array.isArray(before)) for (const item of value) addItem(before, item);
  else extras[key] = structuredClone(value);
}

const GROWING = new Set(['text', 'summary', 'data', 'thinking']);

function addItem(list: Json[], item: Json): void {
  const last = list.at(-1);
  if (!isPart(last) || !isPart(item) || last.index !== item.index || last.type !== item.type) {
    list.push(structuredClone(item));
    return;
  }
  for (const [key, value] of Object.entries(item)) {
    const before = last[key];
    if (value === null) continue;
    last[key] = GROWING.has(key) && typeof before === 'string' && typeof value === 'string' ? before + value : value;
  }
}

type Part = JsonObject & { index: number; type: string };

function isPart(value: Json | undefined): value is Part {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  return typeof value.index === 'number' && typeof value.type === 'string';
}
