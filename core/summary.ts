/** One line about the arguments of a call (C5.9), for approvers, lists and audit. */
import { shorten } from './graphemes.ts';
import { canonicalJson, type Json } from './json.ts';

const VALUE = 80;
const NOT_AN_OBJECT = 120;
/** A summary in the workflow's state (C9.6). */
const WHOLE = 200;

/** `path` first, then `key: value`; credential-like keys are never shown. At most 200 characters, one line. */
export function summarise(args: Json): string {
  if (args === null || typeof args !== 'object' || Array.isArray(args)) return oneLine(valueText(args), NOT_AN_OBJECT);
  const keys = Object.keys(args).sort((a, b) => Number(b === 'path') - Number(a === 'path'));
  return shorten(keys.map((key) => `${oneLine(key, VALUE)}: ${shown(key, args[key] as Json)}`).join(', '), WHOLE);
}

function shown(key: string, value: Json): string {
  return isCredentialKey(key) ? REDACTED : oneLine(valueText(value), VALUE);
}

function valueText(value: Json): string {
  return typeof value === 'string' ? value : canonicalJson(withoutCredentials(value));
}

function withoutCredentials(value: Json): Json {
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map(withoutCredentials);
  const members = Object.entries(value).map(([key, member]): [string, Json] => [
    key,
    isCredentialKey(key) ? REDACTED : withoutCredentials(member),
  ]);
  return Object.fromEntries(members);
}

const REDACTED = '[redacted]';
const CREDENTIAL =
  /(?:^|_)(?:pass(?:word|wd|phrase)?|secrets?|tokens?|credentials?|auth(?:orization)?|cookies?|bearer|signature|sig|otp|pin)(?:_|$)|api_?key|(?:access|private|secret|signing|encryption|deployment|ssh|client)_?key/;

/** `apiKey`, `API-KEY` and `x-api-key` are one word. Counters such as `max_tokens` are no credentials. */
export function isCredentialKey(key: string): boolean {
  const words = key
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_');
  return CREDENTIAL.test(words) && !/(?:max|min|num|count|total|input|output)_tokens?$/.test(words);
}

/** Control characters and characters that turn text around must not forge what a person reads; joiners belong to words. */
function oneLine(text: string, limit: number): string {
  return shorten(
    text
      .slice(0, 4 * limit)
      .replace(/(?:(?![\u200c\u200d])[\p{Cc}\p{Cf}\u2028\u2029\s])+/gu, ' ')
      .trim(),
    limit,
  );
}
