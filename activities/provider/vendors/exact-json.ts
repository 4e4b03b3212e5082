/** JSON whose numbers keep their spelling: `1.0` and numbers too long for a double come out again as they went in. */
import type { Json } from '../../../core/json.ts';

type Raw = { rawJSON?: (text: string) => Json };
type Reviver = (this: unknown, key: string, value: Json, context?: { source?: string }) => Json;

const keep: Reviver = (_, value, context) => {
  const source = context?.source;
  const { rawJSON } = JSON as unknown as Raw;
  return typeof value === 'number' && source !== undefined && String(value) !== source && rawJSON
    ? rawJSON(source)
    : value;
};

/** Numbers of an unusual spelling are opaque: write the value with `JSON.stringify`, or make it plain first. */
export function exactJson(text: string): Json {
  return JSON.parse(text, keep as (key: string, value: unknown) => unknown) as Json;
}

export function plainJson(value: Json): Json {
  return JSON.parse(JSON.stringify(value)) as Json;
}
