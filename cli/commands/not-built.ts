// Commands that are named and not built yet.
import { CliError, EXIT } from '../exit.ts';
import type { Action } from '../program.ts';

export const notBuilt =
  (name: string): Action =>
  async () => {
    throw new CliError(EXIT.usage, `\`everturn ${name}\` is not built yet.`, { code: 'not_built' });
  };
