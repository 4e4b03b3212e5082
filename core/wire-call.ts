/** How a call is spelt on the wire (C3.6): only what a provider would refuse is replaced, and always the same way. */
import type { Json } from './json.ts';

const WIRE_NAME = /^[a-zA-Z0-9_-]{1,64}$/;

export const INVALID_TOOL = 'invalid_tool';

export function isWireName(name: string): boolean {
  return WIRE_NAME.test(name);
}

export function wireName(name: string): string {
  return isWireName(name) ? name : INVALID_TOOL;
}

/** The text as the model wrote it if it is a JSON object, else `{}`. */
export function wireArguments(text: string): string {
  return isJsonObjectText(text) ? text : '{}';
}

export function isJsonObjectText(text: string): boolean {
  try {
    const value = JSON.parse(text) as Json;
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}

/**
 * Hands out the ids of one request, in its order. An id of ours depends only on what stands before it, so a request
 * that grew keeps its beginning; it is nine letters and digits, which every vendor takes.
 */
export class WireIds {
  readonly #used = new Set<string>();
  #count = 0;

  next(providerId: string): string {
    this.#count++;
    const id = providerId.trim() !== '' && !this.#used.has(providerId) ? providerId : this.#ours();
    this.#used.add(id);
    return id;
  }

  #ours(): string {
    for (let number = this.#count; ; number++) {
      const id = `c${String(number).padStart(8, '0')}`;
      if (!this.#used.has(id)) return id;
    }
  }
}
