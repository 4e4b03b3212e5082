/** Checks what was sent against its schema; the refusal names each fault by path, and the nearest field for a misspelt one. */
import { z } from 'zod';
import { nearest } from '../config/nearest.ts';
import { ApiFailure, shown } from './failure.ts';

const MOST_FAULTS = 8;

/** @throws ApiFailure 400 `invalid_request` */
export function validate(schema: z.ZodType, value: unknown, what: 'body' | 'query'): unknown {
  const checked = schema.safeParse(value);
  if (checked.success) return checked.data;
  const fields = fieldsOf(schema);
  const faults = checked.error.issues.slice(0, MOST_FAULTS).flatMap((issue) => faultsOf(issue, fields));
  throw new ApiFailure(400, 'invalid_request', {
    message: `The ${what} is not valid: ${faults.join('; ')}.`,
    hint: fields.length === 0 ? 'See /api/v1/openapi.json.' : `Fields: ${fields.join(', ')}. See /api/v1/openapi.json.`,
  });
}

function faultsOf(issue: z.core.$ZodIssue, fields: string[]): string[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.slice(0, MOST_FAULTS).map((key) => {
      const near = nearest(key, fields);
      return `unknown field "${shown(key)}"${near === undefined ? '' : ` (did you mean "${near}"?)`}`;
    });
  }
  const path = issue.path.map((part) => shown(String(part))).join('.');
  return [path === '' ? issue.message : `${path}: ${issue.message}`];
}

function fieldsOf(schema: z.ZodType): string[] {
  return schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
}
