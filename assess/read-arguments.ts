/** Reading the arguments of a call (C1.5) with the repairer for broken JSON text. */
import { jsonrepair } from 'jsonrepair';
import { type ReadArguments, readArguments as read } from '../core/arguments.ts';

/** Longer broken text is not repaired: it is more likely something else than a misspelt call. */
const MAX_REPAIR = 256 * 1024;

/**
 * @param raw an object, or text; undefined, null and blank text mean `{}`
 * @returns the object and whether its spelling was repaired, or why it cannot be read; never throws
 */
export function readArguments(raw: unknown): ReadArguments {
  return read(raw, (text) => {
    if (text.length > MAX_REPAIR) return undefined;
    try {
      return jsonrepair(text);
    } catch {
      return undefined;
    }
  });
}

/** The words for the model when arguments could not be read. */
export function unreadableText(read: Exclude<ReadArguments, { kind: 'object' }>): string {
  return read.kind === 'incomplete'
    ? `arguments incomplete: ${read.why}. The call was not run. Send the whole call again.`
    : `arguments unreadable: ${read.why}. The call was not run. Send the arguments as one JSON object.`;
}
