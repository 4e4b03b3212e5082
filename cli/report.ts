// Says how a command failed: what, and what to do next. With `--json` also as a value on stdout.
import type { Context } from './context.ts';
import { CliError, EXIT, type ExitCode } from './exit.ts';
import { visible } from './printable.ts';

type Told = { exitCode: ExitCode; code: string; message: string; hint: string | undefined };

export function report(error: unknown, context: Context): ExitCode {
  const { exitCode, code, message, hint } = told(error);
  if (context.json) context.emit({ error: { code, message, hint: hint ?? '' } });
  process.stderr.write(`everturn: ${visible(message)}\n`);
  if (hint) process.stderr.write(`${visible(hint)}\n`);
  // A mistake of ours: where it happened helps to mend it.
  if (code === 'internal' && error instanceof Error && error.stack) process.stderr.write(`${error.stack}\n`);
  return exitCode;
}

function told(error: unknown): Told {
  if (error instanceof CliError) return error as Told & CliError;
  if (isApiError(error)) {
    const exitCode = error.status === 401 || error.status === 403 ? EXIT.denied : EXIT.failed;
    return { exitCode, code: error.code, message: error.message, hint: error.hint };
  }
  const message = error instanceof Error ? error.message : String(error);
  return { exitCode: EXIT.failed, code: 'internal', message, hint: undefined };
}

/** By its shape: its class belongs to a module that most commands never load. */
function isApiError(error: unknown): error is Error & { status: number; code: string; hint: string } {
  return error instanceof Error && error.name === 'ApiError';
}
