/** The store counts bytes, the model's limit counts characters: a text that fits the second is made to fit the first too (C9.6). */
import { boundResult } from '../../core/bound-result.ts';

/** A blob of the store. */
export const BLOB_BYTES = 1024 * 1024;

/** @returns the text, its middle left out where it is over `maxBytes` of UTF-8 */
export function fitBytes(text: string, maxBytes: number = BLOB_BYTES, ref?: string): string {
  let fit = text;
  let limit = text.length;
  for (let bytes = Buffer.byteLength(fit); bytes > maxBytes; bytes = Buffer.byteLength(fit)) {
    limit = Math.floor(limit * (maxBytes / bytes) * 0.99);
    fit = boundResult(text, Math.max(1, limit), ref).text;
  }
  return fit;
}
