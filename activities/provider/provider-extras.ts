/** Extras carry the name of the model they came from: only that one gets them back (C3.6); to others they mean nothing. */
import type { Json, JsonObject } from '../../core/json.ts';
import { isObject } from './failure-of.ts';

/** @param model `provider/model` */
export function sealedExtras(model: string, fields: JsonObject): JsonObject | undefined {
  return Object.keys(fields).length === 0 ? undefined : { model, fields };
}

export function extrasFor(model: string, extras: Json | undefined): JsonObject {
  return isObject(extras) && extras.model === model && isObject(extras.fields) ? extras.fields : {};
}
