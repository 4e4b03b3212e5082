/** Which class a provider's error is of (C3.7), from its status or from an error object in a stream. */
import type { Json, JsonObject } from '../../core/json.ts';
import { ProviderFailure, type ProviderFailureClass } from './types.ts';

const SHOWN = 600;

/** An HTTP answer that is not 200. `retryAfter` is the header as it came. */
export function failureOfStatus(status: number, body: string, retryAfter: string | undefined): ProviderFailure {
  const said = words(body);
  const failureClass = classOf(status, body.slice(0, 4_000));
  const hint = HINTS[status] ?? '';
  const message = `HTTP ${status}${said.text ? `: ${said.text}` : ''}${hint}`;
  return new ProviderFailure(failureClass, message, retryAfterMs(retryAfter) ?? said.retryAfterMs);
}

/** An error object in the stream, or in a body that came with 200. */
export function failureOfError(error: Json): ProviderFailure {
  const { text, retryAfterMs: after } = wordsOf(error);
  const status = statusIn(error);
  const marks = isObject(error) ? [error.type, error.code, error.status] : [];
  const kind = marks
    .filter((each) => typeof each === 'string')
    .join(' ')
    .toLowerCase();
  const failureClass = status === undefined ? classOfWords(`${kind} ${text}`) : classOf(status, text);
  return new ProviderFailure(failureClass, `the provider reported: ${text || 'an error without a text'}`, after);
}

const HINTS: Record<number, string> = {
  401: ' (check api_key of this provider)',
  403: ' (check api_key of this provider)',
  404: ' (check base_url and the name of the model)',
  413: ' (the request is larger than this model takes)',
};

const OVERFLOW =
  /context[_ ](?:length|window|size)|maximum context|too many (?:input )?tokens|prompt is too long|(?:input|prompt|request)[_ ](?:is )?too[_ ](?:long|large)|exceeds? (?:the )?(?:available )?context|exceeds the maximum number of tokens|input_too_long/i;
const RATE = /rate.?limit|too many requests|quota|resource_exhausted|\b429\b/i;
const OVERLOADED = /overload|server_error|internal|unavailable|timeout|timed out|try again|capacity|busy|\b5\d\d\b/i;
const FATAL =
  /invalid_api_key|incorrect api key|unauthorized|authentication|permission|forbidden|model_not_found|not found|does not exist|invalid_request|bad request|unsupported|billing|\b40[0134]\b/i;

function classOf(status: number, text: string): ProviderFailureClass {
  if (status === 413) return 'overflow';
  if (status === 429) return 'rate_limited';
  if (status === 408 || status >= 500) return 'retryable';
  if (status === 400 && OVERFLOW.test(text)) return 'overflow';
  return 'fatal';
}

/** Without a status only words are left; what nobody can place is tried again. */
function classOfWords(text: string): ProviderFailureClass {
  if (OVERFLOW.test(text)) return 'overflow';
  if (RATE.test(text)) return 'rate_limited';
  if (OVERLOADED.test(text)) return 'retryable';
  return FATAL.test(text) ? 'fatal' : 'retryable';
}

type Said = { text: string; retryAfterMs: number | undefined };

function words(body: string): Said {
  try {
    const parsed = JSON.parse(body) as Json;
    const list = Array.isArray(parsed) ? parsed[0] : parsed;
    return wordsOf(isObject(list) && list.error !== undefined ? list.error : (list ?? ''));
  } catch {
    return { text: shown(plainText(body)), retryAfterMs: undefined };
  }
}

function wordsOf(error: Json): Said {
  if (typeof error === 'string') return { text: shown(error), retryAfterMs: undefined };
  if (!isObject(error)) return { text: '', retryAfterMs: undefined };
  const text = [error.message, error.detail, error.error, error.msg].find(
    (each) => typeof each === 'string' && each !== '',
  );
  const inner = isObject(error.error) ? wordsOf(error.error).text : '';
  return {
    text: shown(typeof text === 'string' ? text : inner || JSON.stringify(error)),
    retryAfterMs: waitIn(error),
  };
}

/** Some vendors say it in the body: a number of seconds, or `34s` in a list of details. */
function waitIn({ metadata, details }: JsonObject): number | undefined {
  const seconds = isObject(metadata) ? metadata.retry_after_seconds : undefined;
  if (typeof seconds === 'number') return seconds * 1000;
  const delays = Array.isArray(details) ? details.map((each) => (isObject(each) ? each.retryDelay : undefined)) : [];
  const delay = delays.find((each) => typeof each === 'string' && /^\d+(\.\d+)?s$/.test(each));
  return typeof delay === 'string' ? Math.round(Number.parseFloat(delay) * 1000) : undefined;
}

function statusIn(error: Json): number | undefined {
  if (!isObject(error)) return undefined;
  const found = [error.status, error.status_code, error.code].map(Number).find((each) => each >= 400 && each < 600);
  return found;
}

/** The words of an error page, without its markup. */
export function plainText(body: string): string {
  if (!/^\s*</.test(body)) return body;
  const title = /<title>([^<]{1,200})/i.exec(body.slice(0, 20_000))?.[1];
  return title ? `a web page, "${title.trim()}"` : 'a web page';
}

export function shown(text: string): string {
  const line = text
    .slice(0, SHOWN * 4)
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim();
  return line.length > SHOWN ? `${line.slice(0, SHOWN)}…` : line;
}

/** Seconds or a date. */
export function retryAfterMs(header: string | undefined, now = Date.now()): number | undefined {
  if (header === undefined || header.trim() === '') return undefined;
  const seconds = Number(header);
  const ms = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(header) - now;
  return Number.isFinite(ms) ? Math.max(0, ms) : undefined;
}

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
