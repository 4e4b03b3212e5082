// `npm run bench [NAME…]`: the figures of docs/benchmarks.md, each as a ratio within one run, printed with its limit.
import { writeFile } from 'node:fs/promises';
import type { Figure } from './bench/figures.ts';
import { historyFigures, replayFigures } from './bench/history.ts';
import { iterationFigures } from './bench/iterations.ts';
import { approvalRecoveryFigures, cancelFigures, readyFigures, recoveryFigures, streamFigures } from './bench/live.ts';
import { parkedFigures } from './bench/parked.ts';
import { unsupervisedFigures } from './bench/unsupervised.ts';

const PARTS: Record<string, () => Promise<Figure[]>> = {
  history: historyFigures,
  iterations: iterationFigures,
  replay: replayFigures,
  recovery: recoveryFigures,
  unsupervised: unsupervisedFigures,
  'approval-recovery': approvalRecoveryFigures,
  cancel: cancelFigures,
  stream: streamFigures,
  parked: parkedFigures,
  ready: readyFigures,
};

const asked = process.argv.slice(2).filter((word) => !word.startsWith('--'));
const unknown = asked.filter((name) => !(name in PARTS));
if (unknown.length > 0) {
  process.stderr.write(`No such figures: ${unknown.join(', ')}. There are: ${Object.keys(PARTS).join(', ')}.\n`);
  process.exit(2);
}
const figures: Figure[] = [];
for (const name of asked.length > 0 ? asked : Object.keys(PARTS)) {
  process.stderr.write(`${name} …\n`);
  for (const figure of (await PARTS[name]?.()) ?? []) {
    figures.push(figure);
    process.stdout.write(`${mark(figure)} ${figure.what}: ${figure.value} (${figure.limit})\n`);
  }
}
const json = process.argv.find((word) => word.startsWith('--json='))?.slice('--json='.length);
if (json) await writeFile(json, `${JSON.stringify(figures, null, 2)}\n`);
process.exit(figures.some(({ ok }) => ok === false) ? 1 : 0);

function mark({ ok }: Figure): string {
  if (ok === null) return '·';
  return ok ? '✓' : '✗';
}
