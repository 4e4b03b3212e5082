/** Arguments never carry runtime state (C4.3): whether a call was approved is the runtime's word, not the model's. */
import type { JsonObject } from './json.ts';

/** Tools whose schema has no say in this. */
const ALWAYS = /^(?:shell|schedule_.*)$/;

/** Removes a top-level `approved`, unless the tool's own schema declares one. */
export function stripApproved(name: string, args: JsonObject, parameters: JsonObject): JsonObject {
  if (!Object.hasOwn(args, 'approved') || (declaresApproved(parameters) && !ALWAYS.test(name))) return args;
  const { approved: _, ...rest } = args;
  return rest;
}

function declaresApproved(parameters: JsonObject): boolean {
  const { properties } = parameters;
  return typeof properties === 'object' && properties !== null && Object.hasOwn(properties, 'approved');
}
