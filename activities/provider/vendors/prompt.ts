/**
 * The prompt that an SDK is given. The assistant's messages are only their place: what they hold is laid out by us,
 * byte for byte, when the SDK has made its body (C3.6).
 */
import type {
  JSONSchema7,
  LanguageModelV4FunctionTool,
  LanguageModelV4Prompt,
  SharedV4ProviderOptions,
} from '@ai-sdk/provider';
import { convertTool } from '../../../core/schema-convert/convert-tool.ts';
import type { SchemaDialect } from '../../../core/schema-convert/types.ts';
import type { ProviderRequest } from '../types.ts';

type Marked = { providerOptions?: SharedV4ProviderOptions };

export type PromptOptions = {
  /** A failed result is said to be one in a field of the vendor's; else its text has to do. */
  errorField: boolean;
  /** Put on the system message, and on the message at a place. */
  mark?: (place: number | 'system') => Marked;
};

export function promptOf(
  { system, messages }: ProviderRequest,
  { errorField, mark }: PromptOptions,
): LanguageModelV4Prompt {
  const marked = (place: number | 'system'): Marked => mark?.(place) ?? {};
  const prompt: LanguageModelV4Prompt = system === '' ? [] : [{ role: 'system', content: system, ...marked('system') }];
  messages.forEach((message, place) => {
    switch (message.role) {
      case 'user':
        prompt.push({ role: 'user', content: [{ type: 'text', text: message.text }], ...marked(place) });
        break;
      case 'assistant':
        prompt.push({ role: 'assistant', content: [{ type: 'text', text: String(place) }] });
        break;
      case 'tool': {
        const content = message.results.map(({ id, name, text, success }) => ({
          type: 'tool-result' as const,
          toolCallId: id,
          toolName: name,
          output: { type: success || !errorField ? ('text' as const) : ('error-text' as const), value: text },
        }));
        prompt.push({ role: 'tool', content, ...marked(place) });
      }
    }
  });
  return prompt;
}

/** C3.10: converted anew from the originals, in their order. */
export function toolsOf({ tools }: ProviderRequest, dialect: SchemaDialect): LanguageModelV4FunctionTool[] {
  return tools.map((tool) => {
    const { name, description, parameters, strict } = convertTool(dialect, tool);
    return {
      type: 'function',
      name,
      description,
      inputSchema: parameters as JSONSchema7,
      ...(strict === undefined ? {} : { strict }),
    };
  });
}
