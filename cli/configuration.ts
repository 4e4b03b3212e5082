// The configuration for a command, or the end of the command with every mistake named.
import type { Loaded } from '../config/check.ts';
import { formatConfigError } from '../config/errors.ts';
import { type LoadOptions, loadConfig } from '../config/load.ts';
import { CliError, EXIT } from './exit.ts';

export type ConfigRequest = Pick<LoadOptions, 'path' | 'flags'>;

/** @throws CliError with exit code 3 */
export async function configured(request: ConfigRequest): Promise<Loaded> {
  const result = await loadConfig(request);
  if (result.kind === 'ok') return result;
  if (result.kind === 'missing') {
    throw new CliError(EXIT.configuration, sentence(result.message), {
      hint: 'Run `everturn init` here, or name a file with --config.',
    });
  }
  const lines = result.errors.map(formatConfigError);
  const count = lines.length === 1 ? 'One mistake' : `${lines.length} mistakes`;
  throw new CliError(EXIT.configuration, `${count} in the configuration; nothing was started.\n${lines.join('\n')}`, {
    hint: 'Mend them and try `everturn config validate`.',
  });
}

const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
