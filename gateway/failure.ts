/** A refusal of the HTTP interface: `{"error":{"code","message","hint"}}` with its status. Thrown, and answered in one place. */

export type FailureStatus = 400 | 401 | 403 | 404 | 409 | 410 | 413 | 415 | 422 | 429 | 500 | 503;

export class ApiFailure extends Error {
  readonly status: FailureStatus;
  /** Stable, for programs. */
  readonly code: string;
  /** What to do about it. */
  readonly hint: string;
  readonly headers: Record<string, string>;
  /** Fields beside `error` (`already_decided`: `state`, `by`, `at`). */
  readonly extra: Record<string, unknown>;

  constructor(
    status: FailureStatus,
    code: string,
    words: { message: string; hint: string },
    more: { headers?: Record<string, string>; extra?: Record<string, unknown> } = {},
  ) {
    super(words.message);
    this.status = status;
    this.code = code;
    this.hint = words.hint;
    this.headers = more.headers ?? {};
    this.extra = more.extra ?? {};
  }

  toJson() {
    return { ...this.extra, error: { code: this.code, message: this.message, hint: this.hint } };
  }
}

export const noSuchTurn = (turnId: string) =>
  new ApiFailure(404, 'turn_not_found', {
    message: `There is no turn "${shown(turnId)}".`,
    hint: 'GET /api/v1/turns lists the turns of this deployment.',
  });

export const turnHasEnded = (status: string) =>
  new ApiFailure(409, 'turn_ended', {
    message: `The turn has ended (${status}).`,
    hint: 'Start a new turn; with the same session it goes on from there.',
  });

export const notBuilt = (what: string, instead: string) =>
  new ApiFailure(422, 'not_built', { message: `${what} is not built yet.`, hint: instead });

/** What somebody sent, fit for a message: short, and without control characters. */
export function shown(value: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
  const clean = value.replace(/[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2066-\u2069]/g, '\ufffd');
  return clean.length > 80 ? `${clean.slice(0, 80)}…` : clean;
}
