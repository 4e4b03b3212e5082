/** A call that Everturn refused, or that never reached it. */

export class ApiError extends Error {
  override readonly name = 'ApiError';
  /** HTTP status; 0 when there was no answer at all. */
  readonly status: number;
  /** Stable, for programs: `unauthorized`, `not_found`, `turn_ended` … */
  readonly code: string;
  /** What to do about it; may be empty. */
  readonly hint: string;
  /** The whole answer, for calls whose refusal carries more (`already_decided`: `by`, `at`). */
  readonly body: unknown;

  constructor(status: number, error: { code: string; message: string; hint?: string }, body?: unknown) {
    super(error.message);
    this.status = status;
    this.code = error.code;
    this.hint = error.hint ?? '';
    this.body = body;
  }
}

/** Reads `{"error":{"code","message","hint"}}`; anything else becomes an error with the status alone. */
export function errorFrom(status: number, body: unknown): ApiError {
  const given = (body as { error?: { code?: unknown; message?: unknown; hint?: unknown } } | null)?.error;
  if (typeof given?.code === 'string' && typeof given.message === 'string') {
    const hint = typeof given.hint === 'string' ? given.hint : '';
    return new ApiError(status, { code: given.code, message: given.message, hint }, body);
  }
  return new ApiError(status, { code: 'unexpected_answer', message: `The server answered ${status}.` }, body);
}
