// `everturn tools list`: what an agent may call, after every filter.
import { agentTools } from '../agent-tools.ts';
import { configured } from '../configuration.ts';
import type { Context } from '../context.ts';
import { visibleLine } from '../printable.ts';
import { table } from '../table.ts';

export async function list(context: Context, options: { agent?: string }): Promise<void> {
  const { config } = await configured({ path: context.flags.config });
  const { execution, problems } = await agentTools(config, options.agent);
  for (const { message } of problems) context.note(visibleLine(`Left out: ${message}`));
  const shown = execution.tools.map(({ name, description, effect, provenance, timeoutMs, parameters }) => ({
    ...{ name, description, effect, provenance, timeoutMs, parameters },
  }));
  if (context.json) return context.emit({ items: shown });
  const rows = shown.map(({ name, effect, provenance, description }) => [
    name,
    effect,
    provenance,
    description.split('\n', 1)[0] ?? '',
  ]);
  const width = process.stdout.isTTY ? process.stdout.columns : undefined;
  context.print(table(['TOOL', 'EFFECT', 'FROM', 'DOES'], rows, { colours: context.colours, width }));
}
