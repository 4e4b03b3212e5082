// `everturn init`: a first configuration, asked for at a terminal, taken from flags elsewhere.

import { formatConfigError } from '../../config/errors.ts';
import { initConfig } from '../../config/init.ts';
import { DEFAULT_STARTER, type Starter } from '../../config/starter.ts';
import type { Context } from '../context.ts';
import { CliError, EXIT, type ExitCode, usageError } from '../exit.ts';
import { askLine } from '../view/line-input.ts';

type Options = {
  dir: string;
  provider?: string;
  baseUrl?: string;
  model?: string;
  apiKeyEnv?: string;
  /** commander's spelling of `--no-api-key`. */
  apiKey: boolean;
  dryRun?: boolean;
  reset?: boolean;
};

export async function init(context: Context, options: Options): Promise<ExitCode> {
  const starter = await starterFrom(context, options);
  const made = await initConfig({
    dir: options.dir,
    starter,
    yes: options.dryRun !== true,
    force: options.reset === true,
  }).catch((error: unknown) => {
    const code = (error as { code?: string }).code ?? 'unknown fault';
    throw new CliError(EXIT.failed, `${options.dir} cannot be written (${code}).`);
  });
  const { kind, file, text, folders, errors } = made;
  if (kind === 'exists') {
    throw usageError(
      `${file} is there already; nothing was changed.`,
      'Edit it, or replace it with `everturn init --reset`.',
    );
  }
  if (kind === 'errors') throw usageError(`These values cannot be used:\n${errors.map(formatConfigError).join('\n')}`);
  if (context.json) context.emit({ state: kind, file, folders, ...(kind === 'would_write' ? { text } : {}) });
  else if (kind === 'would_write') process.stdout.write(text);
  else {
    context.print(`Wrote ${file}.`);
    context.note(
      `Next: ${starter.apiKeyEnv ? `export ${starter.apiKeyEnv}=…, then ` : ''}everturn doctor, everturn dev, everturn run "hello"`,
    );
  }
  return EXIT.ok;
}

async function starterFrom(context: Context, options: Options): Promise<Starter> {
  const given = {
    provider: options.provider ?? DEFAULT_STARTER.provider,
    baseUrl: options.baseUrl,
    model: options.model,
    apiKeyEnv: options.apiKey ? options.apiKeyEnv : undefined,
  };
  const named = options.baseUrl !== undefined && options.model !== undefined;
  if (!context.interactive || context.json || named) {
    return {
      ...given,
      baseUrl: given.baseUrl ?? DEFAULT_STARTER.baseUrl,
      model: given.model ?? DEFAULT_STARTER.model,
      apiKeyEnv: options.apiKey ? (given.apiKeyEnv ?? DEFAULT_STARTER.apiKeyEnv) : undefined,
    };
  }
  return {
    ...given,
    baseUrl: given.baseUrl ?? (await ask("The model server's address", DEFAULT_STARTER.baseUrl)),
    model: given.model ?? (await ask('The model, as its server knows it', DEFAULT_STARTER.model)),
    apiKeyEnv: options.apiKey
      ? (given.apiKeyEnv ??
          (await ask('Environment variable that holds its key (- for none)', DEFAULT_STARTER.apiKeyEnv ?? '-')).replace(
            /^-$/,
            '',
          )) ||
        undefined
      : undefined,
  };
}

async function ask(question: string, usual: string): Promise<string> {
  const typed = await askLine(`${question} [${usual}]: `);
  if (typed.kind === 'stopped') throw new CliError(EXIT.interrupted, 'Nothing was written.');
  return typed.text.trim() || usual;
}
