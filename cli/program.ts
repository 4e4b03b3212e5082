// All commands in one place: names, arguments, help. What they do is loaded when they are called.
import { Command, CommanderError } from 'commander';
import type { Act, Action } from './action.ts';
import { addDeskCommands } from './commands/desk-commands.ts';
import { addOperatingCommands } from './commands/operating-commands.ts';
import { addRunningCommands } from './commands/running-commands.ts';
import { type Context, contextFor, type GlobalFlags } from './context.ts';
import { EXIT, type ExitCode } from './exit.ts';
import { packageVersion } from './package-version.ts';
import { report } from './report.ts';

/** @param words the command line without the program's own name */
export async function runProgram(words: readonly string[]): Promise<ExitCode> {
  let code: ExitCode = EXIT.ok;
  const program = createProgram((context, action, given) => {
    const acted: Promise<unknown> = action(context, ...(given as never[]));
    return acted.then((ended) => {
      code = (ended as ExitCode | undefined) ?? EXIT.ok;
    });
  });
  try {
    await program.parseAsync([...words], { from: 'user' });
    return code;
  } catch (error) {
    // commander has printed its own words by now, help included.
    const context = contextFor(program.opts<GlobalFlags>());
    if (!(error instanceof CommanderError)) return report(error, context);
    if (error.exitCode === 0) return EXIT.ok;
    if (context.json)
      context.emit({ error: { code: 'usage', message: error.message.replace(/^error: /, ''), hint: '' } });
    return EXIT.usage;
  }
}

type Perform = (context: Context, action: Action, given: unknown[]) => Promise<void>;

export function createProgram(perform: Perform): Command {
  const program = new Command('everturn')
    .description('Agent turns that never lose their place.')
    .version(packageVersion(), '-V, --version', 'print the version')
    .option('--json', 'print JSON on stdout, one value a line, and nothing else there')
    .option('--config <file>', 'the configuration file')
    .option('--quiet', 'print results only')
    .option('--no-color', 'print without colour')
    .option('--accessible', 'print whole lines, without redraw, with numbered choices')
    .configureHelp({ showGlobalOptions: true, sortSubcommands: false })
    .showHelpAfterError('Run `everturn --help` for the commands.')
    .exitOverride();
  const act: Act = (command, load) => {
    command.action(async (...given: unknown[]) => {
      // commander appends the command itself, which no action needs.
      given.pop();
      await perform(contextFor(program.opts<GlobalFlags>()), await load(), given);
    });
  };
  addRunningCommands(program, act);
  addDeskCommands(program, act);
  addOperatingCommands(program, act);
  for (const command of [program, ...program.commands, ...program.commands.flatMap((group) => group.commands)]) {
    command.exitOverride().showHelpAfterError('Run it with --help to see what it takes.');
  }
  return program;
}
