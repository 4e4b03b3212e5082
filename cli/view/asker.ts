// How a question is put to a person at the terminal. Two ways: single keys, and numbered lines.
import type { Approval } from '../../client/types.ts';
import type { JsonObject } from '../../core/json.ts';

export type Answer = { choice: string; note?: string; text?: string; arguments?: JsonObject };

export type Asking = {
  /** How many more wait behind this one. */
  more: number;
  /** Fires when somebody else decided, or the question is closed. */
  signal: AbortSignal;
};

export interface Asker {
  /** Resolves with what the person chose; undefined when the signal fired first. */
  ask(approval: Approval, asking: Asking): Promise<Answer | undefined>;
}

/** What the person gave besides the choice, checked; a fault is said and the question stays. */
export function argumentsFrom(text: string): { ok: true; arguments: JsonObject } | { ok: false; fault: string } {
  try {
    const value: unknown = JSON.parse(text);
    if (value !== null && typeof value === 'object' && !Array.isArray(value)) {
      return { ok: true, arguments: value as JsonObject };
    }
    return { ok: false, fault: 'The arguments must be one JSON object.' };
  } catch (error) {
    return {
      ok: false,
      fault: `The arguments are not JSON: ${error instanceof Error ? error.message : String(error)}`,
    };
  }
}
