// How a command ends: the exit codes of I3, and the error that carries one of them to `main`.

export const EXIT = {
  ok: 0,
  failed: 1,
  usage: 2,
  configuration: 3,
  denied: 4,
  unanswered: 5,
  interrupted: 130,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** An end that a person is told about in plain words; anything else that is thrown is a mistake of ours. */
export class CliError extends Error {
  readonly exitCode: ExitCode;
  /** Stable, for `--json`. */
  readonly code: string;
  readonly hint: string | undefined;

  /** @param message what is wrong, where; `more.hint` what to do about it */
  constructor(exitCode: ExitCode, message: string, more: { code?: string; hint?: string } = {}) {
    super(message);
    this.name = 'CliError';
    this.exitCode = exitCode;
    this.code = more.code ?? CODES[exitCode];
    this.hint = more.hint;
  }
}

const CODES: Record<ExitCode, string> = {
  0: 'ok',
  1: 'failed',
  2: 'usage',
  3: 'configuration',
  4: 'denied',
  5: 'unanswered',
  130: 'interrupted',
};

export const usageError = (message: string, hint?: string): CliError =>
  new CliError(EXIT.usage, message, hint === undefined ? {} : { hint });

export const failure = (message: string, hint?: string): CliError =>
  new CliError(EXIT.failed, message, hint === undefined ? {} : { hint });
