// The Temporal CLI for the embedded server, or an end of the command that says what was looked at.
import { CliError, EXIT } from '../exit.ts';
import { findTemporalCli, type TemporalCli } from '../temporal-cli.ts';

/** @throws CliError */
export async function findCli(): Promise<TemporalCli> {
  try {
    return await findTemporalCli();
  } catch (error) {
    throw new CliError(EXIT.failed, error instanceof Error ? error.message : String(error), { code: 'temporal_cli' });
  }
}
