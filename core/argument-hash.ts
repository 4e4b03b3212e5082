/** What identifies a call: its name and its canonical arguments, as one text. Hashing it is the caller's business. */
import { canonicalJson, type JsonObject } from './json.ts';

/** Two calls are the same iff these texts are equal; `argumentHash` is the sha256 hex of its UTF-8 bytes. */
export function argumentHashText(name: string, args: JsonObject | string): string {
  return `${JSON.stringify(name)} ${typeof args === 'string' ? args : canonicalJson(args)}`;
}
