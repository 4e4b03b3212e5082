// Rows for people, in columns. Programs use `--json`.

import type { Colours } from './colour.ts';
import { visibleLine } from './printable.ts';
import { columnsOf, fitColumns } from './text-width.ts';

/** Columns as wide as their widest cell, the last one cut at the screen's edge. Cells may come from outside. */
export function table(head: readonly string[], rows: readonly (readonly string[])[], look: TableLook): string {
  const cells = [head, ...rows].map((row) => row.map(visibleLine));
  const widths = head.map((_, column) => Math.max(...cells.map((row) => columnsOf(row[column] ?? ''))));
  const lines = cells.map((row) => {
    const line = row
      .map((cell, column) =>
        column === row.length - 1 ? cell : cell + ' '.repeat((widths[column] ?? 0) - columnsOf(cell)),
      )
      .join('  ');
    return look.width === undefined ? line : fitColumns(line, look.width);
  });
  return [look.colours.dim(lines[0] ?? ''), ...lines.slice(1)].join('\n');
}

export type TableLook = { colours: Colours; width: number | undefined };
