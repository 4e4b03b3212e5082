/** What a conversion gives back. */
import type { JsonObject } from '../json.ts';

export type SchemaDialect = 'anthropic' | 'openai' | 'google';

export type Converted = {
  /** `{ type: 'object', properties, … }` as the provider takes it. */
  parameters: JsonObject;
  /** What could not be said there, in words, for the tool's description. */
  notes: string[];
  /** OpenAI only: the provider holds the model to exactly this schema, and nothing was lost on the way. */
  strict?: boolean;
};
