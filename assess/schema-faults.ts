/** One line for one fault of an argument: where, and what to send. */
import type { ErrorObject } from 'ajv';
import type { Json } from '../core/json.ts';

export function faultText(error: ErrorObject, args: Json): string {
  const where = error.instancePath === '' ? '' : `${pathOf(error.instancePath)}: `;
  return `${where}${wordsOf(error, args)}`;
}

function wordsOf(error: ErrorObject, args: Json): string {
  const { params } = error as { params: Record<string, unknown> };
  switch (error.keyword) {
    case 'required':
      return `"${String(params.missingProperty)}" is missing; it is required`;
    case 'additionalProperties':
    case 'unevaluatedProperties':
      return `"${String(params.additionalProperty ?? params.unevaluatedProperty)}" is not a parameter; leave it out`;
    case 'type':
      return `send ${article(params.type)}, not ${kindOf(valueAt(args, error.instancePath))}`;
    case 'enum':
      return `send one of ${listOf(params.allowedValues)}`;
    case 'const':
      return `send ${JSON.stringify(params.allowedValue)}`;
    case 'format':
      return `send text in the format "${String(params.format)}"`;
    case 'pattern':
      return `send text that matches ${String(params.pattern).slice(0, 100)}`;
    default:
      return error.message ?? `does not satisfy "${error.keyword}"`;
  }
}

/** `/items/0/name` → `items[0].name` */
function pathOf(pointer: string): string {
  const parts = segments(pointer).map((part) => (/^\d+$/.test(part) ? `[${part}]` : `.${part.slice(0, 100)}`));
  return parts.join('').replace(/^\./, '');
}

function segments(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
}

function valueAt(args: Json, pointer: string): Json | undefined {
  let value: Json | undefined = args;
  for (const part of segments(pointer)) {
    if (value === null || typeof value !== 'object') return undefined;
    value = (value as Record<string, Json>)[part];
  }
  return value;
}

function article(type: unknown): string {
  const types = Array.isArray(type) ? type : [type];
  return types
    .map((each) => (/^[aeiou]/.test(String(each)) ? `an ${each}` : each === 'null' ? 'null' : `a ${each}`))
    .join(' or ');
}

function kindOf(value: Json | undefined): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'string') return 'a string (no quotes around numbers, booleans, objects or arrays)';
  if (typeof value === 'number') return Number.isInteger(value) ? 'an integer' : 'a number with a fraction';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

function listOf(values: unknown): string {
  const list = Array.isArray(values) ? values : [];
  const shown = list.slice(0, 20).map((value) => JSON.stringify(value));
  return list.length > 20 ? `${shown.join(', ')} … (${list.length} in all)` : shown.join(', ');
}
