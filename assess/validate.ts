/** Checks arguments against a tool's own schema (C1.5). Nothing is coerced; every fault says what to send. Schemas come from others, so both compiling and checking are bounded in time. */
import { createHash } from 'node:crypto';
import type { ErrorObject, ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { canonicalJson, type Json, type JsonObject } from '../core/json.ts';
import { faultText } from './schema-faults.ts';
import { type Limited, withTimeLimit } from './time-limit.ts';

export type Validation =
  | { kind: 'valid' }
  /** What is wrong, a line a fault, by path. */
  | { kind: 'invalid'; faults: string[] }
  /** The schema itself is no good; calls of this one tool cannot be checked, so they fail. */
  | { kind: 'bad_schema'; why: string };

/** Wall time, so with room for a busy machine; what ran into it is tried again the next time. */
const COMPILE_MS = 5000;
const CHECK_MS = 1000;
const MOST_FAULTS = 10;
const MOST_SCHEMAS = 1000;
const LONGEST_SCHEMA = 512 * 1024;
/** Above this size only the first fault is looked for: a hostile argument could have a million. */
const ALL_FAULTS_UP_TO = 64 * 1024;
/** A clock costs a thread, some milliseconds on a busy machine: small arguments of a plain schema need none. */
const PLAIN_UP_TO = 16 * 1024;
/** What may take long even for small arguments. */
const SLOW_WORDS =
  /"(?:pattern|patternProperties|format|uniqueItems|contains|anyOf|oneOf|allOf|if|not|\$ref|\$dynamicRef)":/;

const done = <T>(value: T): Limited<T> => ({ kind: 'done', value });

type Compiled = { all: ValidateFunction; first: ValidateFunction; plain: boolean } | { why: string; slow?: true };

const compiled = new Map<string, Compiled>();
/** The same schema object comes again with each call; its hash need not be made again. */
const byObject = new WeakMap<JsonObject, Compiled>();

/** @param parameters the tool's schema as it was given; compiled once for each content */
export function validateArguments(parameters: JsonObject, args: JsonObject): Validation {
  const schema = byObject.get(parameters) ?? compiledSchema(parameters);
  if (!('slow' in schema)) byObject.set(parameters, schema);
  if ('why' in schema) return { kind: 'bad_schema', why: schema.why };
  try {
    const size = canonicalJson(args).length;
    const validate = size > ALL_FAULTS_UP_TO ? schema.first : schema.all;
    const check = () => validate(args) === true;
    const checked = schema.plain && size <= PLAIN_UP_TO ? done(check()) : withTimeLimit(CHECK_MS, check);
    if (checked.kind === 'too_slow') return { kind: 'bad_schema', why: `checking took longer than ${CHECK_MS} ms` };
    return checked.value ? { kind: 'valid' } : { kind: 'invalid', faults: faultsOf(validate.errors ?? [], args) };
  } catch (error) {
    return { kind: 'bad_schema', why: messageOf(error) };
  }
}

/** The words for the model. */
export function invalidText(name: string, validation: Exclude<Validation, { kind: 'valid' }>): string {
  if (validation.kind === 'bad_schema') {
    return `the arguments of ${name} could not be checked, because its schema is not usable: ${validation.why}. The call was not run, and another try will not help; the other tools are not affected.`;
  }
  return `the arguments do not fit ${name}. The call was not run. Correct this and call again:\n${validation.faults.map((fault) => `- ${fault}`).join('\n')}`;
}

function faultsOf(errors: readonly ErrorObject[], args: Json): string[] {
  const lines = [...new Set(errors.map((error) => faultText(error, args)))];
  const rest = lines.length - MOST_FAULTS;
  return rest > 0 ? [...lines.slice(0, MOST_FAULTS), `and ${rest} more`] : lines;
}

function compiledSchema(parameters: JsonObject): Compiled {
  const text = canonicalJson(parameters);
  const key = createHash('sha256').update(text).digest('hex');
  const known = compiled.get(key);
  if (known) return known;
  const made = text.length > LONGEST_SCHEMA ? { why: `it is longer than ${LONGEST_SCHEMA} characters` } : compile(text);
  if (compiled.size >= MOST_SCHEMAS) compiled.delete(compiled.keys().next().value as string);
  if (!('slow' in made)) compiled.set(key, made);
  return made;
}

/** An own compiler for each schema: an `$id` that two tools share must not make one answer for the other. */
function compile(text: string): Compiled {
  try {
    const made = withTimeLimit(COMPILE_MS, () => {
      const [all, first] = [true, false].map((allErrors) => {
        const ajv = new Ajv2020({
          strict: false,
          allErrors,
          verbose: false,
          logger: false,
          validateSchema: 'log',
          ownProperties: true,
        });
        addFormats.default(ajv);
        const { $schema: _, ...schema } = JSON.parse(text) as JsonObject;
        return ajv.compile(schema);
      });
      return { all, first, plain: !SLOW_WORDS.test(text) } as Exclude<Compiled, { why: string }>;
    });
    return made.kind === 'done' ? made.value : { why: `compiling it took longer than ${COMPILE_MS} ms`, slow: true };
  } catch (error) {
    return { why: messageOf(error) };
  }
}

function messageOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).slice(0, 300);
}
