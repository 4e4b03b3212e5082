/**
 * A tool as a provider is told of it (C3.10): converted anew from the original for every request. Each tool stands for
 * itself, and whatever its schema holds, something comes out that the provider takes.
 */
import type { Json, JsonObject } from '../json.ts';
import { toAnthropic } from './anthropic.ts';
import { toGoogle } from './google.ts';
import { numbersBack } from './google-values.ts';
import { toOpenAi } from './openai.ts';
import type { Converted, SchemaDialect } from './types.ts';
import { writeOut } from './write-out.ts';

const CONVERT: Record<SchemaDialect, (schema: JsonObject) => Converted> = {
  anthropic: toAnthropic,
  openai: toOpenAi,
  google: toGoogle,
};

export type WireTool = { name: string; description: string; parameters: JsonObject; strict?: boolean };

export function convertTool(
  dialect: SchemaDialect,
  { name, description, parameters }: { name: string; description: string; parameters: JsonObject },
): WireTool {
  const { notes, parameters: converted, strict } = CONVERT[dialect](parameters);
  const text = [description, ...notes].filter((part) => part.trim() !== '').join('\n\n');
  return { name, description: text, parameters: converted, ...(strict === undefined ? {} : { strict }) };
}

/** The arguments of a call as the original schema means them, undoing what its provider's dialect had to change. */
export function argumentsBack(dialect: SchemaDialect, parameters: JsonObject, args: Json): Json {
  return dialect === 'google' ? numbersBack(writeOut(parameters), args) : args;
}
