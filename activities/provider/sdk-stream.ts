/** What every adapter does with a vendor SDK's stream: text and thinking on, errors as our own. Calls come from the fold. */
import type { LanguageModelV4StreamPart } from '@ai-sdk/provider';
import { type CallOptions, ProviderFailure } from './types.ts';

export async function pump(
  stream: ReadableStream<LanguageModelV4StreamPart>,
  onPart: CallOptions['onPart'],
): Promise<{ text: string; thinking: string }> {
  let text = '';
  let thinking = '';
  for await (const part of stream) {
    if (part.type === 'error') throw part.error;
    if (part.type === 'text-delta') {
      text += part.delta;
      onPart({ type: 'text', text: part.delta });
    } else if (part.type === 'reasoning-delta') {
      thinking += part.delta;
      onPart({ type: 'thinking', text: part.delta });
    }
  }
  return { text, thinking };
}

/** Our own failure is somewhere below what the SDK made of it; anything else is a fault of the request. */
export function failureIn(error: unknown): ProviderFailure {
  for (let each = error; each instanceof Error; each = each.cause) if (each instanceof ProviderFailure) return each;
  return new ProviderFailure(
    'fatal',
    `the request could not be made: ${error instanceof Error ? error.message : String(error)}`,
  );
}
