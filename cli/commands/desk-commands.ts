// Commands that talk to a running gateway: turns, approvals, holding everything.
import type { Command } from 'commander';
import { type Act, count, reaching, watching } from '../action.ts';

export function addDeskCommands(program: Command, act: Act): void {
  addTurns(program.command('turns').description('look at turns, talk to them, cancel them'), act);
  addApprovals(program.command('approvals').description('see what waits for a decision, and decide'), act);
  const control = async () => import('./control.ts');
  act(
    reaching(program.command('pause'))
      .description('let running calls end and hold every next step')
      .option('--reason <text>', 'why'),
    async () => (await control()).pause,
  );
  act(
    reaching(program.command('resume')).description('go on after pause or estop').option('--reason <text>', 'why'),
    async () => (await control()).resume,
  );
  act(
    reaching(program.command('estop'))
      .description('cancel every open turn and let nothing run until resume')
      .option('--reason <text>', 'why'),
    async () => (await control()).estop,
  );
}

function addTurns(turns: Command, act: Act): void {
  const module = async () => import('./turns.ts');
  act(
    reaching(turns.command('list'))
      .description('turns, newest first')
      .option('--status <status>', 'only these; several with commas, or open')
      .option('--agent <name>', 'only of this agent')
      .option('--session <id>', 'only of this session')
      .option('--q <text>', 'only with this in the first message or the answer')
      .option('--limit <n>', 'at most so many', count, 50),
    async () => (await module()).list,
  );
  act(reaching(turns.command('show').argument('<turn>')).description('one turn'), async () => (await module()).show);
  act(
    watching(reaching(turns.command('tail').argument('<turn>')))
      .description('show a turn live, from its beginning; questions can be answered here')
      .option('--after <number>', 'begin after this event', count, 0),
    async () => (await import('./tail.ts')).tail,
  );
  act(
    reaching(turns.command('transcript').argument('<turn>')).description('what the model was shown'),
    async () => (await module()).transcript,
  );
  act(
    reaching(turns.command('steer').argument('<turn>').argument('<text>')).description(
      'give a running turn a message; - reads it from stdin',
    ),
    async () => (await module()).steer,
  );
  act(
    reaching(turns.command('cancel').argument('<turn>')).description('cancel a turn').option('--reason <text>', 'why'),
    async () => (await module()).cancel,
  );
}

function addApprovals(approvals: Command, act: Act): void {
  const module = async () => import('./approvals.ts');
  act(
    reaching(approvals.command('list'))
      .description('questions, oldest first')
      .option('--turn <turn>', 'only of this turn')
      .option('--decided', 'those that are over')
      .option('--limit <n>', 'at most so many', count, 100),
    async () => (await module()).list,
  );
  act(
    reaching(approvals.command('show').argument('<approval>')).description('one question, whole'),
    async () => (await module()).show,
  );
  const decision = (name: string, description: string) =>
    reaching(approvals.command(name).argument('<approval>'))
      .description(description)
      .option('--note <text>', 'a note; the model reads it')
      .option('--remember <scope>', 'also from now on (comes with grants)');
  act(decision('approve', 'let this call run'), async () => (await module()).approve);
  act(decision('deny', 'do not let it run'), async () => (await module()).deny);
  act(
    decision('edit', 'let it run with other arguments').requiredOption('--args <file>', 'a JSON object; - is stdin'),
    async () => (await module()).edit,
  );
  act(
    decision('replace', 'do not run it; give this as its result').requiredOption(
      '--text <file>',
      'the text; - is stdin',
    ),
    async () => (await module()).replace,
  );
  act(
    decision('answer', 'answer a question that is no approval')
      .argument('[choice]', 'continue, stop, done, not_done or retry')
      .option('--text <file>', 'the answer; - is stdin'),
    async () => (await module()).answer,
  );
}
