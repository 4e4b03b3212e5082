/** The small words of the configuration: names, durations, whole numbers, references to secrets. */
import { z } from 'zod';
import { DURATION_PATTERN, durationMs, LONGEST_MS } from '../duration.ts';

/**
 * What a person may write, in words; it replaces the validator's own message.
 * The text is kept as the schema's `description`, so the published JSON Schema says the same.
 */
function worded<T extends z.ZodType>(schema: T, allowed: string): T {
  return schema.describe(allowed) as T;
}

/** Names of agents, providers, servers and bundles. */
export const NAME_PATTERN = /^[A-Za-z][A-Za-z0-9_-]{0,63}$/;
const NAME_ALLOWED = 'a name of 1 to 64 letters, digits, - and _, beginning with a letter';
export const name = () => worded(z.string().regex(NAME_PATTERN, NAME_ALLOWED), NAME_ALLOWED);

/** `provider/model`; a model's own name may hold more slashes. */
const MODEL_ALLOWED = 'provider/model, as named under providers';
export const modelRef = () => worded(z.string().regex(/^[^/\s]+\/\S+$/, MODEL_ALLOWED), MODEL_ALLOWED);

export function duration(fallback: string, leastMs = 1) {
  const allowed = `a duration such as 500ms, 90s, 10m or 24h${leastMs > 1 ? `, at least ${leastMs / 1000}s` : ''}`;
  const inRange = (text: string) => {
    const ms = durationMs(text);
    return ms !== undefined && ms >= leastMs && ms <= LONGEST_MS;
  };
  return worded(
    z.string().regex(DURATION_PATTERN, { error: allowed, abort: true }).refine(inRange, allowed),
    allowed,
  ).default(fallback);
}

export function nullableDuration(fallback: string | null) {
  const allowed = 'a duration such as 90s, 10m or 24h, or null';
  return worded(z.string().regex(DURATION_PATTERN, allowed).nullable(), allowed).default(fallback);
}

export function wholeNumber(least: number, most: number) {
  const allowed = `a whole number from ${least} to ${most}`;
  return worded(z.int(allowed).min(least, allowed).max(most, allowed), allowed);
}

export const toolNames = () => z.array(text('the name of a tool')).default([]);

export const text = (allowed: string) => worded(z.string().min(1, allowed), allowed);

export const path = (allowed = 'a path, relative to this file') =>
  worded(
    z
      .string()
      .min(1, allowed)
      .refine((value) => !value.includes('\0'), allowed),
    allowed,
  );

const URL_ALLOWED = 'an http:// or https:// address without user, password or key in it';
const SECRET_QUERY = /^(key|api[-_]?key|sig|signature|.*(token|secret|password).*)$/i;

/** The address of a service. A credential in it would be a secret written out (C9.1, C11.7). */
export const httpUrl = () => worded(z.string().refine(isCleanUrl, URL_ALLOWED), URL_ALLOWED);

function isCleanUrl(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') return false;
  return ![...url.searchParams.keys()].some((key) => SECRET_QUERY.test(key));
}

export const SECRET_ALLOWED =
  'a reference: { env: NAME } or { file: PATH }; the secret itself never stands in the configuration';
const ENV_ALLOWED = 'the name of an environment variable, without $';

export const secretShape = () => ({
  env: worded(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]{0,254}$/, ENV_ALLOWED), ENV_ALLOWED).optional(),
  file: path('a path, relative to this file, of a file with mode 0600').optional(),
  keyring: text('the name of an entry of the key store').optional(),
});

export const ONE_OF_SECRET = `exactly one of env, file, keyring: ${SECRET_ALLOWED}`;

/** C11.7: a secret is named, never written. */
export const secretRef = () =>
  z
    .strictObject(secretShape())
    .refine((ref) => Object.keys(ref).length === 1, ONE_OF_SECRET)
    .meta({ description: SECRET_ALLOWED, minProperties: 1, maxProperties: 1 });
