/** Plain JSON of a value as JavaScript has it: members that are undefined are left out, as `JSON.stringify` does. */
import { canonicalJson, type Json } from '../core/json.ts';

export function plainJson(value: unknown): string {
  return canonicalJson(JSON.parse(JSON.stringify(value)) as Json);
}
