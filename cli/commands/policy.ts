// `everturn policy test`: what would become of a shell command, and why. Nothing is run.

import { evaluateAccess } from '../../core/access.ts';
import { factsOf } from '../../core/assessment.ts';
import { agentTools } from '../agent-tools.ts';
import { configured } from '../configuration.ts';
import type { Context } from '../context.ts';
import { EXIT, type ExitCode, failure } from '../exit.ts';
import { visibleLine } from '../printable.ts';

export async function test(context: Context, command: string, options: { agent?: string }): Promise<ExitCode> {
  const { config } = await configured({ path: context.flags.config });
  const { execution, registry } = await agentTools(config, options.agent);
  const shell = registry.get('shell');
  if (!shell) throw failure('This installation has no shell tool.');
  const { workspace, policy } = execution;
  const assessment = await shell.assess({ command }, { workspace, policy });
  const access = evaluateAccess({
    policy,
    name: 'shell',
    inEffectiveSet: execution.tools.some(({ name }) => name === 'shell'),
    facts: factsOf(assessment),
    estopped: false,
  });
  const verdict = access.kind === 'allowed' ? 'allow' : access.kind === 'ask' ? 'ask' : 'block';
  const why = access.kind === 'blocked' ? access.reason : access.why;
  if (context.json) context.emit({ command, agent: execution.agent, verdict, why, assessment });
  else {
    const { green, yellow, red } = context.colours;
    context.print(`${{ allow: green, ask: yellow, block: red }[verdict](verdict)}: ${visibleLine(why)}`);
    const { risk, effect, commands = [], unlisted = [], paths = [] } = assessment;
    context.print(visibleLine(`risk ${risk.level}${risk.reasons.length ? `: ${risk.reasons.join('; ')}` : ''}`));
    context.print(`effect ${effect}`);
    if (commands.length) context.print(visibleLine(`commands ${commands.join(', ')}`));
    if (unlisted.length) context.print(visibleLine(`not on the list ${unlisted.join(', ')}`));
    for (const { path, access: how } of paths) context.print(visibleLine(`${how} ${path}`));
  }
  return verdict === 'block' ? EXIT.denied : EXIT.ok;
}
