// Commands that are named and not built yet.

import type { Action } from '../action.ts';
import { CliError, EXIT } from '../exit.ts';

export const notBuilt =
  (name: string): Action =>
  async () => {
    throw new CliError(EXIT.usage, `\`everturn ${name}\` is not built yet.`, { code: 'not_built' });
  };
