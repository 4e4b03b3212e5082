// Tokens and money by day and agent, summed over the turns of the store.

import { addUsage, NO_USAGE, type Usage } from '../../core/usage.ts';
import type { TurnRow } from '../../store/api.ts';
import type { Context } from '../context.ts';
import { table } from '../table.ts';
import { type FolderOptions, withStore } from '../with-store.ts';

type Line = { day: string; agent: string; turns: number; usage: Usage };

export async function usage(context: Context, options: FolderOptions & { today?: boolean }): Promise<void> {
  const today = new Date().toISOString().slice(0, 10);
  const lines = new Map<string, Line>();
  await withStore(context, options, async (store) => {
    let cursor: string | undefined;
    do {
      const page = await store.turns.list({ limit: 500, ...(cursor === undefined ? {} : { cursor }) });
      for (const turn of page.items) add(lines, turn);
      cursor = page.next;
    } while (cursor !== undefined);
  });
  const shown = [...lines.values()]
    .filter(({ day }) => !options.today || day === today)
    .sort((a, b) => b.day.localeCompare(a.day) || a.agent.localeCompare(b.agent));
  if (context.json) return context.emit({ items: shown });
  if (shown.length === 0) return context.note('No turns.');
  const rows = shown.map(({ day, agent, turns, usage: sum }) => [
    day,
    agent,
    ...[turns, sum.inputTokens, sum.cachedInputTokens, sum.outputTokens].map(String),
    sum.costUsd.toFixed(4),
  ]);
  const head = ['DAY (UTC)', 'AGENT', 'TURNS', 'IN', 'CACHED', 'OUT', 'USD'];
  context.print(table(head, rows, { colours: context.colours, width: undefined }));
}

function add(lines: Map<string, Line>, { createdAt, agent, usage: used }: TurnRow): void {
  const day = new Date(createdAt).toISOString().slice(0, 10);
  const key = `${day} ${agent}`;
  const line = lines.get(key) ?? { day, agent, turns: 0, usage: NO_USAGE };
  lines.set(key, { ...line, turns: line.turns + 1, usage: addUsage(line.usage, used) });
}
