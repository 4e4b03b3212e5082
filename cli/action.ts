// How a command is tied to what it does: the action is loaded only when the command is called.
import { type Command, InvalidArgumentError } from 'commander';
import type { Context } from './context.ts';
import type { ExitCode } from './exit.ts';

/** What a command does; without an answer it ended well. */
export type Action = (context: Context, ...given: never[]) => Promise<ExitCode> | Promise<void>;

/** Adds the action of a command; `load` imports the module that holds it. */
export type Act = (command: Command, load: () => Promise<Action>) => void;

/** Where the gateway is found: by the data folder, unless it is named. */
export function reaching(command: Command): Command {
  return command
    .option('--data <folder>', 'the state folder of the `dev` to talk to')
    .option('--url <url>', 'the gateway to talk to, for example http://127.0.0.1:7410')
    .option('--token <token>', 'the token for it (default: the one of the state folder)');
}

/** For commands that show a turn live. */
export const watching = (command: Command): Command =>
  command.option('--bell', 'ring and set the title of the terminal when somebody is asked');

export function port(text: string): number {
  const number = Number(text);
  if (!/^\d+$/.test(text) || number > 65_535) throw new InvalidArgumentError('A port is a number from 0 to 65535.');
  return number;
}

export function count(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('It is a whole number from 0.');
  return Number(text);
}
