/**
 * Masks what looks like a credential in text that is rendered: events, logs, traces, error messages (C9.1).
 * Every rule is linear in the text: no rule may start twice in one run of characters.
 */
import type { Json, JsonObject } from './json.ts';

type Found = { before?: string; secret: string; after?: string };
type Rule = { pattern: RegExp; parts: (match: string[]) => Found };

const whole: Rule['parts'] = ([secret = '']) => ({ secret });
const afterFirst: Rule['parts'] = ([, before = '', secret = '']) => ({ before, secret });

const SECRET_WORD =
  'api[_-]?key|apikey|access[_-]?key|private[_-]?key|secret(?!ar)|token(?![sS])|passw(?:or)?d|passphrase|pwd|credentials?|cookie|signature';
const KEY = `(?<![\\w.-])["']?[\\w.-]{0,64}?(?:${SECRET_WORD})[\\w.-]{0,64}?\\\\?["']?`;
const QUERY_KEY = '(?:[\\w-]{0,32}(?:key|token|secret|password|signature)|sig|auth|code|pwd)';

const RULES: readonly Rule[] = [
  { pattern: /(:\/\/[^\s/?#@:"'<>]*:)([^\s/?#@"'<>]+)(?=@)/g, parts: afterFirst },
  { pattern: new RegExp(`([?&;]${QUERY_KEY}=)([^&;\\s#"'<>\\\\)]+)`, 'gi'), parts: afterFirst },
  {
    pattern: /(\bauthorization\\?["']?\s{0,8}[:=]\s{0,8}\\?["']?(?:[a-z]{1,16} +)?)([^\s"',\\]+)/gi,
    parts: afterFirst,
  },
  // In prose ("basic understanding") what follows holds no digit.
  { pattern: /(\b(?:bearer|basic) +)((?=[\w.~+/=-]{0,200}\d)[\w.~+/=-]{6,})/gi, parts: afterFirst },
  {
    pattern: new RegExp(
      `(${KEY}\\s{0,8}[:=]\\s{0,8})(?:\\\\?"([^"\\\\\\n]+)|'([^'\\n]+)|([^\\s"',;&{}()<>\\\\]+))`,
      'gi',
    ),
    parts: ([all = '', before = '', double, single, bare]) => {
      const secret = double ?? single ?? bare ?? '';
      // "Unexpected token: check" is a sentence.
      if (bare && /token["']?\s*:\s*$/i.test(before) && /^[a-z]+[.?!]?$/.test(bare)) return { before: all, secret: '' };
      return { before: before + all.slice(before.length, all.length - secret.length), secret };
    },
  },
  { pattern: /(?<![\w-])(?:sk|pk|rk)[-_][\w-]{12,}/g, parts: whole },
  { pattern: /(?<![\w-])(?:gh[pousr]_|github_pat_|glpat-|xox[a-z]-|xapp-|AIza|hf_|npm_)[\w-]{8,}/g, parts: whole },
  { pattern: /(?<![A-Z0-9])(?:AKIA|ASIA)[A-Z0-9]{16}(?![A-Z0-9])/g, parts: whole },
  { pattern: /(?<![\w-])eyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*/g, parts: whole },
];

const PLACEHOLDER = /\[REDACTED:k(\d+)\]/g;
const HARMLESS = /^(?:true|false|null|none|undefined|\d{1,12}(?:\.\d+)?|\*+|\[redacted\])$/i;
const NOT_A_SECRET = 4;

/** Same text, same result; masking again changes nothing. Numbers go on after those of held values. */
export function redactPatterns(text: string): string {
  return redactWith(text, new Numbers([text]));
}

/** Every string of a value; what stands under a credential-like key is masked whole. */
export function redactPatternsJson(value: Json): Json {
  const numbers = new Numbers(stringsOf(value));
  const walk = (each: Json, key?: string): Json => {
    if (typeof each === 'string')
      return key !== undefined && isSecretKey(key) ? masked(each, numbers) : redactWith(each, numbers);
    if (each === null || typeof each !== 'object') return each;
    if (Array.isArray(each)) return each.map((item) => walk(item, key));
    return Object.fromEntries(Object.entries(each).map(([name, item]) => [name, walk(item, name)])) as JsonObject;
  };
  return walk(value);
}

const SECRET_KEY = new RegExp(`authorization|(?:${SECRET_WORD})`, 'i');

/** `api_key`, `botToken`, `Authorization` …; counters such as `max_tokens` are not. */
export function isSecretKey(key: string): boolean {
  return SECRET_KEY.test(key);
}

function redactWith(text: string, numbers: Numbers): string {
  let out = maskPem(text, numbers);
  for (const { pattern, parts } of RULES) {
    out = out.replace(pattern, (...match: unknown[]) => {
      const groups = match.filter((_, at) => at < match.length - 2) as string[];
      const { before = '', secret, after = '' } = parts(groups);
      return before + masked(secret, numbers) + after;
    });
  }
  return out;
}

/** Keeps at most four characters, and none of a short secret. */
function masked(secret: string, numbers: Numbers): string {
  if (secret.includes('[REDACTED:') || secret.length < NOT_A_SECRET || HARMLESS.test(secret)) return secret;
  const kept = secret.length >= 16 ? secret.slice(0, 4) : '';
  return `${kept}[REDACTED:k${numbers.of(secret)}]`;
}

/** From the first line of a private key to its last; one that never ends is masked to the end. */
function maskPem(text: string, numbers: Numbers): string {
  let out = '';
  let at = 0;
  for (;;) {
    const begin = text.indexOf('-----BEGIN ', at);
    if (begin < 0) return out + text.slice(at);
    const head = /^-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY-----/.exec(text.slice(begin, begin + 80))?.[0];
    if (!head) {
      out += text.slice(at, begin + 11);
      at = begin + 11;
      continue;
    }
    const body = begin + head.length;
    const foot = text.indexOf('-----END ', body);
    const end = foot < 0 ? text.length : foot;
    const secret = text.slice(body, end);
    const held = secret.trim() === '' || secret.includes('[REDACTED:');
    out += text.slice(at, body) + (held ? secret : `[REDACTED:k${numbers.of(secret)}]`);
    at = end;
  }
}

/** One number per distinct secret of a text, after the largest that is there already. */
class Numbers {
  readonly #known = new Map<string, number>();
  #last: number;

  constructor(texts: Iterable<string>) {
    this.#last = 0;
    for (const text of texts) {
      for (const [, number] of text.matchAll(PLACEHOLDER)) this.#last = Math.max(this.#last, Number(number));
    }
  }

  of(secret: string): number {
    const known = this.#known.get(secret) ?? ++this.#last;
    this.#known.set(secret, known);
    return known;
  }
}

function* stringsOf(value: Json): Generator<string> {
  if (typeof value === 'string') yield value;
  else if (value !== null && typeof value === 'object') for (const each of Object.values(value)) yield* stringsOf(each);
}
