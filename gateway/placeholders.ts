/**
 * Puts the original values back into edited arguments (C5.3): an operator sees placeholders where secrets are, and a
 * placeholder that is left where it was means the value behind it. Any other placeholder is refused.
 */
import type { Json, JsonObject } from '../core/json.ts';
import { hiddenParts, PLACEHOLDERS } from './hidden-parts.ts';

export type Restored = { ok: true; args: JsonObject } | { ok: false; errors: string[] };

/**
 * @param original the arguments of the call
 * @param scrub what made the scrubbed form of them
 */
export function restorePlaceholders(original: Json, edited: JsonObject, scrub: { json(value: Json): Json }): Restored {
  const errors: string[] = [];
  const walk = (was: Json | undefined, seen: Json | undefined, now: Json, path: string): Json => {
    if (typeof now === 'string') {
      const text = restoreText(was, seen, now);
      if (text === undefined) errors.push(`${path}: ${NOT_SHOWN_HERE}`);
      return text ?? now;
    }
    if (Array.isArray(now)) return now.map((item, i) => walk(at(was, i), at(seen, i), item, `${path}/${i}`));
    if (now === null || typeof now !== 'object') return now;
    const members = Object.entries(now).map(([key, value]) => {
      if (hasPlaceholder(key)) errors.push(`${path}: a placeholder cannot be the name of a field`);
      return [key, walk(at(was, key), at(seen, key), value, `${path}/${key}`)];
    });
    return Object.fromEntries(members) as JsonObject;
  };
  const args = walk(original, scrub.json(original), edited, '') as JsonObject;
  return errors.length > 0 ? { ok: false, errors } : { ok: true, args };
}

const NOT_SHOWN_HERE =
  'holds a placeholder that was not shown at this place, or whose value is not certain; write the value itself';

const hasPlaceholder = (text: string) => text.search(PLACEHOLDERS) >= 0;

function restoreText(was: Json | undefined, seen: Json | undefined, now: string): Json | undefined {
  if (was !== undefined && seen === now) return was;
  if (!hasPlaceholder(now)) return now;
  const hidden = typeof was === 'string' && typeof seen === 'string' ? hiddenParts(was, seen) : undefined;
  const tokens = now.match(PLACEHOLDERS) ?? [];
  if (!hidden || tokens.some((token) => !hidden.has(token))) return undefined;
  return now.replace(PLACEHOLDERS, (token) => hidden.get(token) ?? token);
}

function at(value: Json | undefined, key: string | number): Json | undefined {
  if (Array.isArray(value)) return typeof key === 'number' ? value[key] : undefined;
  if (value === null || typeof value !== 'object') return undefined;
  return Object.hasOwn(value, key) ? value[key as string] : undefined;
}
