// Commands that look after a deployment: set it up, check it, look into its store.
import { type Command, Option } from 'commander';
import { type Act, count } from '../action.ts';
import { notBuilt } from './not-built.ts';

const inFolder = (command: Command): Command => command.option('--data <folder>', 'the state folder');

export function addOperatingCommands(program: Command, act: Act): void {
  addSetUp(program, act);
  addTokens(program.command('tokens').description('tokens of the API'), act);
  addAudit(program.command('audit').description('who decided what, in a chain that shows changes'), act);
  const tools = program.command('tools').description('the tools of the agents');
  act(
    tools
      .command('list')
      .description('every tool, with effect and who may use it')
      .option('--agent <name>', 'only of this agent'),
    async () => (await import('./tools.ts')).list,
  );
  const policy = program.command('policy').description('what policy says');
  act(
    policy
      .command('test')
      .description('what would become of a shell command')
      .argument('<command>')
      .option('--agent <name>', 'under the policy of this agent'),
    async () => (await import('./policy.ts')).test,
  );
  act(
    inFolder(program.command('usage'))
      .description('tokens and money by day, model of the turn’s agent')
      .option('--today', 'only of today'),
    async () => (await import('./usage.ts')).usage,
  );
  addNotBuilt(program, act);
}

function addSetUp(program: Command, act: Act): void {
  act(
    program
      .command('init')
      .description('write a first everturn.yaml here')
      .option('--dir <folder>', 'the folder', '.')
      .option('--provider <name>', 'name of the provider')
      .option('--base-url <url>', "the model server's address")
      .option('--model <name>', 'the model, as its server knows it')
      .option('--api-key-env <name>', 'the environment variable that holds the key')
      .option('--no-api-key', 'the server wants no key')
      .option('--dry-run', 'print it only')
      .option('--reset', 'replace a file that is there'),
    async () => (await import('./init.ts')).init,
  );
  act(
    inFolder(program.command('doctor'))
      .description('check this machine and this deployment')
      .option('--providers', 'also make one call to each provider'),
    async () => (await import('./doctor.ts')).doctor,
  );
  const config = program.command('config').description('the configuration');
  const module = async () => import('./config.ts');
  act(config.command('validate').description('check it as a whole'), async () => (await module()).validate);
  act(config.command('schema').description('its JSON Schema, for editors'), async () => (await module()).schema);
  act(
    config.command('show').description('every value in force').option('--origin', 'and where it comes from'),
    async () => (await module()).show,
  );
}

function addTokens(tokens: Command, act: Act): void {
  const module = async () => import('./tokens.ts');
  act(
    inFolder(tokens.command('create'))
      .description('make a token; it is shown once')
      .requiredOption('--name <name>', 'what it is for')
      .addOption(
        new Option('--scope <scopes...>', 'what it may do')
          .choices(['read', 'operate', 'approve', 'admin'])
          .default(['read']),
      ),
    async () => (await module()).create,
  );
  act(inFolder(tokens.command('list')).description('all tokens'), async () => (await module()).list);
  act(
    inFolder(tokens.command('revoke').argument('<id>')).description('end a token'),
    async () => (await module()).revoke,
  );
}

function addAudit(audit: Command, act: Act): void {
  const module = async () => import('./audit.ts');
  act(
    inFolder(audit.command('list'))
      .description('entries, oldest first')
      .option('--after <seq>', 'only after this one', count, 0)
      .option('--limit <n>', 'at most so many', count, 100),
    async () => (await module()).list,
  );
  act(inFolder(audit.command('verify')).description('check the whole chain'), async () => (await module()).verify);
  act(
    inFolder(audit.command('export')).description('every entry as JSON lines'),
    async () => (await module()).exportAll,
  );
}

/** Named in I3, and still to come: they say so, and end as wrong usage. */
function addNotBuilt(program: Command, act: Act): void {
  for (const name of ['backup', 'restore', 'prune'] as const) {
    act(program.command(name, { hidden: true }).allowUnknownOption().argument('[words...]'), async () =>
      notBuilt(name),
    );
  }
  const receipts = program.command('receipts', { hidden: true });
  act(receipts.command('verify').argument('[turn]'), async () => notBuilt('receipts verify'));
  const mcp = program.command('mcp', { hidden: true });
  for (const name of ['list', 'test']) {
    act(mcp.command(name).allowUnknownOption().argument('[words...]'), async () => notBuilt(`mcp ${name}`));
  }
}
