// Looking at the configuration.
import { formatConfigError } from '../../config/errors.ts';
import { configJsonSchemaText } from '../../config/json-schema.ts';
import { loadConfig } from '../../config/load.ts';
import { showConfig, showConfigText } from '../../config/show.ts';
import { configured } from '../configuration.ts';
import type { Context } from '../context.ts';
import { EXIT, type ExitCode } from '../exit.ts';

export async function validate(context: Context): Promise<ExitCode> {
  const result = await loadConfig({ path: context.flags.config });
  if (context.json) {
    if (result.kind === 'ok') context.emit({ valid: true, file: result.file, notes: result.notes });
    if (result.kind === 'errors') context.emit({ valid: false, errors: result.errors });
    if (result.kind === 'missing')
      context.emit({ valid: false, searched: result.searched, errors: [{ path: '', message: result.message }] });
    return result.kind === 'ok' ? EXIT.ok : EXIT.configuration;
  }
  if (result.kind === 'ok') {
    context.print(`${result.file} is valid.`);
    for (const note of result.notes) context.note(`Note: ${note}`);
    return EXIT.ok;
  }
  const lines = result.kind === 'errors' ? result.errors.map(formatConfigError) : [result.message];
  for (const line of lines) context.print(line);
  return EXIT.configuration;
}

export async function schema(): Promise<void> {
  process.stdout.write(configJsonSchemaText());
}

export async function show(context: Context, options: { origin?: boolean }): Promise<void> {
  const loaded = await configured({ path: context.flags.config });
  if (context.json) {
    for (const { origin, ...value } of showConfig(loaded)) context.emit(options.origin ? { ...value, origin } : value);
  } else process.stdout.write(showConfigText(loaded, { origins: options.origin === true }));
}
