// Commands that run something: the stack, one role of it, one turn.
import { type Command, Option } from 'commander';
import { type Act, port, reaching, watching } from '../action.ts';

export function addRunningCommands(program: Command, act: Act): void {
  act(
    program
      .command('dev')
      .description('run everything on this machine: Temporal server, worker, gateway')
      .option('--data <folder>', 'the state folder')
      .option('--port <port>', "the gateway's port; 0 is any free one, for all of them", port)
      .option('--temporal-port <port>', "the Temporal server's port; 0 is any free one", port)
      .option('--open', 'open the dashboard in a browser'),
    async () => (await import('./dev.ts')).dev,
  );
  act(
    program.command('worker').description('run one worker, for production'),
    async () => (await import('./worker.ts')).worker,
  );
  act(
    program
      .command('gateway')
      .description('run one gateway, for production')
      .option('--host <address>', 'the address to listen on')
      .option('--port <port>', 'the port; 0 is any free one', port),
    async () => (await import('./gateway.ts')).gateway,
  );
  act(
    watching(reaching(program.command('run')))
      .description('start a turn and show it live')
      .argument('<text>', 'what to do; - reads it from stdin')
      .option('--agent <name>', 'the agent (default: main, else the only one)')
      .option('--session <id>', 'the session that the turn belongs to')
      .option('--detach', 'start it and leave it')
      .addOption(
        new Option('--on-approval <how>', 'ask: put questions here; park: leave them to others; deny: refuse')
          .choices(['ask', 'deny', 'park'])
          .default('ask'),
      ),
    async () => (await import('./run.ts')).run,
  );
}
